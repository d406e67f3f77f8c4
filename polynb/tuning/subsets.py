"""Random subsets of a program's temporaries (CC'18, section 6.1, Figure 12)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from math import comb

from polynb.arguments import count, integer, several_names

LARGEST = 31
"""The paper's largest combination, and how many of each size it drew."""


def subsets(
    names: Sequence[str], *, each: int = LARGEST, largest: int = LARGEST, seed: int = 0
) -> tuple[tuple[str, ...], ...]:
    """Up to `each` different subsets of every size from 1 to `largest`, in the names' order.

    Where there are not more than that of one size, all of them. The same names and numbers give
    the same subsets, whichever machine draws them.
    """
    names = several_names("names", names, once=True)
    each, largest = count("each", each), count("largest", largest)
    draw = random.Random(integer("seed", seed))
    found: list[tuple[str, ...]] = []
    for size in range(1, min(len(names), largest) + 1):
        if comb(len(names), size) <= each:
            found += combinations(names, size)
            continue
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < each:
            drawn[tuple(sorted(draw.sample(range(len(names)), size)))] = None
        found += (tuple(names[k] for k in chosen) for chosen in drawn)
    return tuple(found)
