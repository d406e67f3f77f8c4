"""A picture of instances and the arrows between them, before anything draws it.

Coordinates are pixels, y grows downwards. `scene_svg` and `plots` draw the same scene.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

RADIUS: Final = 4.0


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True)
class Arrow:
    """A quadratic curve, or (`loop`) from a dot to itself. Not `exact`: some are not dependent."""

    start: Point
    control: Point
    end: Point
    kind: str
    exact: bool = True
    loop: bool = False


@dataclass(frozen=True)
class Text:
    """`role` is "name" (what a panel shows) or "tick"."""

    x: float
    y: float
    text: str
    role: str
    anchor: str = "start"


@dataclass(frozen=True)
class DrawnScene:
    """`kinds` are those of the arrows, for a legend; `notes` say what is drawn and what is left
    out, in sentences; `alt` says all of it to those who do not see it."""

    width: float
    height: float
    dots: tuple[Point, ...]
    arrows: tuple[Arrow, ...]
    texts: tuple[Text, ...]
    rules: tuple[tuple[Point, Point], ...]
    kinds: tuple[str, ...]
    notes: tuple[str, ...]
    alt: str


def arrow(
    start: Point, end: Point, kind: str, bend: float, exact: bool = True, rim: float = RADIUS
) -> Arrow:
    """From the rim of one dot to the rim of another, bent to the left by `bend` pixels."""
    if start == end:
        return Arrow(start, start, end, kind, exact, loop=True)
    dx, dy = end.x - start.x, end.y - start.y
    length = math.hypot(dx, dy)
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    control = Point(middle.x + 2 * bend * dy / length, middle.y - 2 * bend * dx / length)
    gap = min(rim + 1.5, length / 4)
    return Arrow(_towards(start, control, gap), control, _towards(end, control, gap), kind, exact)


def _towards(a: Point, b: Point, distance: float) -> Point:
    length = math.hypot(b.x - a.x, b.y - a.y)
    if length == 0:
        return a
    return Point(a.x + (b.x - a.x) * distance / length, a.y + (b.y - a.y) * distance / length)
