"""All live ranges of a program, those too that the paper forgets.

From each write to each read of its value (not the last one only, which may be another one in a new
order); from a write that nothing reads to itself; from before the program to the reads of what was
there; from a write whose value remains to the end of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polynb import isl
from polynb.dependences import LiveRanges
from polynb.scop.model import Scop


@dataclass(frozen=True, eq=False)
class RangesOf:
    """Live ranges of one array, between two statements: `cells` is `{ [W[i] -> R[j]] -> A[x] }`.

    `kind` is "live range", "dead" (W[i] -> W[i]), "live-in" ([] -> R[j]) or "live-out"
    (W[i] -> []). `read` is the number of the read; not `exact`: data decides whether there is one.
    """

    kind: str
    array: str
    write: str | None
    end: str | None
    cells: isl.Map
    read: int | None = None
    exact: bool = True

    @property
    def pairs(self) -> isl.Map:
        return self.cells.domain().unwrap()

    def by_cell(self) -> isl.Map:
        """`{ A[x] -> [W[i] -> R[j]] }`"""
        return self.cells.reverse()


def all_ranges(ranges: LiveRanges) -> dict[str, list[RangesOf]]:
    """The live ranges of each array that a program writes."""
    written = {s.write.array for s in ranges.scop.statements}
    by_array: dict[str, list[RangesOf]] = {}
    for r in (*_values(ranges), *_live_in(ranges), *_live_out(ranges)):
        r_known = r.cells.intersect_params(ranges.scop.assumed)
        if r.array in written and not r_known.is_empty():
            by_array.setdefault(r.array, []).append(r)
    for array in written:
        known = by_array.setdefault(array, [])
        known += list(_dead(ranges.scop, array, known))
    return by_array


def _values(ranges: LiveRanges) -> Iterator[RangesOf]:
    for e in ranges.flow:
        write = ranges.scop.by_name[e.source].write.relation
        assert e.read is not None
        read = ranges.scop.by_name[e.target].reads[e.read].relation
        cells = e.relation.domain_map().apply_range(write)
        cells = cells.intersect(e.relation.range_map().apply_range(read)) if not e.exact else cells
        yield RangesOf("live range", e.array, e.source, e.target, cells, e.read, e.exact)


def _live_in(ranges: LiveRanges) -> Iterator[RangesOf]:
    for m in isl.maps(ranges.live_in):  # { R[j] -> A[x] }
        name, array = isl.tuple_name(m, isl.IN), isl.tuple_name(m, isl.OUT)
        reads = ranges.scop.by_name[name].reads
        exact = all(r.must for r in reads if r.array == array)
        before = _nothing(m).map_from_domain_and_range(m.get_space().domain())
        cells = isl.Map.universe(before).range_map().apply_range(m)
        yield RangesOf("live-in", array, None, name, cells, None, exact)


def _live_out(ranges: LiveRanges) -> Iterator[RangesOf]:
    for m in isl.maps(ranges.live_out):  # { W[i] -> A[x] }
        name, array = isl.tuple_name(m, isl.IN), isl.tuple_name(m, isl.OUT)
        after = m.get_space().domain().map_from_domain_and_range(_nothing(m))
        cells = isl.Map.universe(after).domain_map().apply_range(m)
        exact = ranges.scop.by_name[name].write.must
        yield RangesOf("live-out", array, name, None, cells, None, exact)


def _nothing(m: isl.Map) -> isl.Space:
    """The space `{ [] }`, with the parameters of a map."""
    return isl.Space.set_alloc(m.get_ctx(), 0, 0).align_params(m.get_space())


def _dead(scop: Scop, array: str, known: list[RangesOf]) -> Iterator[RangesOf]:
    """From each write to itself, in the cells where it has no other live range."""
    for s in scop.statements:
        if s.write.array != array:
            continue
        left = s.write.relation.intersect_params(scop.assumed)
        for r in known:
            if r.write == s.name:  # { W[i] -> A[x] } of these ranges
                left = left.subtract(r.cells.apply_domain(r.pairs.domain_map()))
        if not left.is_empty():
            same = isl.Map.identity(s.domain.get_space().map_from_set())
            cells = same.domain_map().apply_range(isl.coalesced(left))
            yield RangesOf("dead", array, s.name, s.name, cells, None, s.write.must)
