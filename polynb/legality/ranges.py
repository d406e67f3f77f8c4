"""Live ranges, and what overwrites them in another order: the one rule by which orders are judged.

Two live ranges of one cell are in conflict if each begins before the other ends (GRAPHITE 2010,
4.3.2, the set Vio): the write of one of them comes `within` the other, whose value is lost then
(IMPACT'16, 3.3). Instances are compared, and not their times: a range is never in conflict with
itself, and two that share a time are; the write of an instance comes after its reads. (What a
scheduler is told of the same rule beforehand, conditional validity, is in
`reordering/constraints.py`.)

All live ranges count, those too that the 2010 paper forgets: from each write to each read of its
value (not the last one only, which may be another one in a new order); from a write that nothing
reads to itself; from before the program to the reads of what was there; from a write whose value
remains to the end of the program.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from polynb import isl
from polynb.dependences.live_ranges import LiveRanges
from polynb.dependences.model import Edge
from polynb.legality.order import Order
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


# -- in another order ------------------------------------------------------------------------


def doubted(ranges: LiveRanges, new: Order) -> frozenset[str]:
    """The arrays of which a new order turns a false dependence around: of all others, live ranges
    run one after the other as they did."""
    arrays: set[str] = set()
    for e in ranges.false:
        if e.array not in arrays:
            turned = new.turned(e).intersect_params(ranges.scop.assumed)
            arrays |= set() if turned.is_empty() else {e.array}
    return frozenset(arrays)


def within(first: RangesOf, writer: str, ranges: LiveRanges, new: Order) -> isl.Map:
    """`{ [W[i] -> R[j]] -> X[k] }` where X[k], another instance, may write the cell of a live range
    within it: not strictly before W[i], and not strictly after R[j]."""
    begin, end = first.pairs.domain_map(), first.pairs.range_map()
    write, read = first.write, first.end
    if write is None:  # what came after the reads of what was there before is to stay there
        late = _turned(ranges.after_live_in, first, (read, writer), ranges.scop, new)
        inside = end.apply_range(late)
    elif read is None:  # and what came before the last write
        early = _turned(ranges.before_live_out, first, (writer, write), ranges.scop, new)
        inside = begin.apply_range(early.reverse())
    else:
        inside = first.cells.apply_range(ranges.scop.by_name[writer].write.relation.reverse())
        inside = inside.intersect(begin.apply_range(new.may_precede(write, writer)))
        inside = inside.intersect(end.apply_range(new.may_follow(read, writer)))
        inside = inside.subtract(begin) if write == writer else inside
        inside = inside.subtract(end) if read == writer else inside
        copy = new.same_copy(first.array, write, writer)
        inside = inside if copy is None else inside.intersect(begin.apply_range(copy))
        if not first.exact:
            inside = inside.subtract(_other_sources(first, (write, writer), ranges))
    return inside.intersect_params(ranges.scop.assumed)


def _turned(
    edges: Iterable[Edge], first: RangesOf, ends: tuple[str | None, ...], scop: Scop, new: Order
) -> isl.Map:
    """`{ S[i] -> T[j] }`, what the order turns around of the edges between two statements."""
    source, target = (scop.by_name[str(name)].domain.get_space() for name in ends)
    these = (e for e in edges if (e.array, e.source, e.target) == (first.array, *ends))
    return isl.united((new.turned(e) for e in these), source.map_from_domain_and_range(target))


def _other_sources(first: RangesOf, writes: tuple[str, str], ranges: LiveRanges) -> isl.Map:
    """`{ [W[i] -> R[j]] -> X[k] }`: where data decides what is written, X[k], which came after
    W[i], may be what R[j] reads from."""
    begin, end = first.pairs.domain_map(), first.pairs.range_map()
    source, other = (ranges.scop.by_name[name] for name in writes)
    later = begin.apply_range(source.schedule.lex_lt_map(other.schedule))
    key = first.array, other.name, first.end, first.read
    those = (e.relation for e in ranges.flow if (e.array, e.source, e.target, e.read) == key)
    read = isl.united((end.apply_range(m.reverse()) for m in those), later.get_space())
    return later.intersect(read)


# -- all of them -----------------------------------------------------------------------------


def all_ranges(ranges: LiveRanges, arrays: Container[str]) -> dict[str, list[RangesOf]]:
    """The live ranges of some arrays that a program writes, which it has."""
    by_array: dict[str, list[RangesOf]] = {}
    for r in (*value_ranges(ranges, arrays), *_live_in(ranges), *_live_out(ranges)):
        known = r.cells.intersect_params(ranges.scop.assumed)
        if r.array in arrays and not known.is_empty():
            by_array.setdefault(r.array, []).append(r)
    for array, those in by_array.items():
        those += _dead(ranges.scop, array, those)
    return by_array


def value_ranges(ranges: LiveRanges, arrays: Container[str]) -> Iterator[RangesOf]:
    """Those from a write to a read of its value, of some arrays."""
    for e in ranges.flow:
        if e.array in arrays:
            assert e.read is not None
            write = ranges.scop.by_name[e.source].write.relation
            cells = e.relation.domain_map().apply_range(write)
            if not e.exact:
                read = ranges.scop.by_name[e.target].reads[e.read].relation
                cells = cells.intersect(e.relation.range_map().apply_range(read))
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
