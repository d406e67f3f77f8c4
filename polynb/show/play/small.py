"""A program at small parameter values, point by point: which instances there are, what flows
between them, and when each runs. All that pictures show is enumerated here, and is no verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.dependences import LiveRanges
from polynb.errors import PolynbError
from polynb.legality.order import new_times
from polynb.legality.pair import Time
from polynb.scop.model import Scop
from polynb.scop.witness import Instance, cell_text
from polynb.show.draw.iteration_space import drawn_spaces, parameters_of
from polynb.show.draw.layout import DrawnSpace, Layout, arranged
from polynb.show.draw.sample import dated, drawn_pairs

Times = Mapping[Instance, Time]
MANY: Final = 4000  # pairs
SECONDS: Final = 1.0


@dataclass(frozen=True, eq=False)
class FlowPair:
    """A value in a cell of an array, from its write to one of its reads."""

    array: str
    cell: str
    write: Instance
    read: Instance


@dataclass(frozen=True, eq=False)
class SmallProgram:
    """A program at parameter `values`, as far as it is drawn."""

    scop: Scop
    values: Mapping[str, int]
    spaces: Mapping[str, DrawnSpace]
    layout: Layout
    flow: Sequence[FlowPair]

    def times(self, order: Scop) -> dict[Instance, Time]:
        """When each instance that is drawn runs, in the order of another program."""
        times = new_times(self.scop, order.schedule).items()
        drawn = {n: m.intersect_domain(self.spaces[n].sample.window) for n, m in times}
        return {instance: time for time, instance in dated(drawn, self.values)}


def space_of(ranges: LiveRanges) -> SmallProgram | None:
    """The program of some live ranges; None where it is too large to be drawn."""
    scop = ranges.scop
    try:
        with isl.budget(seconds=SECONDS):
            values = parameters_of(scop, ranges.flow, {})
            domains = {s.name: (s.domain, s.iterators) for s in scop.statements}
            spaces = drawn_spaces(domains, [e.relation for e in ranges.flow], values)
            flow = _flow(ranges, spaces, values)
            return SmallProgram(scop, values, spaces, arranged(spaces), flow)
    except PolynbError:
        return None


def _flow(
    ranges: LiveRanges, spaces: Mapping[str, DrawnSpace], values: Mapping[str, int]
) -> list[FlowPair]:
    cells = {}
    for s in ranges.scop.statements:
        window = spaces[s.name].sample.window
        for p, cell in isl.pairs(s.write.relation.intersect_domain(s.domain & window), values):
            cells[Instance(s.name, p)] = cell_text(s.write.array, cell)
    found = []
    for e in ranges.flow:
        a, b = spaces[e.source].sample, spaces[e.target].sample
        for i, j in drawn_pairs(e.relation, a, b, values):
            write = Instance(e.source, i)
            found.append(FlowPair(e.array, cells[write], write, Instance(e.target, j)))
            if len(found) > MANY:
                return found
    return found
