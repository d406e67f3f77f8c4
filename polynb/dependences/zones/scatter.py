"""Times before, after and between times."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from polynb import isl

AnyMap = TypeVar("AnyMap", isl.Map, isl.UnionMap)


@isl.bounded("the computation of zones")
@isl.guarded
def before_scatter(times: AnyMap, strict: bool) -> AnyMap:
    """`{ X -> [u] }`, every time u before one of `times { X -> [t] }`; or at it, if not strict."""
    return _related(times, isl.Map.lex_gt if strict else isl.Map.lex_ge)


@isl.bounded("the computation of zones")
@isl.guarded
def after_scatter(times: AnyMap, strict: bool) -> AnyMap:
    """`{ X -> [u] }`, every time u after one of `times { X -> [t] }`; or at it, if not strict."""
    return _related(times, isl.Map.lex_lt if strict else isl.Map.lex_le)


@isl.bounded("the computation of zones")
@isl.guarded
def between_scatter(first: AnyMap, last: AnyMap, incl_first: bool, incl_last: bool) -> AnyMap:
    """`{ X -> [u] }`, every time u after `first { X -> [t] }` and before `last { X -> [t] }`, with
    the ends that are included."""
    after = after_scatter(first, not incl_first)
    return after.intersect(before_scatter(last, not incl_last))


def num_scatter_dims(schedule: isl.UnionMap) -> int:
    """The dimensions of time: the most that a statement has in `{ S[i] -> [t] }`; 0 of none."""
    return max((m.dim(isl.OUT) for m in isl.maps(isl.as_union(schedule))), default=0)


def scatter_space(schedule: isl.UnionMap) -> isl.Space:
    """The space of the timepoints of a schedule `{ S[i] -> [t] }`, which has no name."""
    parameters: isl.Space = isl.as_union(schedule).get_space().params()
    return parameters.set_from_params().add_dims(isl.SET, num_scatter_dims(schedule))


def _related(times: AnyMap, order: Callable[[isl.Space], isl.Map]) -> AnyMap:
    if isinstance(times, isl.Map):
        return times.apply_range(order(times.get_space().range()))
    orders = (order(s.get_space()) for s in isl.sets(times.range()))
    return times.apply_range(isl.union_map(orders))
