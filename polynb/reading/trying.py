"""A program run on a few small numbers, in C's arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.reading.contents import Contents, contents
from polynb.run.execution import Execution, Mismatch, Point
from polynb.run.numbers import Evaluation
from polynb.run.symbolic import SymbolicMemory
from polynb.run.terms import Term, Terms
from polynb.run.vectors import Vector
from polynb.scop.model import Array, Scop
from polynb.scop.sizes import large
from polynb.source.functions import EXTREMA, MATH_FUNCTIONS
from polynb.source.tree import Call, walk
from polynb.source.types import INT64

SIZES: Final = {0: (6, 4), 1: (6, 4), 2: (4, 2)}
"""How large a program is made, by the dimensions of what it leaves."""
SOME: Final = 250
"""Of the small sizes of several parameters."""
INSTANCES: Final = 250
TINY: Final = 1e-9
"""What is less is what rounding left of nothing."""
CELLS: Final = 200
HELD: Final = 2000
"""Cells of all arrays: sizes may be numbers in the text."""
ROWS: Final = 4
COLUMNS: Final = 12
"""Of an array in a line of text."""
ALONE: Final = "·"
"""Of a cell that the program leaves alone."""


@dataclass(frozen=True)
class Grid:
    """What is in an array: a row of texts for each line, one of one text for a scalar."""

    name: str
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        rows = [" ".join(_cut(r, COLUMNS)) for r in self.rows]
        return " / ".join(_cut(rows, ROWS))


@dataclass(frozen=True)
class SmallRun:
    """Sizes, what was given, and what the program left, of all arrays that have cells there."""

    sizes: Mapping[str, int]
    given: tuple[Grid, ...]
    left: tuple[Grid, ...]

    def __str__(self) -> str:
        sizes = [f"{name} = {value}" for name, value in self.sizes.items()]
        given = [f"{g.name} = {g}" for g in self.given]
        left = ", ".join(f"{g.name} = {g}" for g in self.left)
        said = ", ".join([*sizes, *given])
        kept = f" ({ALONE} keeps what it had)" * self.leaves_alone
        return f"with {said}: {left}{kept}" if said else left + kept

    @property
    def leaves_alone(self) -> bool:
        """Whether cells of what is left are as they were."""
        return any(c == ALONE for g in self.left for r in g.rows for c in r)

    @property
    def alike(self) -> int:
        """How many arrays are left with one number in all cells, which says little of a program."""
        cells = [[c for r in g.rows for c in r if c != ALONE] for g in self.left]
        return sum(len(x) > 1 and len({*x}) == 1 for x in cells)


def _cut(row: Sequence[str], most: int) -> Sequence[str]:
    return row if len(row) <= most else (*row[: most - 1], "...")


def tried(scop: Scop) -> SmallRun | None:
    """A program tried at small sizes; None where it takes too long, calls what nobody defines, or
    leaves more than a person looks at."""
    known = {*EXTREMA, *MATH_FUNCTIONS, *(f.name for f in scop.functions)}
    expressions = [e for s in scop.statements for e in (s.expression, s.guard) if e is not None]
    if any(isinstance(x, Call) and x.function not in known for e in expressions for x in walk(e)):
        return None
    deep = max((len(a.extents) for a in scop.arrays.values() if a.live_out), default=3)
    for size in SIZES.get(deep, ()):
        with suppress(PolynbError, Mismatch):  # too many instances, at the larger size
            sizes = _sizes(scop, size)
            if sizes or not scop.parameters:
                return _best(scop, sizes)
    return None


def _best(scop: Scop, sizes: Mapping[str, int]) -> SmallRun | None:
    """With inputs of which not all results are alike, if some are known."""
    found: SmallRun | None = None
    for content in contents(scop):
        trial = _run(scop, sizes, content)
        if trial is None or not trial.alike:
            return trial
        if found is None or trial.alike < found.alike:
            found = trial
    return found


def _sizes(scop: Scop, size: int) -> Mapping[str, int]:
    """Each a little larger than the one before, where that may be; of those at which all statements
    run, if there are any."""
    runs = [scop.assumed, *(s.domain for s in scop.statements if not s.domain.is_empty())]
    for asked in (runs, runs[:1]):
        for values in _small(scop.parameters, size):
            if not any(isl.fix_parameters(x, values).is_empty() for x in asked):
                return values
    found = large(scop, size)
    return found if max(found.values(), default=0) <= 3 * size else {}


def _small(parameters: Sequence[str], size: int) -> Iterator[dict[str, int]]:
    """Sizes in the order in which they are tried."""
    for least, step in product(range(size, 1, -1), (1, 0)):
        yield {p: least + step * k for k, p in enumerate(parameters)}
    each = product(range(size, 0, -1), repeat=len(parameters))
    yield from (dict(zip(parameters, values, strict=True)) for values in islice(each, SOME))
    yield from (dict.fromkeys(parameters, more) for more in range(size + 1, 3 * size + 1))


def _run(scop: Scop, sizes: Mapping[str, int], content: Contents) -> SmallRun | None:
    terms = Terms()
    memory = _Memory(scop, terms)
    memory.clear(sizes)
    extents = [memory.extents[a.name] for a in scop.arrays.values()]
    if any(None in e for e in extents) or sum(prod(n or 0 for n in e) for e in extents) > HELD:
        return None
    given = [a for a in scop.arrays.values() if a.live_in or a.role == "input"]
    held = {a.name: [content.at(n, a.name, k, a.type) for k in range(len(_points(memory, a)))]
            for n, a in enumerate(given)}  # fmt: skip
    for a in given:
        for index, value in zip(_points(memory, a), held[a.name], strict=True):
            memory.fill(a.name, index, terms.number(value, a.type))
    Execution(scop, terms, memory, limit=INSTANCES).run(sizes)
    left = [a for a in scop.arrays.values() if a.live_out]
    if not all(memory.is_known(a.name) for a in left):
        return None
    stored = {(a.name, p): memory.stored[a.name, p] for a in left for p in _points(memory, a)
              if (a.name, p) in memory.stored}  # fmt: skip
    if len(stored) > CELLS:
        return None
    found = _values(stored, memory)
    inputs = (_grid(a, memory, [f"{x:.12g}" for x in held[a.name]]) for a in given)
    outputs = [
        _grid(a, memory, [found.get((a.name, p), ALONE) for p in _points(memory, a)]) for a in left
    ]
    if not any(g.rows for g in outputs):
        return None
    shown = (tuple(g for g in grids if g.rows) for grids in (inputs, outputs))
    return SmallRun(sizes, *shown)


class _Memory(SymbolicMemory):
    """It remembers which cells were stored to, and on which conditions (none: in any case)."""

    def __init__(self, scop: Scop, terms: Terms) -> None:
        super().__init__(scop, terms)
        self.stored: dict[tuple[str, Point], tuple[Term, ...] | None] = {}

    def fill(self, array: str, index: Point, value: Term) -> None:
        super().store(array, tuple(map(self._whole, index)), value, None)

    def store(self, array: str, index: tuple[Term, ...], value: Term, guard: Term | None) -> None:
        super().store(array, index, value, guard)
        place = array, tuple(self.terms.integer(t) or 0 for t in index)
        before = self.stored.get(place, ())
        self.stored[place] = None if guard is None or before is None else (*before, guard)

    def _whole(self, k: int) -> Term:
        return self.terms.number(k, INT64)


def _values(
    stored: Mapping[tuple[str, Point], Sequence[Term] | None], memory: SymbolicMemory
) -> dict[tuple[str, Point], str]:
    """The texts of cells; none of those to which nothing was stored, as no condition was true."""
    cells = {place: memory.cell(*place) for place in stored}
    conditions = [g for each in stored.values() for g in each or ()]
    evaluation = Evaluation([*cells.values(), *conditions], memory.extents)

    def value(t: Term) -> Vector:
        return next(iter(evaluation.compared(t, t)))[0]

    return {
        place: _text(value(t))
        for place, t in cells.items()
        if (guards := stored[place]) is None or any(value(g).data[0] for g in guards)
    }


def _text(v: Vector) -> str:
    if v.undefined[0]:
        return "?"
    value = v.data[0]
    return f"{0 if abs(value) < TINY else value:.4g}" if v.type.is_float else str(value)


def _points(memory: SymbolicMemory, a: Array) -> list[Point]:
    return list(product(*(range(n or 0) for n in memory.extents[a.name])))


def _grid(a: Array, memory: SymbolicMemory, cells: Sequence[str]) -> Grid:
    columns = (memory.extents[a.name][-1] or 1) if a.extents else 1
    return Grid(a.name, tuple(tuple(cells[k : k + columns]) for k in range(0, len(cells), columns)))
