"""What the labels do along ⊤ coordinates, as one number: so that claims hold at every point.

The paper compares polyhedra at their anchors alone, so rows that agree in their first point and
nowhere else would yield `1cj + ⊤ck`. Here every polyhedron with ⊤ coefficients carries a hash of
its residuals: what its labels are beyond its anchor's and the known terms, a function of the ⊤
coordinates. A coefficient is claimed where two slices have the same residuals; otherwise it
becomes ⊤ as well. The memory is some numbers for each output of a live polyhedron, however many
residuals there are.

The hash is the sum of residual times weight over the projection onto the ⊤ coordinates; a point's
weight is the product of one pseudo-random weight for each coordinate. It is linear, so that
residuals can be moved when polyhedra are joined. `weight` is the sum of the weights: it says over
which points. The sums are taken modulo a prime times 2**64, which the engine does as two sums: the
prime alone would not tell residuals apart whose difference is a multiple of it, and modulo 2**64
alone, two that are 2**63 off may cancel out. Weights are odd, so they divide neither. For two
different functions of 64-bit integers the hash is the same with probability of about 2**-60,
whoever made them: each process draws weights of its own (and the engine others again), as for
weights that are known a short vector of a lattice says which functions meet.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import Final, NamedTuple

import numpy as np

MODULUS: Final = (2**61 - 1) << 64
WORD: Final = 2**64 - 1
STEP: Final = 0x9E3779B97F4A7C15
SEED: Final = secrets.randbits(64)
PAGE: Final = 256  # weights that are kept together


def weights(axis: int, low: int, high: int) -> Sequence[int]:
    """Those of the coordinates from `low` to `high`."""
    if high - low > PAGE:
        return _mixed(axis, low, high)
    page, at = divmod(low, PAGE)
    found = _page(axis, page)[at : at + high - low + 1]
    return found if len(found) > high - low else [*found, *weights(axis, low + len(found), high)]


@lru_cache(maxsize=1 << 10)
def _page(axis: int, page: int) -> Sequence[int]:
    """The weights of some coordinates, kept together."""
    return _mixed(axis, page * PAGE, (page + 1) * PAGE - 1)


def _mixed(axis: int, low: int, high: int) -> list[int]:
    """The mixing function of splitmix64."""
    z = np.arange(low, high + 1).astype(np.uint64) + np.uint64((SEED + (axis + 1) * STEP) & WORD)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    found: list[int] = (z ^ z >> np.uint64(31) | np.uint64(1)).tolist()
    return found


@lru_cache(maxsize=1 << 10)
def moments(axis: int, low: int, high: int) -> tuple[int, int]:
    """The sum of the weights, and that of weight times distance from `low`."""
    found = weights(axis, low, high)
    return sum(found), sum(map(mul, found, range(high - low + 1)))


class Ends(NamedTuple):
    """Residuals along a single ⊤ axis, which lie over [low, high], at its ends: `first` and
    `second` from below, `last` from above."""

    low: int
    high: int
    first: int
    second: int
    last: int

    def moved(self, shift: int) -> Ends:
        first, second, last = self.first + shift, self.second + shift, self.last + shift
        return Ends(self.low, self.high, first, second, last)


class Residuals(NamedTuple):
    """`total`: the sum of residual times weight; `weight`: that of the weights. `ends` are known
    along one axis. With `partial`, they are those of the last slice along that axis only, as
    slices before it reached further."""

    total: int = 0
    weight: int = 1
    axes: tuple[int, ...] = ()
    ends: Ends | None = None
    partial: int | None = None

    def along(self, axis: int, low: int, high: int, slope: int, origin: int) -> Residuals:
        """One coordinate more, over [low, high], along which the label moves by `slope` from its
        value at `origin` on. The projection must be the product of what it was and this range."""
        over, moment = moments(axis, low, high) if low < high else (*weights(axis, low, low), 0)
        moment += over * (low - origin)
        first, last = slope * (low - origin), slope * (high - origin)
        return Residuals(
            (self.total * over + self.weight * slope * moment) % MODULUS,
            self.weight * over % MODULUS,
            (*self.axes, axis),
            None if self.axes else Ends(low, high, first, first + slope, last),
        )

    def joined(self, other: Residuals, shift: int) -> Residuals:
        """Over both projections, which have no point in common; the other's residuals are
        `shift` larger as seen from this anchor, and one step further along an axis."""
        ends = None
        if self.ends is not None and other.ends is not None:
            one, moved = self.ends, other.ends.moved(shift)
            second = one.second if one.low < one.high else moved.first
            ends = Ends(one.low, moved.high, one.first, second, moved.last)
        return Residuals(
            (self.total + other.total + shift * other.weight) % MODULUS,
            (self.weight + other.weight) % MODULUS,
            self.axes,
            ends,
        )


POINT: Final = Residuals()
"""Those of a function without ⊤: one residual, 0, at the only point there is without axes."""


def agreement(one: Residuals, other: Residuals, axis: int) -> tuple[int, Residuals] | None:
    """Whether two slices, next to each other along an axis, have the same residuals but for a
    constant, which the other's are smaller by: the constant, and the residuals of both together.

    Along a single axis, one slice may reach one step further than the other at either end, as in a
    triangle. Only what they have in common is compared; by convexity, slices that have a coordinate
    in common have all those between them, too, so it is enough to compare neighbours.
    """
    if (one.total, one.weight) == (other.total, other.weight) and one.ends == other.ends:
        return 0, one
    if one.ends is None or other.ends is None:
        return None
    low, high = max(one.ends.low, other.ends.low), min(one.ends.high, other.ends.high)
    if low > high or not (_is_near(one.ends, low, high) and _is_near(other.ends, low, high)):
        return None
    shift = _at(one.ends, low) - _at(other.ends, low)
    ours, theirs = (_trimmed(r, low, high) for r in (one, other))
    if ours != ((theirs[0] + shift * theirs[1]) % MODULUS, theirs[1]):
        return None
    shorter = (low, high) != (one.ends.low, one.ends.high)
    together = Residuals(
        (other.total + shift * other.weight) % MODULUS,
        other.weight,
        other.axes,
        other.ends.moved(shift),
        axis if shorter else one.partial,
    )
    return shift, together


def _is_near(ends: Ends, low: int, high: int) -> bool:
    return low - ends.low <= 1 and ends.high - high <= 1


def _at(ends: Ends, low: int) -> int:
    return ends.first if ends.low == low else ends.second


def _trimmed(r: Residuals, low: int, high: int) -> tuple[int, int]:
    """Total and weight without what lies beyond [low, high], of which only the ends can."""
    assert r.ends is not None
    total, over, axis = r.total, r.weight, r.axes[0]
    for coordinate, residual, beyond in (
        (r.ends.low, r.ends.first, r.ends.low < low),
        (r.ends.high, r.ends.last, r.ends.high > high),
    ):
        if beyond:
            (lost,) = weights(axis, coordinate, coordinate)
            total -= residual * lost
            over -= lost
    return total % MODULUS, over % MODULUS
