"""A collision in the iteration space, as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from polynb.show.draw.collision_space import RIM, CollisionScene, RangeArrow, RangeEnd
from polynb.show.draw.scene import Point
from polynb.show.draw.scene_svg import LOOKS, draw_arrow, draw_space
from polynb.show.draw.svg import INK, Svg

TITLE: Final = "in the iteration space; numbers: the new order"
HEAD: Final = 20.0
LINE: Final = 17.0  # of the key and the notes
LETTER: Final = 6.7  # the width of one, where all are as wide
NARROW: Final = 6.2  # and where they are not
HEADING: Final = 7.8  # in a heading
SIGN: Final = 23.0
WIDTH: Final = 340.0  # of lines of the key below a narrow picture
PALE: Final = "0.45"
ON: Final = "#f8f8f8"  # numbers, on the colours of the ranges


def collision_svg(scene: CollisionScene) -> Svg:
    """The scene, below it which instances run in which turn, what colours and shapes mean, and
    what is left out."""
    layout = scene.layout
    widest = max(layout.width, WIDTH)
    rows = _lines([Item(m, m.said) for m in scene.marks], widest)
    key = {**scene.key, "writes": "writes", "reads": "reads"}
    rows += _lines([Item(look, text) for look, text in key.items()], widest)
    top = HEAD + (LINE if scene.heading else 0)
    below = top + layout.height + 4
    said = LETTER * max(map(len, (TITLE, *scene.notes)))
    wide = max([layout.width, said, HEADING * len(scene.heading), *map(_width, rows)])
    svg = Svg(wide + 8, below + LINE * (len(rows) + len(scene.notes)))
    if scene.heading:
        svg.text(6, 16, scene.heading, 12.5, mono=True, bold=True)
    svg.text(6, top - 6, TITLE, 12)
    svg.place(_space(scene), 0, top)
    for k, row in enumerate(rows):
        _key(svg, row, below + 8 + LINE * k)
    for k, note in enumerate(scene.notes):
        svg.text(6, below + LINE * (len(rows) + k) + 12, note, 11)
    return svg


def _space(scene: CollisionScene) -> Svg:
    layout = scene.layout
    svg, pale = Svg(layout.width, layout.height), Svg(layout.width, layout.height)
    draw_space(pale, layout.rules, layout.placed.values(), ())
    svg.place(pale, 0, 0, opacity=PALE)
    for a in scene.arrows:
        _range(svg, a)
    for at, marks in _together(scene.marks).items():
        _mark(svg, at, marks)
    draw_space(svg, (), (), layout.texts)
    return svg


def _together(marks: Iterable[RangeEnd]) -> dict[Point, list[RangeEnd]]:
    """In projections several are at one place."""
    found: dict[Point, list[RangeEnd]] = {}
    for m in marks:
        found.setdefault(m.at, []).append(m)
    return found


def _range(svg: Svg, a: RangeArrow) -> None:
    """What nothing reads ends at a bar, not at a head."""
    if not a.is_dead:
        draw_arrow(svg, a.arrow)
        return
    look, (x, y), end = LOOKS[a.role], a.arrow.start, a.arrow.end
    svg.path(f"M{x:.1f} {y:.1f}L{end.x:.1f} {end.y:.1f}", look.colour, look.width)
    svg.path(f"M{end.x - 3:.1f} {end.y - 5:.1f}l6 10", look.colour, look.width)


def _mark(svg: Svg, at: Point, marks: Sequence[RangeEnd]) -> None:
    """A square for what writes, a disc for what reads, with the numbers of their turns."""
    colour = LOOKS[marks[-1].role].colour
    _shape(svg, at.x, at.y, RIM, colour, any(m.writes for m in marks))
    _number(svg, at.x, at.y, ",".join(dict.fromkeys(str(m.number) for m in marks)))


def _number(svg: Svg, x: float, y: float, text: str) -> None:
    size = 11.5 if len(text) < 3 else 9
    svg.text(x, y + 4, text, size, "middle", bold=True, fill=ON)


def _shape(svg: Svg, x: float, y: float, r: float, colour: str, square: bool) -> None:
    if square:
        svg.rectangle(x - r, y - r, 2 * r, 2 * r, colour)
    else:
        svg.circle(x, y, r, colour)


# -- what it means -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Item:
    """What a look means: that of a role, of what writes or reads, or of one instance."""

    look: str | RangeEnd
    text: str

    @property
    def width(self) -> float:
        return SIGN + (LETTER if isinstance(self.look, RangeEnd) else NARROW) * len(self.text) + 12


def _lines(items: Iterable[Item], widest: float) -> list[list[Item]]:
    """Items one after the other, in as many lines as they need."""
    found: list[list[Item]] = [[]]
    for item in items:
        if found[-1] and _width([*found[-1], item]) > widest:
            found.append([])
        found[-1].append(item)
    return found


def _width(line: Iterable[Item]) -> float:
    return sum(item.width for item in line)


def _key(svg: Svg, line: Iterable[Item], y: float) -> None:
    x = 6.0
    for item in line:
        match item.look:
            case RangeEnd() as m:
                _shape(svg, x + 9, y, 7, LOOKS[m.role].colour, m.writes)
                _number(svg, x + 9, y, str(m.number))
            case "writes" | "reads" as shape:
                _shape(svg, x + 9, y, 5, INK, shape == "writes")
            case role:
                look = LOOKS[role]
                svg.path(f"M{x} {y}h18", look.colour, look.width, look.dash)
        svg.text(x + SIGN, y + 4, item.text, 11, mono=isinstance(item.look, RangeEnd))
        x += item.width
