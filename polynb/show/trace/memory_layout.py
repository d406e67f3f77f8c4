"""Where cells and zones go in a drawn picture of memory: pure geometry.

A row is a cell, a line an instance, and between two lines is a zone. In the upper half of a row is
what the cell holds, in the lower half what a scalar would need of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from polynb.show.draw.textures import Box
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
