"""Two live ranges that overlap, on a time line (the paper on GRAPHITE, Figure 9): the writes and
reads of their cell in the program's order, and in the new one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from polynb import isl
from polynb.dependences import LiveRanges
from polynb.legality.pair import ViolatedPair
from polynb.scop.witness import Instance, values_text
from polynb.show.draw.cell_trace import CellEvent, CellTrace, cell_trace, of_pair
from polynb.show.draw.kinds import RANGES
from polynb.show.draw.svg import FAINT, INK, Svg, SvgPicture

STEP: Final = 58.0  # pixels from event to event
LEFT: Final = 30.0
RIGHT: Final = 34.0
LANE: Final = 13.0
TITLE: Final = 24.0
LETTER: Final = 6.7
TURN: Final = 28.0  # degrees that the names of instances are turned by
HEAD: Final = 26.0
FOOT: Final = 22.0
MINIMUM: Final = 300.0
READ: Final = 5.5  # the radius of a read's circle
NEAR: Final = 2
"""Events beside those of the two live ranges that are drawn; the others are left out."""
COLOURS: Final = {
    "first": RANGES["first"].colour,
    "second": RANGES["second"].colour,
    "": FAINT,
}


def timeline(ranges: LiveRanges, times: Mapping[str, isl.Map], pair: ViolatedPair) -> SvgPicture:
    """The picture of a pair, in the program's order and in that of `{ S[i] -> [t] }`."""
    original = {s.name: s.schedule for s in ranges.scop.statements}
    orders = (("in the program", original), ("in the new order", times))
    traces = [
        (title, cell_trace(ranges, order, pair.cell, pair.parameters)) for title, order in orders
    ]
    most = max(len(_shown(trace, pair)) for _, trace in traces)
    longest = max((len(str(e.instance)) for _, t in traces for e in t.events), default=0)
    beyond = LETTER * longest * math.cos(math.radians(TURN)) + 8
    width = max(MINIMUM, LEFT + STEP * (most - 1) + max(STEP + RIGHT, beyond))
    rows = [laid_out(title, trace, pair, width) for title, trace in traces]
    values = values_text(pair.parameters)
    heading = f"{pair.cell}, {values}" if values else pair.cell
    svg = Svg(width, HEAD + sum(r.height for r in rows) + FOOT)
    svg.text(6, 16, heading, 12.5, mono=True, bold=True)
    top = HEAD
    for row in rows:
        _draw(svg, row, top, width)
        top += row.height
    _key(svg, top + 8)
    return SvgPicture(svg, f"{heading}: {pair}")


# -- where things are -----------------------------------------------------------------------


@dataclass(frozen=True)
class LifeBar:
    """The life of a value, from x to x in a lane; `role` is "first", "second" or "" for others.
    Open: it begins before the program, or ends after it; `dead`: nothing reads it."""

    role: str
    begin: float
    end: float
    dead: bool


@dataclass(frozen=True)
class OrderRow:
    """One order: the events that are drawn, at their x, and the bars lane by lane. `gaps` are
    places where events were left out."""

    title: str
    events: tuple[tuple[float, CellEvent], ...]
    lanes: tuple[tuple[LifeBar, ...], ...]
    gaps: tuple[float, ...]

    @property
    def height(self) -> float:
        longest = max((len(str(e.instance)) for _, e in self.events), default=0)
        names = LETTER * longest * math.sin(math.radians(TURN))
        return TITLE + LANE * len(self.lanes) + names + 32


def laid_out(title: str, trace: CellTrace, pair: ViolatedPair, width: float) -> OrderRow:
    """Where the events and lives of a cell are drawn."""
    shown = _shown(trace, pair)
    at = {k: LEFT + STEP * n for n, k in enumerate(shown)}
    bars = [b for w, r in trace.lives if (b := _bar(w, r, trace, at, pair, width)) is not None]
    gaps = tuple(at[a] + STEP / 2 for a, b in pairwise(shown) if b > a + 1)
    events = tuple((x, trace.events[k]) for k, x in at.items())
    return OrderRow(title, events, _lanes(bars), gaps)


def _shown(trace: CellTrace, pair: ViolatedPair) -> list[int]:
    """The numbers of the events of both live ranges, and of those next to them."""
    places = [trace.place(i) for i in of_pair(pair.first, pair.second)]
    near = {k + d for k in places if k is not None for d in range(-NEAR, NEAR + 1)}
    return sorted(near & set(range(len(trace.events))))


