"""Small programs of one's own, which show something: a band that Algorithm 1 begins again, or that
a printed formula cannot be meant as it stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from polynb import isl
from polynb.evaluation import readings
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.labs.tasks.asking import AtMost
from polynb.labs.tasks.programs import LIMIT, as_program
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.reordering.steps import BandReset, Violated
from polynb.run.oracle import different_cells, equivalent
from polynb.scop.model import Scop
from polynb.scop.witness import cell_text
from polynb.words import counted

OVERWRITTEN: Final = {"all": readings.or_for_all, "all in PIW": readings.or_for_all_in_piw}
"""Readings of OR (CC'18, section 3.2; entry 2 of the errata)."""
SIZES: Final = (9, 5, 13)
"""At which the cells are looked at that come out wrong."""


@dataclass(frozen=True)
class OwnProgram(ABC):
    """A program of no more statements than this."""

    statements: int

    @property
    def form(self) -> str:
        return "a program: its text, or what %%scop made"

    def judge(self, answer: object) -> Outcome:
        program = as_program(answer)
        return self._judged(program, AtMost(self.statements).failed(program, program))

    @abstractmethod
    def _judged(self, program: Scop, large: Finding | None) -> Outcome:
        """The same, of a program that may be too large."""


@dataclass(frozen=True)
class ResetTask(OwnProgram):
    """One on which Algorithm 1 begins a band again (lines 15 to 17): of just as many statements,
    each in `depth` loops, with a temporary t of so many `dimensions`. One of another shape is worth
    a twentieth."""

    depth: int
    dimensions: int

    def _judged(self, program: Scop, large: Finding | None) -> Outcome:
        steps = reorder(program).steps
        resets = [s for s in steps if isinstance(s, BandReset)]
        if resets:
            shape = list(self._shape(program))
            thrown = counted(resets[0].thrown_away, "member", "no")
            shown = f"a band is begun again, and {thrown} thrown away"
            return Outcome(Fraction(1, 20) if shape else Fraction(1), tuple(shape), shown)
        met = any(isinstance(s, Violated) for s in steps)
        why = "those live ranges were local" if met else "no member turns a false dependence around"
        return nothing(f"no band is begun again: {why}")

    def _shape(self, program: Scop) -> Iterator[Finding]:
        """What is not as it was asked for."""
        has = len(program.statements)
        if has != self.statements:
            yield Finding(f"it has {counted(has, 'statement')}, and is to have {self.statements}")
        for s in program.statements:
            if len(s.iterators) != self.depth:
                loops = counted(len(s.iterators), "loop", "no")
                yield Finding(f"{s.name} is in {loops}, and is to be in {self.depth}")
        if "t" not in program.temporaries:
            yield Finding("it has no temporary t")
        elif program.arrays["t"].dimensions != self.dimensions:
            has = program.arrays["t"].dimensions
            yield Finding(
                f"t has {counted(has, 'dimension', 'no')}, and is to have {self.dimensions}"
            )


@dataclass(frozen=True)
class ReadingTask(OwnProgram):
    """One of which propagation makes another one if its overwritten reloads are read in one way,
    and the same one as they are meant. What comes out wrong are the cells in `wrong`, `[N] -> {
    B[j] : ... }`, and no others: one that shows it in other cells is worth a twentieth."""

    reading: str
    wrong: str

    def _judged(self, program: Scop, large: Finding | None) -> Outcome:
        if large is not None:
            return nothing(large)
        wrong = readings.propagate_with(program, overwritten=OVERWRITTEN[self.reading])
        run = equivalent(program, wrong.result, limit=LIMIT)
        if run.difference is None:
            said = f"read so, propagation does no harm here: {run}"
            return nothing(said)
        if not equivalent(program, propagate(program).result, limit=LIMIT):
            return nothing("as it is meant, propagation is wrong, too")
        others = self._other_cells(program, wrong.result)
        if others is not None:
            return Outcome(Fraction(1, 20), (others,))
        first = str(run.difference).splitlines()[0]
        return Outcome(Fraction(1), (), f"read so, the result is another one: {first}")

    def _other_cells(self, program: Scop, read_so: Scop) -> Finding | None:
        """A cell that comes out wrong and is not to, or the other way round."""
        wanted = isl.read_set(self.wrong)
        name = isl.tuple_name(wanted, isl.SET)
        for size in SIZES:
            at = dict.fromkeys(program.parameters, size)
            found = different_cells(program, read_so, at, LIMIT)
            meant = {cell_text(name, p) for p in isl.points(wanted, {"N": size})}
            for cell in sorted(found - meant):
                return Finding(f"for N = {size}, {cell} comes out wrong, and is not to")
            for cell in sorted(meant - found):
                return Finding(f"for N = {size}, {cell} comes out right, and is to be wrong")
        return None
