"""Which of two statements runs first, where that can be told at a glance."""

from __future__ import annotations

from polynb import isl


def constant_order(first: isl.Map, then: isl.Map) -> int | None:
    """-1 if all instances of one statement run before all of another, 1 if after; None if that
    depends on the instances (or is not found at a glance). Both are `{ S[i] -> [t] }`.

    The times of two loop nests differ in a constant before any loop variable. So do those of
    most pairs of statements of a large program, and comparing them in general would be the most
    expensive part of asking what depends on what.
    """
    for k in range(min(first.dim(isl.OUT), then.dim(isl.OUT))):
        a, b = first.plain_get_val_if_fixed(isl.OUT, k), then.plain_get_val_if_fixed(isl.OUT, k)
        if not (a.is_int() and b.is_int()):
            return None
        if not a.eq(b):
            return -1 if a.lt(b) else 1
    return None
