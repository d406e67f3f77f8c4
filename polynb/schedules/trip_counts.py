"""How often loops iterate, and how well that fills a machine (CC'18, section 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from polynb import isl
from polynb.arguments import objects, optional, values
from polynb.errors import PolynbError
from polynb.legality.carried import LoopWithin
from polynb.schedules.bands import loop_label
from polynb.scop.model import Scop

UNROLLED: Final = 64
"""Iterations that a loop may have and be unrolled."""


@isl.bounded("the trip count")
def trip_count(
    loops: Iterable[tuple[isl.Map, isl.Map]], sizes: Mapping[str, int] | None = None
) -> int | None:
    """The most values that one loop takes for one value of the loops around it; None where the
    parameters decide.

    `loops` has for each statement in the loop `{ S[i] -> [t] }`, its values, and
    `{ S[i] -> [t1, ..., tk] }`, those of the loops around. `sizes` are parameter values to count
    at.
    """
    loops = objects("loops", loops, _is_loop, "pairs of maps", "(values, those around)")
    sizes = optional(values, "sizes", sizes)
    fixed = [(isl.fix_parameters(v, sizes or {}), outer) for v, outer in loops]
    fixed = [(v, outer) for v, outer in fixed if not v.is_empty()]
    if not fixed:
        return 0
    everywhere = _extent([v.range() for v, _ in fixed])
    if everywhere is not None and everywhere <= 1:
        return everywhere
    inside = [_for_outer_values(v, isl.fix_parameters(o, sizes or {})) for v, o in fixed]
    each = [_for_one_outer_value(x) for x in inside]
    if None in each or (everywhere is not None and len(fixed) > 1):
        return everywhere
    # Statements that share a loop may run in different parts of it, as the parameters decide.
    there = each[0] if len(fixed) == 1 else _for_one_outer_value(isl.united(inside))
    return there if everywhere is None or there is None else min(there, everywhere)


def _is_loop(x: object) -> bool:
    return isinstance(x, tuple) and len(x) == 2 and all(isinstance(m, isl.Map) for m in x)


def _for_outer_values(values: isl.Map, outer: isl.Map) -> isl.Map:
    """`{ [t1, ..., tk] -> [t] }`: what a loop takes for each value of those around it."""
    return outer.intersect_domain(values.domain()).reverse().apply_range(values)


def _for_one_outer_value(inside: isl.Map) -> int | None:
    return _extent([inside.reverse().apply_range(inside).deltas()], above=0)


def _extent(ranges: list[isl.Set], above: int | None = None) -> int | None:
    """From the least (or from `above`) to the largest number of some sets `{ [t] }`."""
    highest = [r.dim_max_val(0) for r in ranges]
    lowest = [isl.Val(above) if above is not None else r.dim_min_val(0) for r in ranges]
    if not all(v.is_int() for v in (*highest, *lowest)):
        return None
    stride = isl.united(ranges).get_stride(0).to_python()
    first = min(v.to_python() for v in lowest)
    return int((max(v.to_python() for v in highest) - first) // max(stride, 1)) + 1


def occupancy(trips: int | None, threads: int) -> float:
    """The part of the time that a loop of so many equal iterations keeps the threads busy, shared
    out statically; a count that the parameters decide is taken to be large."""
    if trips is None or threads == 1:
        return 1.0
    rounds = -(-trips // threads)
    return trips / (rounds * threads) if trips else 0.0


def check_short(scop: Scop, loop: LoopWithin) -> None:
    """Raises PolynbError for a loop of which it is not known that it has few iterations."""
    trips = trip_count(loop.with_outer)
    if trips is None or trips > UNROLLED:
        count = "as many iterations as the parameters say" if trips is None else f"{trips} of them"
        raise PolynbError(
            f"{loop_label(scop, loop.band, loop.member)} cannot be unrolled",
            reason=f"it has {count}",
            hint=f"tile it: the point loops of tiles of up to {UNROLLED} can be",
        )
