"""A set or relation beside the right one: which points or arrows are missing, and which do not
belong, at small parameter values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.show.draw.iteration_space import over_dimensions
from polynb.show.draw.kinds import ANSWERS
from polynb.show.draw.layout import DrawnSpace, Layout, arranged, curve
from polynb.show.draw.sample import Sample, drawn_for
from polynb.show.draw.scene import RADIUS, Point
from polynb.show.draw.scene_svg import draw_arrow, draw_space
from polynb.show.draw.svg import INK, Svg, SvgPicture

Named = tuple[str, tuple[int, ...]]
Pair = tuple[Named, Named]
MOST: Final = 200
"""Points of a picture, or arrows."""
ARROWS: Final = 48
"""Arrows that are easily told apart."""
LINE: Final = 17.0
LETTER: Final = 6.4
SIGN: Final = 24.0


@dataclass(frozen=True)
class ComparedPoints:
    """Points by their tuples' names: those that are right, and those of an answer; of a relation,
    the name is `S -> T` and the point has both ends."""

    right: frozenset[Named]
    given: frozenset[Named]
    values: Mapping[str, int]
    relation: bool = False

    def parts(self) -> dict[str, frozenset[Named]]:
        """By the look of each."""
        right, given = self.right, self.given
        return {"right": right & given, "missing": right - given, "wrong": given - right}

    @property
    def size(self) -> int:
        return len(self.right | self.given)

    @property
    def is_clear(self) -> bool:
        return self.size <= (ARROWS if self.relation else MOST)


def clearest(found: Iterable[ComparedPoints]) -> ComparedPoints | None:
    """The first in which a difference is clearly to be seen; else the smallest that has one and is
    not too large."""
    best = None
    for each in found:
        if each.right == each.given or each.size > MOST:
            continue
        if each.is_clear:
            return each
        best = each if best is None or each.size < best.size else best
    return best


def answer_picture(found: ComparedPoints, tuples: Mapping[str, tuple[str, ...]]) -> SvgPicture:
    """Points, or arrows between them, with a key below. `tuples`: the dimensions of each."""
    parts = found.parts()
    pairs = {look: [_ends(p, tuples) for p in sorted(ps)] for look, ps in parts.items()}
    points = _all(pairs) if found.relation else {p for ps in parts.values() for p in ps}
    spaces = {n: _space(n, dims, points) for n, dims in tuples.items()}
    layout = arranged({n: s for n, s in spaces.items() if s.points})
    svg = Svg(layout.width, layout.height)
    draw_space(svg, layout.rules, (), ())
    if found.relation:
        draw_space(svg, (), layout.placed.values(), ())
        _arrows(svg, pairs, spaces, layout)
    else:
        for look, ps in parts.items():
            for at in dict.fromkeys(_place(p, spaces, layout) for p in sorted(ps)):
                POINTS[look](svg, at)
    draw_space(svg, (), (), layout.texts)
    counts = {look: len(ps) for look, ps in parts.items()}
    notes = [*drawn_for(found.values), *over_dimensions(spaces)]
    said = ", ".join(f"{n} {look}" for look, n in counts.items())
    what = "pairs" if found.relation else "points"
    alt = " ".join((f"The answer and what is right, {what}: {said}.", *notes))
    return SvgPicture(_with_key(svg, counts, notes, found.relation), alt)


def _ends(point: Named, tuples: Mapping[str, tuple[str, ...]]) -> Pair:
    first, _, second = point[0].partition(" -> ")
    depth = len(tuples[first])
    return (first, point[1][:depth]), (second, point[1][depth:])


def _all(pairs: Mapping[str, list[Pair]]) -> set[Named]:
    return {end for ps in pairs.values() for pair in ps for end in pair}


def _space(name: str, dims: tuple[str, ...], points: Iterable[Named]) -> DrawnSpace:
    """Of more than two dimensions, those along which there is most."""
    own = sorted(p for n, p in points if n == name)
    lengths = [len({p[k] for p in own}) for k in range(len(dims))]
    shown = sorted(sorted(range(len(dims)), key=lambda k: (-lengths[k], k))[:2])
    whole = Sample(tuple(own), isl.read_set("{ [] }"))
    return DrawnSpace(name, dims, tuple(shown), whole)


def _place(point: Named, spaces: Mapping[str, DrawnSpace], layout: Layout) -> Point:
    return layout.placed[point[0], spaces[point[0]].project(point[1])]


def _arrows(
    svg: Svg, pairs: Mapping[str, list[Pair]], spaces: Mapping[str, DrawnSpace], layout: Layout
) -> None:
    order = {name: k for k, name in enumerate(spaces)}
    for look, ps in pairs.items():
        for a, b in ps:
            start, end = _place(a, spaces, layout), _place(b, spaces, layout)
            draw_arrow(svg, curve(layout, start, end, look, True, order[b[0]] - order[a[0]]))


# -- what it means -----------------------------------------------------------------------------


def _dot(svg: Svg, at: Point) -> None:
    svg.circle(at.x, at.y, RADIUS, INK)


def _ring(svg: Svg, at: Point) -> None:
    svg.circle(at.x, at.y, RADIUS + 0.5, "none", ANSWERS["missing"].colour)


def _cross(svg: Svg, at: Point) -> None:
    look, r = ANSWERS["wrong"], RADIUS
    for up in (-r, r):
        d = f"M{at.x - r:.1f} {at.y + up:.1f}L{at.x + r:.1f} {at.y - up:.1f}"
        svg.path(d, look.colour, look.width)


POINTS: Final[Mapping[str, Callable[[Svg, Point], None]]] = {
    "right": _dot,
    "missing": _ring,
    "wrong": _cross,
}


def _with_key(picture: Svg, counts: Mapping[str, int], notes: Iterable[str], relation: bool) -> Svg:
    """The looks that occur and what they mean, then what is drawn, below."""
    key = list(_key(counts))
    lines = list(notes)
    wide = max(key[-1][2], *(LETTER * len(n) + 12 for n in ("", *lines)), picture.width)
    svg = Svg(wide, picture.height + LINE * (1 + len(lines)) + 4)
    svg.place(picture, 0, 0)
    for look, text, end in key:
        x, y = end - LETTER * len(text) - 10, picture.height + 6
        if relation:
            kind = ANSWERS[look]
            svg.path(f"M{x - 22:.1f} {y:.1f}h18", kind.colour, kind.width, kind.dash)
        else:
            POINTS[look](svg, Point(x - 11, y))
        svg.text(x, y + 4, text, 11)
    for k, note in enumerate(lines, 1):
        svg.text(6, picture.height + LINE * k + 10, note, 11)
    return svg


def _key(counts: Mapping[str, int]) -> Iterator[tuple[str, str, float]]:
    """Each look with its text, and where that ends."""
    x = 6.0
    for look, n in counts.items():
        if n:
            text = f"{n} {look}"
            x += SIGN + LETTER * len(text) + 10
            yield look, text, x
