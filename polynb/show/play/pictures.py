"""The pictures beside a verdict: instances in the order they run in, and when live ranges do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.legality import Conflict
from polynb.legality.order import new_times
from polynb.legality.pair import Time, time_of
from polynb.scop.model import Scop
from polynb.scop.witness import Instance, Witness, values_text
from polynb.show.draw.layout import curve
from polynb.show.draw.range_bars import BAD, RangeBar, range_bars
from polynb.show.draw.scene import RADIUS, Point
from polynb.show.draw.scene_svg import draw_arrow, draw_space
from polynb.show.draw.svg import FAINT, Svg, SvgPicture, number
from polynb.show.play.small import FlowPair, SmallProgram, Times
from polynb.violations.judging import CarriedBetween, MoveVerdict
from polynb.words import counted

ARROWS: Final = 60  # more would hide the points
ROWS: Final = 4  # live ranges of one time line
BEFORE: Final = "as written"
NOW: Final = "now"


@dataclass(frozen=True, eq=False)
class PlayPicture(SvgPicture):
    """A picture under its title."""

    title: str


def pictures(space: SmallProgram | None, program: Scop, verdict: MoveVerdict) -> list[PlayPicture]:
    """Those of a program in a new order; the time line first where live ranges collide."""
    found = []
    now = None if space is None else space.times(program)
    if (line := _time_line(space, program, verdict, now)) is not None:
        found.append(line)
    if space is not None and now is not None:
        found.append(_order(space, now, verdict))
    return found


# -- instances -------------------------------------------------------------------------------


def _order(space: SmallProgram, now: Times, verdict: MoveVerdict) -> PlayPicture:
    """A line through the instances of each statement in their order, and what flows; red is what
    would flow backwards, at this size."""
    layout = space.layout
    svg = Svg(layout.width, layout.height)
    for name in space.spaces:
        _path(svg, list(_visited(space, now, name)))
    turned = [f for f in space.flow if now[f.read] <= now[f.write]]
    kept = [f for f in space.flow if now[f.read] > now[f.write]]
    _arrows(svg, space, kept if len(kept) <= ARROWS else _examples(kept), "raw")
    draw_space(svg, layout.rules, layout.placed.values(), layout.texts)
    _arrows(svg, space, turned[:ARROWS], "violated")
    _witness(svg, space, verdict.witness, bool(verdict.carried))
    at = values_text(space.values)
    title = f"Instances in the order they run, from ○ to ▶{f'; {at}' if at else ''}"
    alt = ", ".join(f"{n}: {counted(len(s.points), 'instance')}" for n, s in space.spaces.items())
    alt += f"; {counted(len(space.flow), 'flow dependence')}, {len(turned)} turned around"
    return PlayPicture(svg, alt, title)


def _examples(flow: Sequence[FlowPair]) -> Iterator[FlowPair]:
    """Of what flows between two statements, all that flows into one instance: of those into which
    most does, the middle one."""
    groups: dict[tuple[str, str], dict[Instance, list[FlowPair]]] = {}
    for f in flow:
        into = groups.setdefault((f.write.statement, f.read.statement), {})
        into.setdefault(f.read, []).append(f)
    for into in groups.values():
        most = max(map(len, into.values()))
        full = sorted(read for read, pairs in into.items() if len(pairs) == most)
        yield from into[full[len(full) // 2]]


def _visited(space: SmallProgram, now: Times, name: str) -> Iterator[Point]:
    """The places of a statement's instances, in the order they are first run."""
    drawn = space.spaces[name]
    own = sorted((t, i.point) for i, t in now.items() if i.statement == name)
    for place in dict.fromkeys(drawn.project(p) for _, p in own):
        if (name, place) in space.layout.placed:
            yield space.layout.placed[name, place]


def _path(svg: Svg, places: Sequence[Point]) -> None:
    """From a ring at the first place to a head at the last."""
    if len(places) < 2:
        return
    svg.path("M" + "L".join(f"{number(p.x)} {number(p.y)}" for p in places), FAINT, 1.2, None, 0.75)
    first, before, last = places[0], places[-2], places[-1]
    svg.circle(first.x, first.y, RADIUS + 3.5, "none", FAINT)
    length = ((last.x - before.x) ** 2 + (last.y - before.y) ** 2) ** 0.5 or 1.0
    dx, dy = (last.x - before.x) / length, (last.y - before.y) / length
    tip = Point(last.x + dx * (RADIUS + 9), last.y + dy * (RADIUS + 9))
    side = [(tip.x - 8 * dx - s * 4 * dy, tip.y - 8 * dy + s * 4 * dx) for s in (1, -1)]
    svg.polygon([tip, *side], FAINT)


def _arrows(svg: Svg, space: SmallProgram, flow: Iterable[FlowPair], kind: str) -> None:
    for f in flow:
        _arrow(svg, space, f.write, f.read, kind)


