"""The set Vio, such that it is sound: live ranges that overlap in a new order (section 4.3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.dependences import LiveRanges
from polynb.legality.order import Order
from polynb.legality.ranges import RangesOf, all_ranges, doubted, within


@dataclass(frozen=True, eq=False)
class Overlap:
    """Pairs of live ranges of one cell: `{ A[x] -> [[W[i] -> R[j]] -> [X[k] -> T[l]]] }`, of which
    the write X[k] comes within the first range."""

    first: RangesOf
    second: RangesOf
    relation: isl.Map


def overlapping(ranges: LiveRanges, new: Order) -> dict[str, list[Overlap]]:
    """The live ranges that overlap in a new order, of each array where some do."""
    parts = all_ranges(ranges, doubted(ranges, new))
    by_array = {array: list(_overlaps(ranges, part, new)) for array, part in parts.items()}
    return {array: here for array, here in by_array.items() if here}


def _overlaps(ranges: LiveRanges, parts: Sequence[RangesOf], new: Order) -> Iterator[Overlap]:
    for first in parts:
        if first.kind == "dead":
            continue  # whatever comes within it overwrites what nobody needs
        for writer in dict.fromkeys(r.write for r in parts if r.write is not None):
            inside = within(first, writer, ranges, new)
            if not inside.is_empty():
                for second in parts:
                    if second.write == writer:
                        yield from _joined(first, second, inside)


def _joined(first: RangesOf, second: RangesOf, inside: isl.Map) -> Iterator[Overlap]:
    pairs = inside.apply_range(second.pairs.domain_map().reverse())
    relation = first.by_cell().range_product(second.by_cell()).intersect_range(pairs.wrap())
    if not relation.is_empty():
        yield Overlap(first, second, relation)
