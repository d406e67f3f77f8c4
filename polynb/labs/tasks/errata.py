"""A claim that a printed formula cannot be meant as it stands, proved by a program."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from polynb.evaluation import readings
from polynb.labs.findings import Finding, Outcome
from polynb.labs.tasks.asking import AtMost
from polynb.labs.tasks.programs import LIMIT, as_program
from polynb.propagation import propagate
from polynb.run.oracle import equivalent

OVERWRITTEN: Final = {"all": readings.or_for_all, "all in PIW": readings.or_for_all_in_piw}
"""Readings of OR (CC'18, section 3.2; entry 2 of the errata)."""


@dataclass(frozen=True)
class ReadingTask:
    """A program of which propagation makes another one if its overwritten reloads are read in one
    way, and the same one as they are meant. No more statements than this."""

    reading: str
    statements: int

    @property
    def form(self) -> str:
        return "a program: its text, or what %%scop made"

    def judge(self, answer: Any) -> Outcome:
        program = as_program(answer)
        large = AtMost(self.statements).failed(program, program)
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
