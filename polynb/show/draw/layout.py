"""Where the points of iteration spaces go on a picture, and how arrows get past them.

Spaces of at most one dimension are rows over one common axis; otherwise every panel has axes of
its own, the first iterator to the right and the second upwards. Stretches of an axis without points
that are too long to be drawn are cut.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb.show.draw.sample import Sample
from polynb.show.draw.scene import RADIUS, Arrow, Point, Text, arrow

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


WIDTH: Final = 700.0
LETTER: Final = 8.0  # the width of a letter in a name
DIGIT: Final = 6.8  # and along an axis


@dataclass(frozen=True, eq=False)
class DrawnSpace:
    """What is drawn of one tuple: its `sample`, over the dimensions `shown` (two at most)."""

    name: str
    dims: tuple[str, ...]
    shown: tuple[int, ...]
    sample: Sample

    @property
    def title(self) -> str:
        return f"{self.name}[{', '.join(self.dims)}]" if self.dims else self.name

    def project(self, point: Sequence[int]) -> tuple[int, ...]:
        return tuple(point[k] for k in self.shown)

    @property
    def points(self) -> list[tuple[int, ...]]:
        return sorted({self.project(p) for p in self.sample.points})


@dataclass
class Layout:
    """Where everything goes; `height` grows as panels are added."""

    width: float
    height: float
    placed: dict[tuple[str, tuple[int, ...]], Point]
    texts: list[Text]
    rules: list[tuple[Point, Point]]
    flat: bool = False


@dataclass(frozen=True)
class Room:
    """How much room points have: at least `unit` pixels from one to the next, and stretches of
    more than `far` units without points are cut."""

    unit: float = 12.0
    far: int = FAR


def arranged(spaces: Mapping[str, DrawnSpace], room: Room = Room()) -> Layout:
    """A panel for each space, in order."""
    flat = all(len(s.shown) <= 1 for s in spaces.values())
    return (_rows if flat else _panels)(spaces, room)


def _rows(spaces: Mapping[str, DrawnSpace], room: Room) -> Layout:
    """Spaces of at most one dimension, one below the other, over one axis."""
    margin = 20 + LETTER * max((len(s.title) for s in spaces.values()), default=0)
    columns = [p[0] for s in spaces.values() for p in s.points if p]
    across = axis(columns, room.far)
    unit = min(max((WIDTH - margin - 20) / max(across.length, 1), room.unit), 52.0)
    layout = Layout(margin + unit * across.length + 24, 34, {}, [], [], flat=True)
    for s in spaces.values():
        y = layout.height
        layout.texts.append(Text(4, y + 4, s.title, "name"))
        for a, b in across.lines():
            layout.rules.append((Point(margin + unit * a, y), Point(margin + unit * b, y)))
        for p in s.points:
            layout.placed[s.name, p] = Point(margin + unit * (across.at(p[0]) if p else 0), y)
        layout.height += 50
    if columns:
        y = layout.height - 22
        for c in _ticks(across, unit):
            x = margin + unit * across.at(c)
            layout.texts.append(Text(x, y, str(c), "tick", "middle"))
    return layout


def _panels(spaces: Mapping[str, DrawnSpace], room: Room) -> Layout:
    """Panels from left to right and down (a few of different depth: below one another), each with
    axes of its own."""
    widest = max(_axes(s, room.far)[0].length for s in spaces.values())
    unit = max(min(130 / max(widest, 1), 26.0), room.unit)
    column = len(spaces) <= 3 and len({len(s.shown) for s in spaces.values()}) > 1
    title = max(LETTER * len(s.title) for s in spaces.values())
    left, right = _margins(spaces.values())
    width = max(unit * widest + right, title) + left + 8
    layout = Layout(0, 0, {}, [], [])
    x, y, tallest = 0.0, 10.0, 0.0
    for s in spaces.values():
        tall = unit * _axes(s, room.far)[1].length
        height = tall + 62
        if x and (x + width > WIDTH or column):
            x, y, tallest = 0.0, y + tallest, 0.0
        _panel(layout, s, Point(x + left, y + 30 + tall), unit, room.far)
        x, tallest = x + width, max(tallest, height)
        layout.width = max(layout.width, x)
    layout.height = y + tallest
    return layout


def _margins(spaces: Iterable[DrawnSpace]) -> tuple[float, float]:
    """What the numbers and names of the axes need at the left of a panel, and at its right."""
    left, right = 1, 1
    for s in spaces:
        names = [s.dims[k] for k in s.shown]
        _, last, bottom, top = _box(s)
        if len(names) > 1:
            left = max(left, len(names[1]), len(str(bottom)), len(str(top)))
        if names:
            right = max(right, len(names[0]) + len(str(last)))
    return max(34, 24 + DIGIT * left), 16 + DIGIT * right


def _box(s: DrawnSpace) -> tuple[int, int, int, int]:
    xs = [p[0] for p in s.points if p] or [0]
    ys = [p[1] for p in s.points if len(p) > 1] or [0]
    return min(xs), max(xs), min(ys), max(ys)


def _axes(s: DrawnSpace, far: int) -> tuple[Axis, Axis]:
    points = s.points
    return axis((p[0] for p in points if p), far), axis((p[1] for p in points if len(p) > 1), far)


def _panel(layout: Layout, s: DrawnSpace, origin: Point, unit: float, far: int) -> None:
    """One panel whose lower left point is at `origin`."""
    across, up = _axes(s, far)
    names = [s.dims[k] for k in s.shown]
    high = origin.y - unit * up.length
    layout.texts.append(Text(origin.x - 12, high - 16, s.title, "name"))
    for p in s.points:
        x = origin.x + unit * (across.at(p[0]) if p else 0)
        layout.placed[s.name, p] = Point(x, origin.y - unit * (up.at(p[1]) if len(p) > 1 else 0))
    if names:
        end = origin.x + unit * across.length
        for a, b in across.lines():
            x, y = origin.x + unit * a, origin.y + 9
            layout.rules.append((Point(x - 8, y), Point(origin.x + unit * b + 8, y)))
        for c in _ticks(across, unit):
            x = origin.x + unit * across.at(c)
            layout.texts.append(Text(x, origin.y + 21, str(c), "tick", "middle"))
        beyond = end + 8 + DIGIT * len(str(_box(s)[1])) / 2
        layout.texts.append(Text(beyond, origin.y + 21, names[0], "tick"))
    if len(names) > 1:
        for a, b in up.lines():
            x, y = origin.x - 9, origin.y - unit * a
            layout.rules.append((Point(x, y + 8), Point(x, origin.y - unit * b - 8)))
        for c in _ticks(up, unit):
            y = origin.y - unit * up.at(c) + 4
            layout.texts.append(Text(origin.x - 14, y, str(c), "tick", "end"))
        layout.texts.append(Text(origin.x - 18, high - 9, names[1], "tick", "end"))


def _ticks(a: Axis, unit: float) -> list[int]:
    """The values that have a number: enough room is between them."""
    return a.ticks(_every(a.length, unit))


def _every(span: float, unit: float) -> int:
    room = 26 if span < 100 else 40
    return next(k for k in (1, 2, 5, 10, 20, 50, 100, 10**9) if k * unit >= room or k > span)


# -- arrows ----------------------------------------------------------------------------


def curve(
    layout: Layout,
    start: Point,
    end: Point,
    kind: str,
    exact: bool,
    apart: int,
    rim: float = RADIUS,
) -> Arrow:
    """An arrow between two places, in panels that are `apart` in the order of the program, from
    rim to rim."""
    bend = _bend(start, end, kind, apart, layout.flat)
    if layout.flat:
        bend = _around(start, end, bend, layout)
    return arrow(start, end, kind, bend, exact, rim)


def _bend(start: Point, end: Point, kind: str, rows: int, flat: bool) -> float:
    """How far an arrow leaves the straight line, so that kinds and neighbours stay apart."""
    side = {"raw": 1.0, "map": 1.0, "war": -1.0, "waw": 1.6, "rar": -1.6,
            "condition": 1.0, "conditioned": -1.0, "violated": 1.6,
            "first": 1.0, "second": -1.0,
            "right": 1.0, "missing": 1.0, "wrong": -1.0}[kind]  # fmt: skip
    length = math.hypot(end.x - start.x, end.y - start.y)
    if flat and rows == 0:
        forward = 1 if end.x >= start.x else -1
        return side * forward * min(9 + 0.06 * length, 20)
    if flat:
        return side * (3 + 7 * (abs(rows) - 1))
    return side * (min(3 + 0.04 * length, 22) if rows == 0 else 0.05 * length)


def _around(start: Point, end: Point, bend: float, layout: Layout) -> float:
    """A bend that leads past the dots of the rows in between."""
    low, high = sorted((start.y, end.y))
    between = [p for p in layout.placed.values() if low < p.y < high]
    for factor in (1, 1.7, -1, -1.7, 2.4) if between else ():
        curve = arrow(start, end, "raw", bend * factor)
        if all(abs(_at_height(curve, p.y) - p.x) > 2 * RADIUS for p in between):
            return bend * factor
    return bend


def _at_height(a: Arrow, y: float) -> float:
    """Where a curve between rows (nearly linear in y) is at some height."""
    t = (y - a.start.y) / (a.end.y - a.start.y)
    return (1 - t) ** 2 * a.start.x + 2 * t * (1 - t) * a.control.x + t * t * a.end.x
