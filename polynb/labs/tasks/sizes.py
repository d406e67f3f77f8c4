"""The small parameter values at which instances are counted."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from polynb import isl

LARGEST: Final = 9
MOST: Final = 4
"""Combinations that are counted."""


def small(
    parameters: Sequence[str],
    context: isl.Set,
    interesting: Callable[[Mapping[str, int]], bool] = lambda values: True,
) -> list[dict[str, int]]:
    """The smallest combinations of values that a context allows and that are interesting."""
    chosen: list[dict[str, int]] = []
    every = itertools.product(range(LARGEST + 1), repeat=len(parameters))
    for values in sorted(every, key=lambda v: (sum(v), v)):
        at = dict(zip(parameters, values, strict=True))
        if not isl.fix_parameters(context, at).is_empty() and interesting(at):
            chosen.append(at)
        if len(chosen) == MOST:
            break
    return chosen
