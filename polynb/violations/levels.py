"""Times compared level by level: two of them differ first at one dimension."""

from __future__ import annotations

from functools import lru_cache

from polynb import isl


@lru_cache(maxsize=256)
def before_at(length: int, level: int) -> isl.Map:
    """`{ [t] -> [u] : t and u are equal before `level`, and there t is less }` (the paper's
    "precedes at level", its levels counted from 1)."""
    space = isl.Space.alloc(isl.CONTEXT, 0, length, length)
    pairs = isl.Map.universe(space)
    for k in range(level):
        pairs = pairs.equate(isl.IN, k, isl.OUT, k)
    return pairs.order_lt(isl.IN, level, isl.OUT, level)


def can_precede(first: isl.Map, then: isl.Map, level: int) -> bool:
    """Whether times `{ S[i] -> [t] }` and `{ T[j] -> [u] }` can differ first at a level, the first
    one being less: told at a glance from what is constant, so that it may say so in vain."""
    for k in range(level + 1):
        a, b = (m.plain_get_val_if_fixed(isl.OUT, k) for m in (first, then))
        if a.is_int() and b.is_int():
            if k < level and not a.eq(b):
                return False
            if k == level and not a.lt(b):
                return False
    return True
