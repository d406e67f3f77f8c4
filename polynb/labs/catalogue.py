"""All exercises of the labs, by name."""

from __future__ import annotations

import os
from functools import cache
from typing import Final

from polynb.arguments import optional, text, unknown, wrong
from polynb.labs.exercise import Exercise
from polynb.labs.files import built, sheet, template

LABS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)


@cache
def _names() -> tuple[str, ...]:
    """In the order of the labs."""
    return tuple(f"lab{n}.{own}" for n in LABS for own in sheet(n)["exercises"])


def exercise(name: str, *, student: str | None = None) -> Exercise:
    """An exercise, `labs.exercise("lab1.triangle")`, with numbers for this student: the same ones
    each time and everywhere.

    Without a name, the one in the environment variable POLYNB_STUDENT; without that, the numbers of
    the notebooks' solutions. Raises PolynbError for an unknown exercise.
    """
    names = _names()
    if not isinstance(name, str) or name not in names:
        raise unknown("exercise", name, names)
    optional(text, "student", student)
    who = os.environ.get("POLYNB_STUDENT", "") if student is None else student
    following = (*names, "")[names.index(name) + 1]
    shared = sheet(int(name.partition(".")[0].removeprefix("lab"))).get("let", {})
    return built(name, template(name), shared, who.strip(), following)


def exercises(lab: int | None = None) -> tuple[str, ...]:
    """The names of all exercises, or of those of one lab."""
    if lab is not None and (isinstance(lab, bool) or lab not in LABS):
        raise wrong("lab", lab, f"one of {', '.join(map(str, LABS))}")
    return tuple(n for n in _names() if lab is None or n.startswith(f"lab{lab}."))


def found(given: Exercise | str, student: str | None = None) -> Exercise:
    """An exercise that was given as such, or by its name."""
    if isinstance(given, Exercise):
        return given
    return exercise(given, student=student)
