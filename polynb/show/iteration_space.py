"""The iteration spaces of a program and its dependences as a scene.

A panel for each statement, in program order. Spaces of at most one dimension are rows over one
common axis; otherwise every panel has axes of its own, the first iterator to the right and the
second upwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.dependences import Edge
from polynb.scop import Scop
from polynb.show.kinds import KINDS
from polynb.show.sample import MOST, Sample, sample, small_parameters
from polynb.show.scene import RADIUS, Arrow, Point, Scene, Text, arrow

WIDTH: Final = 700.0
LONGEST: Final = 24  # points in a row
ARROWS: Final = 150  # more are not drawn: one instance of each statement stands for all
LETTER: Final = 8.0  # the width of a letter in a name


@dataclass(frozen=True, eq=False)
class Space:
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


Pair = tuple[str, tuple[int, ...], str, tuple[int, ...], str, bool]
Placed = dict[tuple[str, tuple[int, ...]], Point]


def iteration_space(
    scop: Scop, edges: Sequence[Edge], parameters: Mapping[str, int] | None = None
) -> Scene:
    """The scene of a Scop with these dependences, at parameter values given or chosen small."""
    wanted = [*(s.domain for s in scop.statements), *(e.relation.wrap() for e in edges)]
    values = dict(parameters or small_parameters(scop.assumed, wanted, scop.parameters))
    domains = {s.name: (s.domain, s.iterators) for s in scop.statements}
    relations = [(e.relation, e.kind, e.exact) for e in edges]
    return related_spaces(domains, relations, values)


def related_spaces(
    domains: Mapping[str, tuple[isl.Set, tuple[str, ...]]],
    relations: Sequence[tuple[isl.Map, str, bool]],
    values: Mapping[str, int],
) -> Scene:
    """The scene of some sets, by tuple name, and of the relations (map, kind, exact) of them."""
    most = max(MOST // max(len(domains), 1), 16)
    spaces: dict[str, Space] = {}
    for name, (domain, dims) in domains.items():
        drawn = sample(domain, values, most, LONGEST)
        own = [r for r, _, _ in relations if isl.tuple_name(r, isl.IN) == name]
        spaces[name] = Space(name, dims, _shown(name, dims, own), drawn)
    pairs = list(_pairs(relations, spaces, values))
    notes = _notes(spaces, values)
    if len(pairs) > ARROWS:
        pairs, everything = _of_one_instance(pairs, spaces), len(pairs)
        notes.append(f"Of {everything} arrows, those to one instance of each statement are drawn.")
    flat = all(len(s.shown) <= 1 for s in spaces.values())
    layout = _rows(spaces) if flat else _panels(spaces)
    return _scene(layout, pairs, spaces, notes, flat)


# -- what is drawn ---------------------------------------------------------------------


def _shown(name: str, dims: Sequence[str], own: Sequence[isl.Map]) -> tuple[int, ...]:
    """The two dimensions of a deeper space that its dependences on itself move along."""
    if len(dims) <= 2:
        return tuple(range(len(dims)))
    selves = [r for r in own if isl.tuple_name(r, isl.OUT) == name]
    moving = [0] * len(dims)
    for r in selves:
        steps = r.deltas()
        for k in range(len(dims)):
            moving[k] += steps.plain_get_val_if_fixed(isl.SET, k).is_zero() is not True
    best = sorted(range(len(dims)), key=lambda k: (-moving[k], k))[:2]
    return tuple(sorted(best))


def _pairs(
    relations: Iterable[tuple[isl.Map, str, bool]],
    spaces: Mapping[str, Space],
    values: Mapping[str, int],
) -> Iterable[Pair]:
    """Every arrow once: (source, point, target, point, kind, exact), points projected."""
    seen: set[Pair] = set()
    for relation, kind, exact in relations:
        a, b = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
        fixed = isl.fix_parameters(relation, values)
        fixed = fixed.project_out(isl.PARAM, 0, fixed.dim(isl.PARAM))
        fixed = fixed.intersect_domain(spaces[a].sample.window)
        fixed = fixed.intersect_range(spaces[b].sample.window)
        for source, target in isl.pairs(fixed):
            p, q = spaces[a].project(source), spaces[b].project(target)
            pair = (a, p, b, q, kind, exact)
            hidden = a == b and p == q and source != target
            if pair not in seen and not hidden:
                seen.add(pair)
                yield pair


def _of_one_instance(pairs: Sequence[Pair], spaces: Mapping[str, Space]) -> list[Pair]:
    """The arrows to the most central instance of each statement that has the most of them."""
    found: list[Pair] = []
    for name, space in spaces.items():
        into: dict[tuple[int, ...], list[Pair]] = {}
        for pair in pairs:
            if pair[2] == name:
                into.setdefault(pair[3], []).append(pair)
        if into:
            points = space.points
            middle = points[len(points) // 2]
            found += min(into.items(), key=lambda x: (-len(x[1]), _distance(x[0], middle)))[1]
    return found


def _distance(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def _notes(spaces: Mapping[str, Space], values: Mapping[str, int]) -> list[str]:
    at = ", ".join(f"{k} = {v}" for k, v in values.items())
    notes = [f"Drawn for {at}."] if at else []
    clipped = [s.name for s in spaces.values() if s.sample.clipped]
    if clipped:
        notes.append(f"Only a corner of {_listed(clipped)} is drawn.")
    for s in spaces.values():
        if len(s.dims) > len(s.shown):
            over = " and ".join(s.dims[k] for k in s.shown)
            notes.append(f"{s.title} has {len(s.dims)} dimensions and is drawn over {over}.")
    return notes


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:6], "others"] if len(names) > 7 else list(names)
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


# -- where it is drawn -----------------------------------------------------------------


@dataclass
class Layout:
    """Where everything goes; `height` grows as panels are added."""

    width: float
    height: float
    placed: Placed
    texts: list[Text]
    rules: list[tuple[Point, Point]]


def _rows(spaces: Mapping[str, Space]) -> Layout:
    """Spaces of at most one dimension, one below the other, over one axis."""
    margin = 20 + LETTER * max((len(s.title) for s in spaces.values()), default=0)
    columns = [p[0] for s in spaces.values() for p in s.points if p]
    low, high = min(columns, default=0), max(columns, default=0)
    unit = min(max((WIDTH - margin - 20) / max(high - low, 1), 12.0), 52.0)
    right = margin + unit * (high - low)
    layout = Layout(right + 24, 34, {}, [], [])
    for s in spaces.values():
        y = layout.height
        layout.texts.append(Text(4, y + 4, s.title, "name"))
        layout.rules.append((Point(margin, y), Point(right, y)))
        for p in s.points:
            layout.placed[s.name, p] = Point(margin + unit * (p[0] - low if p else 0), y)
        layout.height += 50
    if columns:
        y = layout.height - 22
        every = _every(high - low, unit)
        for c in range(low, high + 1):
            if c % every == 0:
                layout.texts.append(Text(margin + unit * (c - low), y, str(c), "tick", "middle"))
    return layout


def _panels(spaces: Mapping[str, Space]) -> Layout:
    """Panels from left to right and down (a few of different depth: below one another), each with
    axes of its own."""
    widest = max(_box(s)[1] - _box(s)[0] for s in spaces.values())
    unit = min(max(150 / max(widest, 1), 14.0), 26.0)
    column = len(spaces) <= 3 and len({len(s.shown) for s in spaces.values()}) > 1
    layout = Layout(0, 0, {}, [], [])
    x, y, tallest = 0.0, 10.0, 0.0
    for s in spaces.values():
        left, right, bottom, top = _box(s)
        width = max(unit * (right - left), LETTER * len(s.title)) + 58
        height = unit * (top - bottom) + 62
        if x and (x + width > WIDTH or column):
            x, y, tallest = 0.0, y + tallest, 0.0
        _panel(layout, s, Point(x + 34, y + 30 + unit * (top - bottom)), unit)
        x, tallest = x + width, max(tallest, height)
        layout.width = max(layout.width, x)
    layout.height = y + tallest
    return layout


def _box(s: Space) -> tuple[int, int, int, int]:
    xs = [p[0] for p in s.points if p] or [0]
    ys = [p[1] for p in s.points if len(p) > 1] or [0]
    return min(xs), max(xs), min(ys), max(ys)


def _panel(layout: Layout, s: Space, origin: Point, unit: float) -> None:
    """One panel whose lower left point is at `origin`."""
    left, right, bottom, top = _box(s)
    names = [s.dims[k] for k in s.shown]
    high = origin.y - unit * (top - bottom)
    layout.texts.append(Text(origin.x - 12, high - 16, s.title, "name"))
    for p in s.points:
        x = origin.x + unit * (p[0] - left if p else 0)
        layout.placed[s.name, p] = Point(x, origin.y - unit * (p[1] - bottom if len(p) > 1 else 0))
    if names:
        end = origin.x + unit * (right - left)
        layout.rules.append((Point(origin.x - 8, origin.y + 9), Point(end + 8, origin.y + 9)))
        for c in _ticks(left, right, unit):
            x = origin.x + unit * (c - left)
            layout.texts.append(Text(x, origin.y + 21, str(c), "tick", "middle"))
        layout.texts.append(Text(end + 12, origin.y + 14, names[0], "tick"))
    if len(names) > 1:
        layout.rules.append((Point(origin.x - 9, origin.y + 8), Point(origin.x - 9, high - 8)))
        for c in _ticks(bottom, top, unit):
            y = origin.y - unit * (c - bottom) + 4
            layout.texts.append(Text(origin.x - 14, y, str(c), "tick", "end"))
        layout.texts.append(Text(origin.x - 24, high - 4, names[1], "tick", "end"))


def _ticks(low: int, high: int, unit: float) -> list[int]:
    every = _every(high - low, unit)
    return [c for c in range(low, high + 1) if c % every == 0 or low == high]


def _every(span: int, unit: float) -> int:
    room = 26 if span < 100 else 40
    return next(k for k in (1, 2, 5, 10, 20, 50, 100, 10**9) if k * unit >= room or k > span)


# -- putting it together ---------------------------------------------------------------


def _scene(
    layout: Layout,
    pairs: Sequence[Pair],
    spaces: Mapping[str, Space],
    notes: Sequence[str],
    flat: bool,
) -> Scene:
    order = {name: k for k, name in enumerate(spaces)}
    arrows = []
    for a, p, b, q, kind, exact in pairs:
        start, end = layout.placed.get((a, p)), layout.placed.get((b, q))
        if start is not None and end is not None:
            bend = _bend(start, end, kind, order[b] - order[a], flat)
            if flat:
                bend = _around(start, end, bend, layout)
            arrows.append(arrow(start, end, kind, bend, exact))
    height = _legend(layout, arrows, _kinds(pairs))
    counts = ", ".join(f"{n} with {len(s.points)} instances" for n, s in spaces.items())
    alt = f"Iteration spaces: {counts}; {len(arrows)} arrows. {' '.join(notes)}"
    return Scene(
        max(layout.width, 240),
        height,
        tuple(layout.placed.values()),
        tuple(arrows),
        tuple(layout.texts),
        tuple(layout.rules),
        tuple(notes),
        alt.strip(),
    )


def _kinds(pairs: Sequence[Pair]) -> list[str]:
    return [k for k in KINDS if any(pair[4] == k for pair in pairs)]


def _bend(start: Point, end: Point, kind: str, rows: int, flat: bool) -> float:
    """How far an arrow leaves the straight line, so that kinds and neighbours stay apart."""
    side = {"raw": 1.0, "map": 1.0, "war": -1.0, "waw": 1.6, "rar": -1.6}[kind]
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


def _legend(layout: Layout, arrows: list[Arrow], kinds: Sequence[str]) -> float:
    """A line of samples below the panels; the height with it."""
    if not kinds or kinds == ["map"]:
        return layout.height
    x, y = 6.0, layout.height + 6
    for kind in kinds:
        text = f"{KINDS[kind].name}: {KINDS[kind].meaning}"
        width = 48 + 6.4 * len(text)
        if x > 6 and x + width > max(layout.width, 300):
            x, y = 6.0, y + 20
        arrows.append(arrow(Point(x - 5, y), Point(x + 37, y), kind, 0))
        layout.texts.append(Text(x + 40, y + 4, text, "legend"))
        layout.width = max(layout.width, x + width)
        x += width + 12
    return y + 14
