"""Where a polyhedron looks for what it could absorb, in a fixed order (Algorithm 1, line 22).

The paper leaves the order of the search vectors open, and stops at the first candidate, whether
it fits or not. Here all are tried, that without a shift first (7 % fewer pieces), then by the
number of unit shifts, then lexicographically, outermost coordinate first. The engine does the
same, so that both give the same pieces.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeVar

T = TypeVar("T")
SLOPE: Final = 4
"""Of edges, where nothing else is said; the vectors that are tried grow with its powers."""
Vector = tuple[int, ...]


def shift_order(shift: Sequence[int]) -> tuple[int, Vector]:
    """What search vectors are sorted by."""
    return sum(map(abs, shift)), tuple(shift)


@functools.cache
def shifts(inner: int, slope: int) -> tuple[Vector, ...]:
    """All shifts of `inner` coordinates by up to `slope`, in the order they are tried."""
    return tuple(sorted(product(range(-slope, slope + 1), repeat=inner), key=shift_order))


def is_search_vector(difference: Sequence[int], axis: int, slope: int) -> bool:
    """Whether it is (0, ..., 0, 1, δ, ..., δ) with the 1 at `axis`, no δ beyond `slope`."""
    return (
        difference[axis] == 1
        and not any(difference[:axis])
        and all(-slope <= x <= slope for x in difference[axis + 1 :])
    )


def candidates(corner: Vector, waiting: Mapping[Vector, T], axis: int, slope: int) -> Iterator[T]:
    """What waits at a search vector from a corner, in the order of the vectors."""
    inner = len(corner) - axis - 1
    if (2 * slope + 1) ** inner <= len(waiting):
        before, at = corner[:axis], corner[axis] + 1
        for shift in shifts(inner, slope):
            place = (*before, at, *(c + x for c, x in zip(corner[axis + 1 :], shift, strict=True)))
            if place in waiting:
                yield waiting[place]
        return
    found = []  # fewer polyhedra than vectors: the vectors of those that wait
    for anchor in waiting:
        difference = [b - a for a, b in zip(corner, anchor, strict=True)]
        if is_search_vector(difference, axis, slope):
            found.append((shift_order(difference[axis + 1 :]), anchor))
    for _, anchor in sorted(found):
        yield waiting[anchor]
