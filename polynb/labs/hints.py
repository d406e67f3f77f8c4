"""Hints, one after the other: a nudge, then more, then where to read; and for a teacher what many
believe, and what to ask then."""

from __future__ import annotations

from polynb.arguments import count, optional
from polynb.labs.catalogue import exercise, exercises, found
from polynb.labs.exercise import Exercise
from polynb.tuning.tables import Table

_given: dict[str, int] = {}
"""How many hints of each exercise were asked for, in this process."""


class Hint(str):
    """A hint, which a notebook shows as its text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def hint(
    exercise: Exercise | str, number: int | None = None, *, student: str | None = None
) -> Hint:
    """The next hint to an exercise (or the hint of that number, from 1): each says more than the
    one before, and the last one where to read. Raises PolynbError for an unknown exercise."""
    of = found(exercise, student)
    optional(count, "number", number, most=len(of.hints))
    k = number or min(_given.get(of.called, 0) + 1, len(of.hints))
    if number is None:
        _given[of.called] = k
    return Hint(f"hint {k} of {len(of.hints)}: {of.hints[k - 1]}")


def misconceptions(lab: int | str | None = None) -> Table:
    """Of the exercises of one lab, or of all: what many believe, and a question that helps. The
    wrong answer that comes of it, with the numbers of the notebooks' solutions, is
    `labs.exercise(name).misconceptions[k].answer`. Raises PolynbError for a lab that there is not.
    """
    rows = [
        (name, m.name, m.ask)
        for name in exercises(lab)
        for m in exercise(name, student="").misconceptions
    ]
    heads = ("exercise", "what many believe", "what to ask then")
    return Table(heads, rows, left=heads)
