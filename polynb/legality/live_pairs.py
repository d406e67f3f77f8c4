"""Of a witness of `check`, both live ranges: whose value is overwritten, and whose value by."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.dependences import LiveRanges
from polynb.legality.pair import LiveRange, Time, ViolatedPair
from polynb.scop.model import Statement
from polynb.scop.witness import Instance, Witness, cell_text

Times = Mapping[str, isl.Map]


def violated_pair(
    kind: str, array: str, witness: Witness, exact: bool, ranges: LiveRanges, new: Times
) -> ViolatedPair | None:
    """The two live ranges of a conflict; None of one that is about flow. `new` are the times
    `{ S[i] -> [t] }` of the order that was checked."""
    if kind not in ("live range", "live-in", "live-out"):
        return None
    values, roles = witness.parameters, witness.instances
    write, read, other = (roles.get(role) for role in ("write", "read", "other"))
    assert other is not None
    cell = _common(ranges, array, values, [i for i in (write, read) if i is not None], other)

    def at(i: Instance | None) -> Time | None:
        return None if i is None else time_of(i, new, values)

    first = LiveRange(write, read, at(write), at(read), remains=kind == "live-out")
    last = _last_read(ranges, array, other, cell, values, new)
    remains = last is None and _remains(ranges, other, cell, values)
    second = LiveRange(other, last, at(other), at(last), remains)
    return ViolatedPair(kind, array, cell_text(array, cell), first, second, values, exact)


def time_of(i: Instance, times: Times, values: Mapping[str, int]) -> Time | None:
    """When an instance runs, at parameter values."""
    return isl.first_point(_at(times[i.statement], i, values).range(), values)


def _at(m: isl.Map, i: Instance, values: Mapping[str, int]) -> isl.Map:
    """A relation `{ S[i] -> ... }` of one instance."""
    m = isl.fix_parameters(m, values)
    for k, x in enumerate(i.point):
        m = m.fix_val(isl.IN, k, isl.Val(x))
    return m


def _touched(s: Statement, array: str, i: Instance, values: Mapping[str, int]) -> isl.Set | None:
    found: isl.Set | None = None
    for a in (s.write, *s.reads):
        if a.array == array:
            cells = _at(a.relation, i, values).range()
            found = cells if found is None else found.union(cells)
    return found


def _common(
    ranges: LiveRanges,
    array: str,
    values: Mapping[str, int],
    users: list[Instance],
    other: Instance,
) -> tuple[int, ...]:
    """The cell that all of these instances touch, and the last one writes."""
    written = ranges.scop.by_name[other.statement].write.relation
    cells = _at(written, other, values).range()
    for i in users:
        touched = _touched(ranges.scop.by_name[i.statement], array, i, values)
        if touched is not None:
            cells = cells.intersect(touched)
    return isl.first_point(cells, values) or ()


def _last_read(
    ranges: LiveRanges,
    array: str,
    write: Instance,
    cell: tuple[int, ...],
    values: Mapping[str, int],
    new: Times,
) -> Instance | None:
    """Who reads last, in the new order, what an instance wrote to a cell."""
    found: tuple[Time, Instance] | None = None
    for e in ranges.flow:
        if (e.array, e.source) != (array, write.statement):
            continue
        assert e.read is not None
        reads = ranges.scop.by_name[e.target].reads[e.read].relation
        reads = isl.fix_parameters(reads, values)
        for k, x in enumerate(cell):
            reads = reads.fix_val(isl.OUT, k, isl.Val(x))
        here = _at(e.relation, write, values).range().intersect(reads.domain())
        when = isl.fix_parameters(new[e.target], values).intersect_domain(here)
        for point, time in isl.pairs(when, values) if when.wrap().is_bounded() else ():
            if found is None or time > found[0]:
                found = time, Instance(e.target, point)
    return None if found is None else found[1]


def _remains(
    ranges: LiveRanges, write: Instance, cell: tuple[int, ...], values: Mapping[str, int]
) -> bool:
    """Whether what an instance writes to a cell is there when the program has ended."""
    for m in isl.maps(ranges.live_out):
        if isl.tuple_name(m, isl.IN) == write.statement:
            left = _at(m, write, values)
            for k, x in enumerate(cell):
                left = left.fix_val(isl.OUT, k, isl.Val(x))
            return not left.is_empty()
    return False
