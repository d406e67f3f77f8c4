"""Where cells and zones go in a drawn picture of memory, and what fills them: pure geometry.

A row is a cell, a line an instance, and between two lines is a zone. In the upper half of a row is
what the cell holds, in the lower half what a scalar would need of it. A texture for each role is
SVG path data, so that nobody depends on colour (the stepper's are widgets/src/textures.ts).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from polynb.show.draw.svg import number as n
from polynb.show.trace.format import MemoryJson, MemoryLayerJson

Half = Literal["existing", "proposed"]

UPPER: Final = 22.0
LOWER: Final = 16.0
ROW: Final = UPPER + LOWER + 6
TICK: Final = 11.0  # the size of the names of instances
ACROSS, UP = 0.5, 0.87  # of 60 degrees, where these are slanted
NARROW, BROAD, ALL = 15.0, 84.0, 620.0  # of zones, in pixels


class Run(NamedTuple):
    """Neighbouring zones of a cell that hold the same."""

    cell: int
    first: int
    last: int
    value: str = ""


def wide(text: str, size: float) -> float:
    """How wide a text is in letters that are all as wide."""
    return 0.61 * size * len(text)


def compact(name: str) -> str:
    """A name where room is scarce."""
    return name.replace(", ", ",")


@dataclass(frozen=True)
class MemoryLayout:
    zones: int
    zone: float
    left: float
    head: float
    top: float
    right: float
    bottom: float
    slanted: bool

    def line(self, time: int) -> float:
        """Where the line of an instance is."""
        return self.left + self.zone * (time + 1)

    def place(self, run: Run, half: Half | None = None) -> Box:
        """A row, or a half of it, in some zones."""
        y = self.top + ROW * run.cell + (UPPER + 2 if half == "proposed" else 2)
        height = {"existing": UPPER, "proposed": LOWER, None: UPPER + LOWER}[half]
        width = self.zone * (run.last - run.first + 1)
        return Box(self.left + self.zone * run.first, y, width, height)


def memory_layout(memory: MemoryJson, flag: float) -> MemoryLayout:
    """The layout, with as much room over the rows as a conflict's name takes."""
    times = [wide(compact(t), TICK) for t in memory["times"]]
    zones, before = len(times) + 1, wide("before", TICK)
    zone = min(BROAD, max(NARROW, ALL / zones))
    slanted = max(max(times) + 8, before + max(times[0], times[-1]) / 2 + 6) > zone
    longest = max(*times, before)
    head = UP * longest + 16 if slanted else 22
    left = max(wide(c, 12) for c in memory["cells"]) + 12
    top = head + flag
    right = left + zone * zones + (ACROSS * longest + 4 if slanted else 4)
    bottom = top + ROW * len(memory["cells"]) + 2
    return MemoryLayout(zones, zone, left, head, top, right, bottom, slanted)


def runs(layer: MemoryLayerJson, apart: Collection[tuple[int, int]] = ()) -> Iterator[Run]:
    """The places of a layer, neighbours together that have the same value; not over a line
    [cell, time] of `apart`."""
    values = layer.get("values", [""] * len(layer["places"])) if layer["role"] == "known" else []
    last: Run | None = None
    for k, (cell, zone) in enumerate(sorted(map(tuple, layer["places"]))):
        value = values[k] if values else ""
        same = last and last[0] == cell and last[2] + 1 == zone and last[3] == value
        if last and same and (cell, last[2]) not in apart:
            last = last._replace(last=zone)
            continue
        if last:
            yield last
        last = Run(cell, zone, zone, value)
    if last:
        yield last


# -- textures --------------------------------------------------------------------------------

DOTS: Final = 8
HATCH: Final = 6
LINES: Final = 4


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float


def outline(box: Box) -> str:
    """The border of a box."""
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
