"""Pipelines of pictures, each stage computed from earlier ones: of the forms that they can have,
the one that does least, by what is counted of operations and of bytes (`picture_work.py`).

Looked at first are strips of rows of the results, in which a stage keeps the rows that are still
needed (`windows`): hardly anything is computed again there, and hardly anything goes through
memory. Where nothing runs in such strips, values are propagated, and what is then computed again
along a row is kept for a strip of it (`recurrences`), or is not.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.dependences import analyze
from polynb.derivation import Step, drained
from polynb.errors import PolynbError
from polynb.optimising.interleaving import with_planes_interleaved
from polynb.optimising.picture_work import PictureWork, bytes_of, large_sizes, picture_work
from polynb.optimising.planes import with_planes_together
from polynb.optimising.steps import FormChosen, NoOrder
from polynb.optimising.updates import with_updates_in_order
from polynb.propagation import propagate
from polynb.propagation.steps import BudgetSpent
from polynb.recurrences import with_recurrences
from polynb.scop.model import Scop
from polynb.windows import InStrips
from polynb.windows.algorithm import TOGETHER
from polynb.windows.plan import planned

ROWS: Final = 32
OPERATIONS: Final = 50_000_000
"""isl operations for a form: local Laplacian, propagated, needs most of them. (And no seconds:
where they end, arrays are kept that would have been propagated, and what is chosen would hang on
how busy the machine is.)"""
IN_ROWS: Final = f"in strips of {ROWS} rows"
PROPAGATED: Final = "propagated"
IN_STRIPS: Final = "propagated, what is computed again kept for a strip of a row"
OPTIONS: Final = {
    IN_ROWS: "--windows",
    PROPAGATED: "",
    IN_STRIPS: "--recurrences strips",
}
"""How `%%propagate` comes to each form."""
BELIEVED: Final = 1.2
"""How many times as little has to be done for a form to be taken. (A random pipeline of 1.16 was
0.84 times as fast as written.)"""


def is_pipeline(scop: Scop) -> bool:
    """Whether it has temporary pictures, and computes none from itself, but for histograms: there
    data decides which cell it is."""
    pictures = any(a.role == "temp" and a.dimensions > 1 for a in scop.arrays.values())
    return pictures and not any(
        r.array == s.write.array for s in scop.statements if s.write.must for r in s.reads
    )


def best_form(scop: Scop, sizes: Mapping[str, int]) -> Generator[Step, None, Scop | None]:
    """The form of a pipeline that does least, of those that, finished, do BELIEVED times as little
    as the program as it is written, on two threads and on one, and load so many times as few bytes;
    None where none does."""
    sizes = large_sizes(scop, sizes)
    before = picture_work(scop, sizes)
    if before is None:
        return None
    found: list[tuple[PictureWork, str, Scop]] = []
    forms = _Forms(scop, before)
    for name, form in forms.by_name.items():
        try:
            with isl.budget(OPERATIONS):
                made = form()
        except PolynbError as error:
            yield NoOrder(name, error.message)
            continue
        if made is None or (after := picture_work(made, sizes)) is None:
            continue
        if (gain := after.gain(before)) > 1:
            found.append((after, name, made))
            if name == IN_ROWS and min(gain, after.gain_alone(before)) >= BELIEVED:
                break
    for after, name, made in sorted(found, key=lambda x: x[0].cost):
        decided: list[Step] = []
        best = drained(_finished(made, sizes), decided)
        work = picture_work(best, sizes) or after
        gain, alone = work.gain(before), work.gain_alone(before)
        if min(gain, alone) < BELIEVED:
            little = f"on one thread there is only {alone:.2f} times as little to do"
            few = f"only {gain:.2f} times as few bytes go through memory"
            yield NoOrder(name, little if alone <= gain else few)
            continue
        by_data = "--by-data " * (name != IN_ROWS and chosen_by_data(scop))
        yield FormChosen(name, f"{by_data}{OPTIONS[name]}".strip(), before, after)
        yield from decided
        return best
    return None


def _finished(scop: Scop, sizes: Mapping[str, int]) -> Generator[Step, None, Scop]:
    """A form with its updates in order, and its planes where they are near each other."""
    scop = yield from with_updates_in_order(scop, sizes)
    scop = yield from with_planes_interleaved(scop, sizes)
    return (yield from with_planes_together(scop, sizes))


def chosen_by_data(scop: Scop) -> bool:
    """Whether data chooses which cell of a temporary picture is read."""
    reads = (r for s in scop.statements for r in s.reads)
    return any(not r.must and scop.arrays[r.array].role == "temp" for r in reads)


class _Forms:
    """The forms that a pipeline may have, by name."""

    def __init__(self, scop: Scop, work: PictureWork) -> None:
        self.scop, self.work = scop, work
        self.by_name: Mapping[str, Callable[[], Scop | None]] = {
            IN_ROWS: self.in_rows,
            PROPAGATED: lambda: self.propagated,
            IN_STRIPS: lambda: with_recurrences(self.propagated, form="strips"),
        }

    def in_rows(self) -> Scop | None:
        """None where nothing runs in strips. (Whether it would save enough is asked first: of local
        Laplacian, the strips themselves take half a minute to be found.)"""
        inside = planned(analyze(self.scop), ROWS, TOGETHER).windows
        moved = bytes_of(self.scop, self.work.sizes)
        saved = sum(moved[a] for a in inside)
        if self.work.bytes < BELIEVED * (self.work.bytes - saved):
            return None
        made = propagate(self.scop, windows=ROWS)
        steps, result = made.steps, made.result
        for s in steps:
            if isinstance(s, BudgetSpent):
                raise PolynbError(str(s).rstrip("."))
        return result if any(isinstance(s, InStrips) for s in steps) else None

    @cached_property
    def propagated(self) -> Scop:
        return propagate(self.scop, by_data=True).result
