"""The machines that orders are estimated for: one such as people have at hand, and others that it
may be instead. A model that is wrong about a program is mostly wrong in what caches keep and in
what columns cost: an order that is to be believed is no slower on any of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

Level: TypeAlias = tuple[int, float, float]
"""Bytes that stay in a cache, and the cycles for a line that is not there but in the next one:
where rows are gone along, so that the hardware has seen it coming, and where columns are."""
CACHES: Final[tuple[Level, ...]] = (
    (24 << 10, 1.5, 1.5),
    (768 << 10, 6.0, 12.0),
    (24 << 20, 14.0, 50.0),
)
PAGES: Final[tuple[Level, ...]] = ((64 * 64, 0.0, 7.0), (3072 * 64, 0.0, 20.0))
"""The lines of columns are in pages of their own, of which 64 are known at once, or 3072."""
SLOW, LARGE = 4.0, 8
OTHERS: Final[Mapping[str, tuple[Level, ...]]] = {
    "where columns cost more": (*PAGES, *((size, a, SLOW * b) for size, a, b in CACHES)),
    "where caches are larger": tuple((LARGE * size, a, b) for size, a, b in CACHES),
}
"""What one may have instead."""
