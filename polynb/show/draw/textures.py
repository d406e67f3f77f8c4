"""What fills a place in memory, as SVG path data: a texture for each role, so that nobody depends
on colour (the stepper's are widgets/src/textures.ts)."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from polynb.show.draw.svg import number as n

DOTS: Final = 8
HATCH: Final = 6
LINES: Final = 4


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float


def outline(box: Box) -> str:
    x, y, width, height = box
    return f"M{n(x)} {n(y)}h{n(width)}v{n(height)}h{n(-width)}z"


def dots(box: Box) -> str:
    """Unused: rows of dots, by the dashes of their strokes."""
    x, y, width, height = box
    start = DOTS * math.ceil((x + 2) / DOTS)
    if start > x + width - 2:
        return ""
    rows = _multiples(DOTS, y + 3, y + height - 3)
    return "".join(f"M{n(start)} {n(row)}H{n(x + width - 1)}" for row in rows)


def hatch(box: Box) -> str:
    """Occupied: diagonals, x + y being constant on each, that go on in neighbouring boxes."""
    x, y, width, height = box
    found = []
    for both in _multiples(HATCH, x + y + 1, x + y + width + height - 1):
        left, right = max(x, both - y - height), min(x + width, both - y)
        found.append(f"M{n(left)} {n(both - left)}L{n(right)} {n(both - right)}")
    return "".join(found)


def lines(box: Box, gap: tuple[float, float] | None = None) -> str:
    """Known: lines, none in the gap between two places, where a text is."""
    x, y, width, height = box
    ends = (x + 1, *(gap or ()), x + width - 1)
    parts = list(zip(ends[::2], ends[1::2], strict=True))
    rows = _multiples(LINES, y + 2, y + height - 2)
    return "".join(f"M{n(a)} {n(row)}H{n(b)}" for row in rows for a, b in parts if b > a)


def _multiples(step: int, low: float, high: float) -> range:
    return range(step * math.ceil(low / step), math.floor(high) + 1, step)
