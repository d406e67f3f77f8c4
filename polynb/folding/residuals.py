"""What the labels do along ⊤ coordinates, as one number: so that claims hold at every point.

The paper compares polyhedra at their anchors alone, so rows that agree in their first point and
nowhere else would yield `1cj + ⊤ck`. Here every polyhedron with ⊤ coefficients carries a hash of
its residuals: what its labels are beyond its anchor's and the known terms, a function of the ⊤
coordinates. A coefficient is claimed where two slices have the same residuals; otherwise it
becomes ⊤ as well. The memory is two numbers for each output of a live polyhedron, however many
residuals there are.

The hash is the sum of residual times weight, modulo a prime, over the projection onto the ⊤
coordinates; a point's weight is the product of one pseudo-random weight for each coordinate. It is
linear, so that residuals can be moved when polyhedra are joined, and for two different functions
it is the same with probability of about 2**-60. `weight` is the sum of the weights: it says over
which points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

PRIME: Final = 2**61 - 1
WORD: Final = 2**64 - 1


@lru_cache(maxsize=1 << 16)
def weight(axis: int, coordinate: int) -> int:
    """The weight of a coordinate (the mixing function of splitmix64)."""
    z = (coordinate + (axis + 1) * 0x9E3779B97F4A7C15) & WORD
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
    return (z ^ z >> 31) % PRIME


@dataclass(frozen=True)
class Residuals:
    """`total`: the sum of residual times weight; `weight`: that of the weights."""

    total: int = 0
    weight: int = 1

    def along(self, axis: int, low: int, high: int, slope: int, origin: int) -> Residuals:
        """One coordinate more, over [low, high], along which the label moves by `slope` from its
        value at `origin` on. The projection must be the product of what it was and this range."""
        weights = moments = 0
        for c in range(low, high + 1):
            w = weight(axis, c)
            weights += w
            moments += w * (c - origin)
        return Residuals(
            (self.total * weights + self.weight * slope * moments) % PRIME,
            self.weight * weights % PRIME,
        )

    def joined(self, other: Residuals, shift: int) -> Residuals:
        """Over both projections, which have no point in common; the other's residuals are
        `shift` larger as seen from this anchor."""
        return Residuals(
            (self.total + other.total + shift * other.weight) % PRIME,
            (self.weight + other.weight) % PRIME,
        )


POINT: Final = Residuals()
"""Those of a function without ⊤: one residual, 0, at the only point there is without axes."""
