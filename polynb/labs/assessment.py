"""What is said of an answer: points, the instances that show what is wrong, what to do next."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from polynb.conveniences import Conveniences
from polynb.labs.exercise import Exercise
from polynb.labs.findings import Finding, Outcome
from polynb.scop.witness import Witness
from polynb.words import counted


@dataclass(frozen=True, eq=False)
class Assessment(Conveniences):
    """What an answer is worth (`points` of `of`); true as a condition if it is worth all.

    `findings` say what is wrong, each with one instance at the smallest parameters where it is
    about instances; `shown` is what was established of the answer. `hint` is what to do next.
    """

    exercise: Exercise
    points: float
    of: int
    findings: tuple[Finding, ...] = field(repr=False)
    shown: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return self.points == self.of

    @property
    def witness(self) -> Witness | None:
        """The first instances that show what is wrong; None if there are none."""
        return next((f.witness for f in self.findings if f.witness is not None), None)

    @property
    def hint(self) -> str:
        """The next line to type: a hint, or the next exercise."""
        return self.exercise.then if self else self.exercise.asks_for_a_hint

    @property
    def headline(self) -> str:
        """`lab1.triangle: 0.5 of 2 points`"""
        return f"{self.exercise.name}: {self.points:g} of {counted(self.of, 'point')}"

    def __str__(self) -> str:
        shown = [f"  {self.shown}"] if self.shown else []
        wrong = [f"  {line}" for f in self.findings for line in str(f).splitlines()]
        return "\n".join([self.headline, *shown, *wrong])

    def __repr__(self) -> str:
        return f"<Assessment {self.headline}>"


def assessed(exercise: Exercise, outcome: Outcome) -> Assessment:
    """The points for a share: to a tenth, and all of them only for all of it."""
    tenths = math.floor(outcome.share * exercise.points * 10)
    whole = outcome.share == 1 and not outcome.findings
    points = exercise.points if whole else min(tenths, exercise.points * 10 - 1) / 10
    return Assessment(exercise, points, exercise.points, outcome.findings, outcome.shown)
