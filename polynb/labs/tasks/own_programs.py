"""Small programs of one's own, which show something: a band that Algorithm 1 begins again, or that
a printed formula cannot be meant as it stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from polynb.evaluation import readings
from polynb.labs.findings import Finding, Outcome
from polynb.labs.tasks.asking import AtMost
from polynb.labs.tasks.programs import LIMIT, as_program
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.reordering.steps import BandReset, Violated
from polynb.run.oracle import equivalent
from polynb.scop.model import Scop
from polynb.words import counted

OVERWRITTEN: Final = {"all": readings.or_for_all, "all in PIW": readings.or_for_all_in_piw}
"""Readings of OR (CC'18, section 3.2; entry 2 of the errata)."""


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
    """One on which Algorithm 1 begins a band again (lines 15 to 17)."""

    def _judged(self, program: Scop, large: Finding | None) -> Outcome:
        steps = reorder(program).steps
        resets = [s for s in steps if isinstance(s, BandReset)]
        if resets:
            share = Fraction(1, 2) if large else Fraction(1)
            thrown = counted(resets[0].thrown_away, "member", "no")
            shown = f"a band is begun again, and {thrown} thrown away"
            return Outcome(share, (large,) if large else (), shown)
        met = any(isinstance(s, Violated) for s in steps)
        why = "those live ranges were local" if met else "no member turns a false dependence around"
        return Outcome(Fraction(0), (Finding(f"no band is begun again: {why}"),))


@dataclass(frozen=True)
class ReadingTask(OwnProgram):
    """One of which propagation makes another one if its overwritten reloads are read in one way,
    and the same one as they are meant."""

    reading: str

    def _judged(self, program: Scop, large: Finding | None) -> Outcome:
        if large is not None:
            return Outcome(Fraction(0), (large,))
        wrong = readings.propagate_with(program, overwritten=OVERWRITTEN[self.reading])
        run = equivalent(program, wrong.result, limit=LIMIT)
        if run.difference is None:
            said = f"read so, propagation does no harm here: {run}"
            return Outcome(Fraction(0), (Finding(said),))
        if not equivalent(program, propagate(program).result, limit=LIMIT):
            return Outcome(Fraction(0), (Finding("as it is meant, propagation is wrong, too"),))
        first = str(run.difference).splitlines()[0]
        return Outcome(Fraction(1), (), f"read so, the result is another one: {first}")
