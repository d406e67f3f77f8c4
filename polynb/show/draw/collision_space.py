"""Two live ranges that overlap, in the iteration space: an arrow from the write to the last read of
each, and numbers that say in which order the new schedule runs their ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from polynb import isl
from polynb.legality.pair import LiveRange
from polynb.scop.witness import Instance, values_text
from polynb.show.draw.collision import Collision
from polynb.show.draw.iteration_space import over_dimensions
from polynb.show.draw.layout import DrawnSpace, Layout, Room, arranged, curve
from polynb.show.draw.sample import Sample, at_values, between, sample
from polynb.show.draw.scene import Arrow, Point, arrow
from polynb.words import counted, listed

MOST: Final = 100  # points of one statement that are all drawn
LONGEST: Final = 10  # in a row
NEAR: Final = 2  # of larger ones, points at this distance of the instances
RIM: Final = 8.5  # the radius of an instance
ROOM: Final = Room(unit=34.0, far=6)
STUB: Final = 26.0, -13.0  # to where what has no end in the program goes, past all texts


@dataclass(frozen=True)
class RangeArrow:
    """A live range by its role; it comes from before the program if there is no `source`, and
    has no reader if there is no `target`."""

    role: str
    source: Instance | None
    target: Instance | None
    arrow: Arrow
    is_dead: bool = False


@dataclass(frozen=True)
class RangeEnd:
    """An end of a live range, the `number` of its turn in the new order, and the role of the range.
    `fate` is what becomes of a value without another end."""

    at: Point
    instance: Instance
    number: int
    role: str
    writes: bool
    fate: str = ""

    @property
    def said(self) -> str:
        return ", ".join(filter(None, (str(self.instance), self.fate)))


@dataclass(frozen=True, eq=False)
class CollisionScene:
    """`layout` has the instances that stay pale; `notes` say what is left out."""

    layout: Layout
    arrows: tuple[RangeArrow, ...]
    marks: tuple[RangeEnd, ...]
    heading: str
    key: Mapping[str, str]
    notes: tuple[str, ...]
    alt: str


def collision_scene(found: Collision) -> CollisionScene:
    """The iteration spaces of the statements that a collision is about, at its parameter
    values."""
    spaces = _spaces(found)
    layout = arranged(spaces, ROOM)
    place = {
        i: layout.placed[i.statement, spaces[i.statement].project(i.point)] for i in found.instances
    }
    order = {name: k for k, name in enumerate(spaces)}
    arrows = tuple(_arrow(role, r, place, layout, order) for role, r in found.ranges.items())
    marks = tuple(_marks(found, place))
    notes = tuple(_notes(spaces))
    return CollisionScene(
        layout, arrows, marks, found.heading, found.key, notes, _alt(found, spaces, notes)
    )


# -- what is drawn of each statement ---------------------------------------------------------


def _spaces(found: Collision) -> dict[str, DrawnSpace]:
    points: dict[str, list[tuple[int, ...]]] = {}
    for i in found.instances:
        points.setdefault(i.statement, []).append(i.point)
    spaces = {}
    for s in found.program.statements:
        if s.name in points:
            shown = _apart(points[s.name])
            part = _sample(s.domain, found.parameters, points[s.name], shown)
            spaces[s.name] = DrawnSpace(s.name, s.iterators, shown, part)
    return spaces


def _apart(points: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The dimensions, at most two, that keep most of these points apart; and of these the first
    that most of them differ in."""
    depth = len(points[0])
    if depth <= 2:
        return tuple(range(depth))

    def apart(shown: tuple[int, ...]) -> tuple[int, int]:
        differ = sum(len({p[k] for p in points}) > 1 for k in shown)
        return len({tuple(p[k] for k in shown) for p in points}), differ

    return max(combinations(range(depth), 2), key=apart)


def _sample(
    domain: isl.Set,
    values: Mapping[str, int],
    points: Iterable[tuple[int, ...]],
    shown: tuple[int, ...],
) -> Sample:
    """All instances of a statement, or, if they are many, those next to some."""
    found = sample(domain, values, MOST, LONGEST)
    if not found.clipped:
        return found
    s = at_values(domain, values)
    near = s.intersect(isl.Set.empty(s.get_space()))
    for point in points:
        window = s
        for k, x in enumerate(point):
            reach = NEAR if k in shown else 0
            window = between(window, k, x - reach, x + reach)
        near = near.union(window)
    return Sample(tuple(isl.points(near)), near, clipped=True)


# -- where it goes ---------------------------------------------------------------------------


def _arrow(
    role: str,
    r: LiveRange,
    place: Mapping[Instance, Point],
    layout: Layout,
    order: Mapping[str, int],
) -> RangeArrow:
    match r.write, r.read:
        case Instance() as write, Instance() as read:
            apart = order[read.statement] - order[write.statement]
            drawn = curve(layout, place[write], place[read], role, True, apart, RIM)
        case None, Instance() as read:
            x, y = place[read]
            drawn = arrow(Point(x - STUB[0], y + STUB[1]), place[read], role, 0, rim=RIM)
        case Instance() as write, None:
            x, y = place[write]
            drawn = arrow(place[write], Point(x + STUB[0], y + STUB[1]), role, 0, rim=RIM)
        case _:
            raise AssertionError("a live range has an end in the program")
    return RangeArrow(role, r.write, r.read, drawn, r.read is None and not r.remains)


def _marks(found: Collision, place: Mapping[Instance, Point]) -> Iterator[RangeEnd]:
    for i in found.instances:
        ends = {role: r for role, r in found.ranges.items() if i in (r.write, r.read)}
        role, r = list(ends.items())[-1]
        fate = ""
        if r.write is None:
            fate = "which reads what was there before"
        elif r.read is None:
            fate = r.use
        yield RangeEnd(place[i], i, found.ranks[i], role, i in found.writes, fate)


# -- in words --------------------------------------------------------------------------------


def _notes(spaces: Mapping[str, DrawnSpace]) -> Iterator[str]:
    clipped = [s.name for s in spaces.values() if s.sample.clipped]
    if clipped:
        yield f"Of {listed(clipped)} only what is near."
    yield from over_dimensions(spaces)


def _alt(found: Collision, spaces: Mapping[str, DrawnSpace], notes: Iterable[str]) -> str:
    counts = ", ".join(f"{n} {counted(len(s.points), 'instance')}" for n, s in spaces.items())
    at = values_text(found.parameters)
    arrows = "; ".join(f"{found.key[role]}: {r}" for role, r in found.ranges.items())
    ranked = ", ".join(f"{k} {i}" for i, k in sorted(found.ranks.items(), key=lambda x: x[1]))
    order = f" The new order runs {ranked}." if ranked else ""
    head = f"Iteration spaces{f' for {at}' if at else ''}: {counts}. Arrows: {arrows}.{order}"
    return " ".join((head, *notes))
