"""The set Vio, such that it is sound: which live ranges overlap in a new order.

As in the paper (section 4.3.2), two live ranges of one cell are in conflict if each begins before
the other ends. Here instances are compared, and not their times: a range is never in conflict with
itself, and two that share a time are; the write of an instance comes after its reads. All live
ranges count (see `live`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.dependences import LiveRanges
from polynb.scop.witness import Witness, pair_witness
from polynb.violations.copies import same_copy
from polynb.violations.live import RangesOf
from polynb.violations.orders import Order


@dataclass(frozen=True, eq=False)
class Overlap:
    """Pairs of live ranges of one cell: `{ A[x] -> [[W[i] -> R[j]] -> [X[k] -> T[l]]] }`, of which
    the write X[k] comes within the first range."""

    first: RangesOf
    second: RangesOf
    relation: isl.Map


def broken_flow(ranges: LiveRanges, new: Order) -> Iterator[Witness]:
    """A witness, a `write` and a `read`, for each flow edge whose read is not sure to come after
    its write."""
    for e in ranges.flow:
        wrong = new.may_precede(e.target, e.source).reverse().intersect(e.relation)
        witness = pair_witness(wrong.intersect_params(ranges.scop.assumed), "write", "read")
        if witness is not None:
            yield witness


def overlaps(ranges: LiveRanges, parts: Sequence[RangesOf], new: Order) -> Iterator[Overlap]:
    """The pairs of live ranges of one array that overlap in a new order."""
    original = Order({s.name: s.schedule for s in ranges.scop.statements})
    for first in parts:
        if first.kind == "dead":
            continue  # whatever comes within it overwrites what nobody needs
        for writer in dict.fromkeys(r.write for r in parts if r.write is not None):
            within = _within(first, writer, ranges, new)
            if within.is_empty():
                continue
            within = within.subtract(_excused(first, writer, ranges, original))
            if not within.is_empty():
                for second in parts:
                    if second.write == writer:
                        yield from _joined(first, second, within)


def _joined(first: RangesOf, second: RangesOf, within: isl.Map) -> Iterator[Overlap]:
    pairs = within.apply_range(second.pairs.domain_map().reverse())
    relation = first.by_cell().range_product(second.by_cell()).intersect_range(pairs.wrap())
    if not relation.is_empty():
        yield Overlap(first, second, relation)


def _within(first: RangesOf, writer: str, ranges: LiveRanges, new: Order) -> isl.Map:
    """`{ [W[i] -> R[j]] -> X[k] }` where X[k] may write the cell between the two, and is another
    instance."""
    begin, end = first.pairs.domain_map(), first.pairs.range_map()
    pairs = first.cells.apply_range(ranges.scop.by_name[writer].write.relation.reverse())
    if first.write is not None:
        pairs = pairs.intersect(begin.apply_range(new.may_precede(first.write, writer)))
        if first.write == writer:
            pairs = pairs.subtract(begin)
    if first.end is not None:
        pairs = pairs.intersect(end.apply_range(new.may_precede(writer, first.end).reverse()))
        if first.end == writer:
            pairs = pairs.subtract(end)
    return _in_one_copy(first, writer, pairs, new).intersect_params(ranges.scop.assumed)


def _in_one_copy(first: RangesOf, writer: str, found: isl.Map, new: Order) -> isl.Map:
    parts = new.copies.get(first.array)
    if parts is None or first.write is None:
        return found
    same = same_copy(parts, first.write, writer)
    if same is None:
        return isl.Map.empty(found.get_space())
    return found.intersect(first.pairs.domain_map().apply_range(same))


def _excused(first: RangesOf, writer: str, ranges: LiveRanges, original: Order) -> isl.Map:
    """`{ [W[i] -> R[j]] -> X[k] }`: where data decides what is written, several writes may be the
    source of one read (or what remains). What came later, or behind what was there before the
    program, still may."""
    begin, end = first.pairs.domain_map(), first.pairs.range_map()
    if first.end is None:
        return begin.apply_range(_before(first.write, writer, original))
    if first.write is None:
        return end.apply_range(_before(writer, first.end, original).reverse())
    later = begin.apply_range(_before(first.write, writer, original))
    excused = isl.Map.empty(later.get_space())
    key = first.array, writer, first.end, first.read
    for e in () if first.exact else ranges.flow:
        if (e.array, e.source, e.target, e.read) == key:
            excused = excused.union(later.intersect(end.apply_range(e.relation.reverse())))
    return excused


def _before(first: str | None, then: str | None, order: Order) -> isl.Map:
    """`{ W[i] -> X[k] }` of statements that there are, the first before the other."""
    assert first is not None
    assert then is not None
    return order.times[first].lex_lt_map(order.times[then])