def _bar(
    write: Instance | None,
    read: Instance | None,
    trace: CellTrace,
    at: Mapping[int, float],
    pair: ViolatedPair,
    width: float,
) -> LifeBar | None:
    """The life of a value; None if neither of its ends is drawn."""
    role = _role(write, read, pair)
    begin, end = trace.place(write), trace.place(read)
    if begin not in at and end not in at:
        return None
    remains = role != "" and getattr(pair, role).remains
    left = 4.0 if begin is None else _near(begin, at)
    ahead = width - 4 if remains else left + STEP / 3
    right = ahead if end is None else _near(end, at)
    return LifeBar(role, min(left, right), max(left, right), end is None and not remains)


def _role(write: Instance | None, read: Instance | None, pair: ViolatedPair) -> str:
    """Which of the two live ranges this is. (Of several reads of a value the last one counts.)"""
    if write == pair.first.write and (write is not None or read == pair.first.read):
        return "first"
    return "second" if write is not None and write == pair.second.write else ""


def _near(place: int, at: Mapping[int, float]) -> float:
    """The x of an event; of one that is left out, right beside those next to it."""
    if place in at:
        return at[place]
    below = [x for k, x in at.items() if k < place]
    return max(below) + STEP / 2 if below else min(at.values()) - STEP / 2


def _lanes(bars: Sequence[LifeBar]) -> tuple[tuple[LifeBar, ...], ...]:
    """Bars that do not overlap share a lane; the two that the picture is about come first."""
    lanes: list[list[LifeBar]] = []
    order = {"first": 0, "second": 1, "": 2}
    for bar in sorted(bars, key=lambda b: (order[b.role], b.begin)):
        lane = next((x for x in lanes if all(_apart(bar, b) for b in x)), None)
        if lane is None:
            lanes.append([bar])
        else:
            lane.append(bar)
    return tuple(map(tuple, lanes))


def _apart(a: LifeBar, b: LifeBar) -> bool:
    return a.end <= b.begin or b.end <= a.begin


# -- the shapes -----------------------------------------------------------------------------


def _draw(svg: Svg, row: OrderRow, top: float, width: float) -> None:
    axis = top + TITLE + LANE * len(row.lanes)
    svg.text(6, top + 13, row.title, 12)
    _overlap(svg, row, top + TITLE - 3, axis)
    for k, lane in enumerate(row.lanes):
        y = axis - LANE * (k + 0.6)
        for bar in lane:
            dash = "3 3" if bar.dead else None
            svg.path(f"M{bar.begin:.1f} {y:.1f}H{bar.end:.1f}", COLOURS[bar.role], 5.0, dash)
    svg.path(f"M4 {axis:.1f}H{width - 4:.1f}", FAINT, 1)
    for x in row.gaps:
        svg.text(x, axis + 4, "…", 12, "middle")
    for x, event in row.events:
        if event.reads:
            svg.circle(x, axis, READ, "none", INK)
        if event.writes:
            _square(svg, x, axis)
        svg.text(x - 2, axis + 18, str(event.instance), 11, mono=True, turn=TURN)


def _overlap(svg: Svg, row: OrderRow, top: float, axis: float) -> None:
    """Where both live ranges need the cell."""
    bars = {b.role: b for lane in row.lanes for b in lane if b.role}
    if len(bars) == 2:
        begin = max(b.begin for b in bars.values())
        end = min(b.end for b in bars.values())
        if begin < end:
            svg.rectangle(begin, top, end - begin, axis - top, COLOURS["second"], 0.18)


def _square(svg: Svg, x: float, y: float) -> None:
    svg.polygon([(x - 3, y - 3), (x + 3, y - 3), (x + 3, y + 3), (x - 3, y + 3)], INK)


def _key(svg: Svg, y: float) -> None:
    _square(svg, 10, y)
    svg.text(19, y + 4, "writes", 11)
    svg.circle(67, y, READ, "none", INK)
    svg.text(77, y + 4, "reads", 11)
    svg.path(f"M118 {y}h18", COLOURS["first"], 5)
    svg.text(141, y + 4, "is overwritten", 11)
    svg.path(f"M222 {y}h18", COLOURS["second"], 5)
    svg.text(245, y + 4, "by this", 11)
