"""What happens to one cell, in some order of execution: its writes and reads, one after the other,
and the lives of its values (the paper on GRAPHITE, Figure 9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.dependences import LiveRanges
from polynb.legality.pair import LiveRange
from polynb.scop.model import Scop
from polynb.scop.witness import Instance
from polynb.show.draw.sample import dated, pinned


@dataclass(frozen=True)
class CellEvent:
    """An instance that reads the cell, writes it, or both (its reads come first)."""

    instance: Instance
    reads: bool
    writes: bool


@dataclass(frozen=True)
class CellTrace:
    """The events of a cell in their order, and its values' lives: from a write (None: before the
    program) to the last read in this order (None: read by nothing)."""

    events: tuple[CellEvent, ...]
    lives: tuple[tuple[Instance | None, Instance | None], ...]

    def place(self, i: Instance | None) -> int | None:
        """The number of an instance among the events."""
        known = (k for k, e in enumerate(self.events) if e.instance == i)
        return next(known, None)


def cell_trace(
    ranges: LiveRanges, times: Mapping[str, isl.Map], cell: str, values: Mapping[str, int]
) -> CellTrace:
    """The trace of a cell such as `t[2]`, at parameter values, at times `{ S[i] -> [t] }`."""
    scop = ranges.scop
    array, _, subscripts = cell.partition("[")
    index = tuple(map(int, re.findall(r"-?\d+", subscripts)))
    found: dict[Instance, CellEvent] = {}
    for s in scop.statements:
        for reads, a in (*((True, r) for r in s.reads), (False, s.write)):
            for point in (
                _touching(scop, s.name, a.relation, index, values) if a.array == array else ()
            ):
                i = Instance(s.name, point)
                known = found.get(i, CellEvent(i, False, False))
                found[i] = CellEvent(i, known.reads or reads, known.writes or not reads)
    when = _dates(scop, found, times, values)
    events = tuple(sorted(found.values(), key=lambda e: when[e.instance]))
    return CellTrace(events, tuple(_lives(ranges, array, found, when, values)))


def _touching(
    scop: Scop, name: str, relation: isl.Map, index: tuple[int, ...], values: Mapping[str, int]
) -> list[tuple[int, ...]]:
    touched = pinned(relation, isl.OUT, index).domain()
    return isl.points(touched.intersect(scop.by_name[name].domain), values)


def _dates(
    scop: Scop,
    found: Mapping[Instance, CellEvent],
    times: Mapping[str, isl.Map],
    values: Mapping[str, int],
) -> dict[Instance, tuple[int, ...]]:
    names = {i.statement for i in found}
    inside = {n: times[n].intersect_domain(scop.by_name[n].domain) for n in names}
    return {instance: time for time, instance in dated(inside, values)}


def _lives(
    ranges: LiveRanges,
    array: str,
    found: Mapping[Instance, CellEvent],
    when: Mapping[Instance, tuple[int, ...]],
    values: Mapping[str, int],
) -> list[tuple[Instance | None, Instance | None]]:
    last: dict[Instance | None, Instance | None] = {i: None for i, e in found.items() if e.writes}
    pairs = [
        (Instance(e.source, i), Instance(e.target, j))
        for e in ranges.flow
        if e.array == array
        for i, j in isl.pairs(e.relation, values)
    ]
    sourced = {j for i, j in pairs if i in found}
    inputs = [(None, j) for j, e in found.items() if e.reads and j not in sourced]
    for i, j in [*pairs, *inputs]:
        if j in found and (i is None or i in last):
            known = last.get(i)
            last[i] = j if known is None or when[j] > when[known] else known
    return list(last.items())


def of_pair(first: LiveRange, second: LiveRange) -> set[Instance]:
    """The instances that two live ranges are between."""
    return {i for r in (first, second) for i in (r.write, r.read) if i is not None}
