"""Where the values of one dimension go: stretches without points, too long to be drawn, are cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

FAR: Final = 200
"""A distance, in units, that is cut where nothing else is said."""
GAP: Final = 3.0
"""Units that are left of it."""


@dataclass(frozen=True)
class Axis:
    """Stretches `(low, high, place of low)` of values, in units from the first."""

    stretches: tuple[tuple[int, int, float], ...] = ((0, 0, 0.0),)

    @property
    def length(self) -> float:
        low, high, place = self.stretches[-1]
        return place + (high - low)

    def at(self, value: int) -> float:
        """The place of a value that has a point."""
        low, _, place = next(s for s in reversed(self.stretches) if s[0] <= value)
        return place + (value - low)

    def lines(self) -> list[tuple[float, float]]:
        """The line of the axis, broken at what was cut."""
        return [(place, place + (high - low)) for low, high, place in self.stretches]

    def ticks(self, every: int) -> list[int]:
        """The multiples of a number; of a stretch that has none its first value."""
        return [c for low, high, _ in self.stretches for c in _multiples(low, high, every)]


def axis(values: Iterable[int], far: int = FAR) -> Axis:
    """The axis of some values; of none that of 0."""
    known = sorted(set(values)) or [0]
    found = [(known[0], known[0], 0.0)]
    for value in known[1:]:
        low, high, place = found[-1]
        if value - high > far:
            found.append((value, value, place + (high - low) + GAP))
        else:
            found[-1] = low, value, place
    return Axis(tuple(found))


def _multiples(low: int, high: int, every: int) -> list[int]:
    return [c for c in range(low, high + 1) if c % every == 0] or [low]
