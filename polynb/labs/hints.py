"""Hints, one after the other: a nudge, then more, then where to read."""

from __future__ import annotations

from polynb.arguments import count, optional
from polynb.labs.catalogue import found
from polynb.labs.exercise import Exercise

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
