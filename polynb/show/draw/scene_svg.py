"""A scene as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from polynb.show.draw.kinds import ANSWERS, EVIDENCE, KINDS, RANGES
from polynb.show.draw.scene import RADIUS, Arrow, DrawnScene, Point, Text
from polynb.show.draw.svg import FAINT, INK, Svg, number

LOOKS: Final = {**KINDS, **EVIDENCE, **RANGES, **ANSWERS}


def scene_svg(scene: DrawnScene) -> str:
    """The scene with its arrows over the dots, and the names over both."""
    svg = Svg(scene.width, scene.height)
    draw_space(svg, scene.rules, scene.dots, ())
    for a in scene.arrows:
        draw_arrow(svg, a)
    draw_space(svg, (), (), scene.texts)
    return str(svg)


def draw_space(
    svg: Svg, rules: Iterable[tuple[Point, Point]], dots: Iterable[Point], texts: Iterable[Text]
) -> None:
    """Axes, instances, names and ticks."""
    for left, right in rules:
        svg.path(line(left, right), stroke=FAINT, width=1, opacity=0.6)
    for p in dots:
        svg.circle(p.x, p.y, RADIUS, INK)
    for t in texts:
        size = 11 if t.role == "tick" else 12.5
        name = t.role == "name"
        svg.text(t.x, t.y, t.text, size, t.anchor, mono=name, bold=name)


def line(a: Point, b: Point) -> str:
    return f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}"


def draw_arrow(svg: Svg, a: Arrow, width: float | None = None) -> None:
    """An arrow in the look of its kind; `width` in pixels if it is to be thicker."""
    look = LOOKS[a.kind]
    width = width or look.width
    opacity = None if a.exact else 0.55
    if a.loop:
        x, y = a.start
        top = y - 2.2 * RADIUS - 12
        left, right = Point(x - 3, y - RADIUS - 1), Point(x + 3, y - RADIUS - 1)
        d = f"M{_xy(left)}C{_xy(Point(x - 12, top))} {_xy(Point(x + 12, top))} {_xy(right)}"
        svg.path(d, look.colour, width, look.dash, opacity)
        _head(svg, Point(x + 12, top), right, a.kind)
        return
    d = f"M{_xy(a.start)}Q{_xy(a.control)} {_xy(a.end)}"
    svg.path(d, look.colour, width, look.dash, opacity)
    _head(svg, a.control, a.end, a.kind)


def _xy(p: Point) -> str:
    return f"{number(p.x)} {number(p.y)}"


def _head(svg: Svg, before: Point, tip: Point, kind: str) -> None:
    look = LOOKS[kind]
    dx, dy = tip.x - before.x, tip.y - before.y
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = dx / length, dy / length

    def at(along: float, across: float) -> Point:
        return Point(tip.x - along * dx - across * dy, tip.y - along * dy + across * dx)

    if look.head == "diamond":
        svg.polygon([tip, at(3.6, 3.2), at(7.2, 0), at(3.6, -3.2)], look.colour)
    elif look.head == "open":
        svg.path(
            f"M{_xy(at(6, 3.6))}L{_xy(tip)}L{_xy(at(6, -3.6))}", look.colour, max(look.width, 1.4)
        )
    else:
        svg.polygon([tip, at(7, 3.2), at(7, -3.2)], look.colour)
