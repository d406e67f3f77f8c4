"""The small parameter values at which instances are counted."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from polynb import isl

LARGEST: Final = 15
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


def smallest(parts: Iterable[isl.Set | isl.Map]) -> dict[str, int] | None:
    """The parameter values of the smallest sum at which one of some sets or maps is not empty, of
    those that are not negative if there are any; None if all are empty."""
    found = [values for part in parts if (values := _least(part.params())) is not None]
    return min(found, key=lambda v: (min(v.values(), default=0) < 0, sum(v.values())), default=None)


def _least(values: isl.Set) -> dict[str, int] | None:
    if values.is_empty():
        return None
    names = isl.dim_names(values, isl.PARAM)
    if not names:
        return {}
    every = ", ".join(names)
    natural = isl.read_set(f"[{every}] -> {{ : {' and '.join(f'{n} >= 0' for n in names)} }}")
    near = values.intersect(natural)
    total = isl.read_set(f"[{every}] -> {{ [{' + '.join(names)}, {every}] }}")
    by_sum = total.intersect_params(near).project_out(isl.PARAM, 0, len(names))
    first = isl.first_point(by_sum, {})
    if first is not None:
        return dict(zip(names, first[1:], strict=True))
    sample = isl.witness((values if near.is_empty() else near).from_params())
    assert sample is not None  # there is one
    return sample[0]
