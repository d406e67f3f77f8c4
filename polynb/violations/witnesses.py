"""Two live ranges that overlap, at small parameter values."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.legality.pair import LiveRange, ViolatedPair, time_of
from polynb.scop.witness import Instance, cell_text
from polynb.violations.live import RangesOf
from polynb.violations.overlaps import Overlap


def violated_pair(overlap: Overlap, times: Mapping[str, isl.Map]) -> ViolatedPair:
    """A small pair of an overlap that is not empty, with its times `{ S[i] -> [t] }`."""
    first, second = overlap.first, overlap.second
    found = isl.witness(overlap.relation.wrap().flatten())
    assert found is not None
    values, point = found
    index = overlap.relation.dim(isl.IN)
    middle = index + first.pairs.dim(isl.IN) + first.pairs.dim(isl.OUT)
    return ViolatedPair(
        first.kind,
        first.array,
        cell_text(first.array, point[:index]),
        _live_range(first, point[index:middle], times, values),
        _live_range(second, point[middle:], times, values),
        values,
        first.exact and second.exact,
    )


def _live_range(
    r: RangesOf, point: tuple[int, ...], times: Mapping[str, isl.Map], values: Mapping[str, int]
) -> LiveRange:
    between = r.pairs.dim(isl.IN)
    write = None if r.write is None else Instance(r.write, point[:between])
    end = None if r.end is None or r.kind == "dead" else Instance(r.end, point[between:])
    return LiveRange(
        write,
        end,
        None if write is None else time_of(write, times, values),
        None if end is None else time_of(end, times, values),
        remains=r.kind == "live-out",
    )
