"""Which of two statements runs first, where that can be told at a glance."""

from __future__ import annotations

from polynb.scop.model import Statement


def constant_order(first: Statement, then: Statement) -> int | None:
    """-1 if all instances of one statement run before all of another, 1 if after; None if that
    depends on the instances (or is not found at a glance).

    The times of two loop nests differ in a constant before any loop variable. So do those of
    most pairs of statements of a large program, and comparing them in general would be the most
    expensive part of asking what depends on what.
    """
    for a, b in zip(first.start, then.start, strict=False):
        if a != b:
            return -1 if a < b else 1
    return None
