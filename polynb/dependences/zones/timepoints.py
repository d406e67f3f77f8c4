"""From zones to timepoints: the ends of intervals."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, TypeVar, overload

from polynb import isl
from polynb.arguments import wrong

Side: TypeAlias = Literal["in", "out"]
AnySet = TypeVar("AnySet", isl.Set, isl.UnionSet)
AnyMap = TypeVar("AnyMap", isl.Map, isl.UnionMap)

SIDES: Final = ("in", "out")


@overload
def shift_dim(x: AnySet, pos: int, amount: int, /) -> AnySet: ...
@overload
def shift_dim(x: AnyMap, side: Side, pos: int, amount: int, /) -> AnyMap: ...
@isl.bounded("the computation of zones")
@isl.guarded
def shift_dim(x: Any, *how: Any) -> Any:
    """A set, or one side of a map ("in" or "out"), with an amount added to the dimension at a
    position; negative positions count from the end, and those of pairs run through both.

    Raises PolynbError for a position that a tuple does not have.
    """
    *side, pos, amount = how
    return _shifted(x, side, pos, amount)


@overload
def zone_to_timepoints(zone: AnySet, incl_start: bool, incl_end: bool, /) -> AnySet: ...
@overload
def zone_to_timepoints(zone: AnyMap, side: Side, incl_start: bool, incl_end: bool, /) -> AnyMap: ...
@isl.bounded("the computation of zones")
@isl.guarded
def zone_to_timepoints(zone: Any, *how: Any) -> Any:
    """The timepoints of zones, a set or one side of a map ("in" or "out"): those inside, with the
    ends that are included. The last dimension is that of the zones' intervals.

    It is right for zones whose last dimension is not bounded by the times at which something runs:
    the zone after the last time of a row, `{ [0, j] : j >= 6 }`, is what makes <0, 5> a start.
    """
    *side, incl_start, incl_end = how
    starts = _shifted(zone, side, -1, -1)
    if incl_start:
        return zone.union(starts) if incl_end else starts
    return zone if incl_end else zone.intersect(starts)


def _shifted(x: Any, side: list[Any], pos: int, amount: int) -> Any:
    if not side:
        return x.apply(_shift(x, pos, amount))
    if side[0] not in SIDES:
        raise wrong("side", side[0], "in or out")
    if side[0] == "in":
        return x.apply_domain(_shift(x.domain(), pos, amount))
    return x.apply_range(_shift(x.range(), pos, amount))


def _shift(x: Any, pos: int, amount: int) -> Any:
    """`{ [i] -> [i + amount] }` in the space of a set, or in each of a union's."""
    if isinstance(x, isl.UnionSet):
        return isl.union_map(_shift(s, pos, amount) for s in isl.sets(x))
    dims = x.dim(isl.SET)
    if not -dims <= pos < dims:
        raise wrong("pos", pos, f"a dimension of {x.get_space()}")
    moved = isl.MultiAff.identity(x.get_space().map_from_set())
    at = pos % dims
    moved = moved.set_aff(at, moved.get_aff(at).add_constant_val(isl.Val(amount)))
    return isl.Map.from_multi_aff(moved)
