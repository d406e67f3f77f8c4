"""`labs.check`: an answer is judged, within limits; without evidence there are no points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from polynb import isl
from polynb.conveniences import Conveniences
from polynb.errors import PolynbError
from polynb.labs.answers import plain
from polynb.labs.catalogue import found
from polynb.labs.exercise import Exercise
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.labs.parts_of_points import counted_of
from polynb.scop.witness import Witness
from polynb.words import counted

OPERATIONS: Final = 200_000_000
"""isl's, for one answer: about what the seconds of an exercise allow."""


def check(exercise: Exercise | str, answer: object, *, student: str | None = None) -> Assessment:
    """What an answer to an exercise is worth, and what shows that something is wrong with it.

    `answer` is what the exercise asks for (isl text, an object of islpy, a program, a number); None
    or `...` is an answer that is still missing. What cannot be judged, fails, or takes longer than
    the exercise allows is worth nothing, and the reason is said. Raises PolynbError for an unknown
    exercise only.
    """
    of = found(exercise, student)
    return _assessed(of, _judged(of, answer), answer)


def _judged(of: Exercise, answer: object) -> Outcome:
    try:
        given = plain(answer)
        if is_missing(given):
            return nothing(f"no answer yet. It is to be {of.form}")
        with isl.budget(OPERATIONS, of.seconds, doing="the check of the answer"):
            outcome = of._task.judge(given)
            isl.check_time()
            return outcome
    except isl.BudgetExhausted as error:
        return nothing(f"judging the answer took more than {error.limit}: look for a simpler one")
    except PolynbError as error:
        return nothing(str(error))
    except RecursionError:
        return nothing("the answer is nested too deeply: look for a simpler one")
    except Exception as error:  # an answer may be any object, and fail in any way
        return nothing(f"the answer cannot be judged: {type(error).__name__}: {error}"[:500])


def is_missing(answer: object) -> bool:
    """No answer yet: a hole of a student's copy, or nothing in its place."""
    return answer is None or answer is ... or (type(answer) is str and not answer.strip(". \n"))


# What is said of an answer: points, the instances that show what is wrong, what to do next.


@dataclass(frozen=True, eq=False)
class Assessment(Conveniences):
    """What an answer is worth (`points` of `of`); true as a condition if it is worth all.

    `findings` say what is wrong, each with one instance at the smallest parameters where it is
    about instances; `shown` is what was established of the answer. `hint` is what to do next.
    `_answer` is what was judged.
    """

    exercise: Exercise
    points: float
    of: int
    findings: tuple[Finding, ...] = field(repr=False)
    shown: str = field(default="", repr=False)
    _answer: object = field(default=None, repr=False)

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
    def counted(self) -> str:
        """What the points are for, if they are some and not all."""
        return counted_of(self.exercise._task) if 0 < self.points < self.of else ""

    @property
    def headline(self) -> str:
        """`lab1.triangle: 0.5 of 2 points`"""
        return f"{self.exercise.name}: {self.points:g} of {counted(self.of, 'point')}"

    def __str__(self) -> str:
        shown = [f"  {self.shown}"] if self.shown else []
        shown += [f"  counted: {self.counted}"] if self.counted else []
        wrong = [f"  {line}" for f in self.findings for line in str(f).splitlines()]
        return "\n".join([self.headline, *shown, *wrong])

    def __repr__(self) -> str:
        return f"<Assessment {self.headline}>"


def _assessed(exercise: Exercise, outcome: Outcome, answer: object) -> Assessment:
    """The points for a share: to a tenth, and all of them only for all of it."""
    tenths = math.floor(outcome.share * exercise.points * 10)
    whole = outcome.share == 1 and not outcome.findings
    points = exercise.points if whole else min(tenths, exercise.points * 10 - 1) / 10
    found = outcome.findings, outcome.shown, answer
    return Assessment(exercise, points, exercise.points, *found)