def _arrow(svg: Svg, space: SmallProgram, source: Instance, target: Instance, kind: str) -> None:
    start, end = _place(space, source), _place(space, target)
    if start is None or end is None or (start == end and source.statement == target.statement):
        return
    names = list(space.spaces)
    apart = names.index(target.statement) - names.index(source.statement)
    draw_arrow(svg, curve(space.layout, start, end, kind, True, apart))


def _place(space: SmallProgram, instance: Instance) -> Point | None:
    drawn = space.spaces.get(instance.statement)
    if drawn is None or len(instance.point) != len(drawn.dims):
        return None
    return space.layout.placed.get((instance.statement, drawn.project(instance.point)))


def _witness(svg: Svg, space: SmallProgram, witness: Witness | None, linked: bool) -> None:
    """Red rings around its instances, where they are drawn; an arrow if one depends on the other
    that runs at once with it."""
    if witness is None:
        return
    for instance in witness.instances.values():
        place = _place(space, instance)
        if place is not None:
            svg.circle(place.x, place.y, RADIUS + 4.5, "none", BAD)
            svg.circle(place.x, place.y, RADIUS + 6, "none", BAD)
    if linked:
        _arrow(svg, space, witness["source"], witness["target"], "violated")


# -- live ranges -------------------------------------------------------------------------------


def _time_line(
    space: SmallProgram | None, program: Scop, verdict: MoveVerdict, now: Times | None
) -> PlayPicture | None:
    if verdict.order.conflicts and space is not None:
        return _collision(space.scop, program, verdict.order.conflicts[0])
    if verdict.carried:
        return _at_once(verdict.carried[0])
    if space is None or now is None:
        return None
    old = space.times(space.scop)
    return _lives(space, {BEFORE: old} if old == now else {BEFORE: old, NOW: now})


def _collision(scop: Scop, program: Scop, conflict: Conflict) -> PlayPicture:
    """The ranges of a conflict in both orders; of one that flows backwards, that one."""
    w, pair = conflict.witness, conflict.pair
    ranges: list[tuple[Instance | None, Instance | None]]
    if pair is None:
        ranges = [(w["write"], w["read"])]
    else:
        first, second = pair.first, pair.second
        is_dead = second.read is None and not second.remains
        ranges = [
            (first.write, first.read),
            (second.write, second.write if is_dead else second.read),
        ]
    panels = {}
    for title, order in ((BEFORE, scop), (NOW, program)):
        times = new_times(scop, order.schedule)

        def when(i: Instance | None, times: Mapping[str, isl.Map] = times) -> Time | None:
            return None if i is None else time_of(i, times, w.parameters)

        panels[title] = [
            RangeBar(_name(write), _name(read), when(write), when(read), title == NOW)
            for write, read in ranges
        ]
    cell = pair.cell if pair else conflict.array
    return _drawn(f"Live ranges of {cell}, {values_text(w.parameters)}", panels)


def _at_once(carried: CarriedBetween) -> PlayPicture:
    w = carried.witness
    source, target = str(w["source"]), str(w["target"])
    panels = {
        BEFORE: [RangeBar(source, target, (0,), (1,))],
        f"{NOW}: iterations of {carried.loop} run at once": [
            RangeBar(source, target, (0,), (0,), True)
        ],
    }
    return _drawn(f"A value in {carried.array}, {values_text(w.parameters)}", panels)


def _lives(space: SmallProgram, orders: Mapping[str, Times]) -> PlayPicture | None:
    """Of the cell that is used again most: a temporary's, if there is one."""
    used: dict[tuple[str, str], dict[Instance, list[Instance]]] = {}
    for f in space.flow:
        used.setdefault((f.array, f.cell), {}).setdefault(f.write, []).append(f.read)
    again = {key: ranges for key, ranges in used.items() if len(ranges) > 1}
    if not again:
        return None
    (_, cell), ranges = max(
        again.items(), key=lambda x: (x[0][0] in space.scop.temporaries, len(x[1]))
    )
    old = orders[BEFORE]
    shown = sorted(ranges, key=lambda w: old[w])[:ROWS]
    panels = {}
    for title, times in orders.items():
        bars = []
        for write in shown:
            end, read = max((times[r], r) for r in ranges[write])
            bars.append(RangeBar(str(write), str(read), times[write], end))
        panels[title] = sorted(bars, key=lambda b: b.begin or ())
    more = f", {ROWS} of {len(ranges)}" if len(ranges) > ROWS else ""
    return _drawn(f"Live ranges of {cell}{more}, {values_text(space.values)}", panels)


def _drawn(title: str, panels: Mapping[str, Sequence[RangeBar]]) -> PlayPicture:
    alt = "; ".join(f"{name}: {', '.join(map(str, bars))}" for name, bars in panels.items())
    title = title.rstrip(", ")
    return PlayPicture(range_bars(panels), f"{title}. {alt}", title)


def _name(instance: Instance | None) -> str | None:
    return None if instance is None else str(instance)
