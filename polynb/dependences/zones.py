"""When cells are used: relations of time, zones between timepoints, reaching writes, unused zones.

A *scatter* relation gives each instance its time, `{ S[i] -> [t] }`, in one space without a name
for all statements. A *timepoint* is an integer point of that space. A *zone* is a set of them in
which an integer i of the last dimension stands for the open interval ]i-1, i[, so that
`{ [i] : 1 <= i <= 3 }` is ]0, 3[. Reads at a timepoint happen before writes at it. Zones are not
bounded by the times at which something runs: the last dimension goes on to infinity.

DeLICM (Kruse, Grosser), section 2; the names are those of its implementation in Polly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, ParamSpec, TypeAlias, TypeVar, overload

from polynb import isl
from polynb.arguments import wrong
from polynb.errors import PolynbError
from polynb.words import counted

Side: TypeAlias = Literal["in", "out"]
AnySet = TypeVar("AnySet", isl.Set, isl.UnionSet)
AnyMap = TypeVar("AnyMap", isl.Map, isl.UnionMap)
P = ParamSpec("P")
R = TypeVar("R")

SIDES: Final = ("in", "out")


def _of_zones(function: Callable[P, R]) -> Callable[P, R]:
    """Within the budget for zones, with isl's failures as errors."""
    return isl.bounded("the computation of zones")(isl.guarded(function))


# -- times before, after and between times ---------------------------------------------------


@_of_zones
def before_scatter(times: AnyMap, strict: bool) -> AnyMap:
    """`{ X -> [u] }`, every time u before one of `times { X -> [t] }`; or at it, if not strict."""
    return _related(times, isl.Map.lex_gt if strict else isl.Map.lex_ge)


@_of_zones
def after_scatter(times: AnyMap, strict: bool) -> AnyMap:
    """`{ X -> [u] }`, every time u after one of `times { X -> [t] }`; or at it, if not strict."""
    return _related(times, isl.Map.lex_lt if strict else isl.Map.lex_le)


@_of_zones
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


# -- relations of pairs, `{ [A -> B] -> C }`: turned around, distributed, lifted, applied to ---


@overload
def singleton(union: isl.UnionSet, space: isl.Space) -> isl.Set: ...
@overload
def singleton(union: isl.UnionMap, space: isl.Space) -> isl.Map: ...
@_of_zones
def singleton(union: Any, space: isl.Space) -> Any:
    """The only set or map of a union, which is in this space; the empty one there, if it has none.

    Raises PolynbError for a union that has several, or one of another space.
    """
    is_set = isinstance(union, isl.UnionSet)
    found: list[Any] = list(isl.sets(union) if is_set else isl.maps(union))
    empty = isl.Set.empty(space) if is_set else isl.Map.empty(space)
    if len(found) > 1:
        raise PolynbError(f"{union} has {counted(len(found), 'space')}, not one")
    # Union aligns the parameters; of different tuples there is none.
    if found and not found[0].get_space().has_equal_tuples(empty.get_space()):
        raise PolynbError(f"{union} is not in the space {space}")
    return found[0].union(empty) if found else empty


@_of_zones
def identity_map(domain: isl.UnionSet, restrict: bool) -> isl.UnionMap:
    """`{ X -> X }` of a set's members if restricted to it, else of all points of its spaces."""
    if restrict:
        return domain.identity()
    return isl.union_map(isl.Map.identity(s.get_space().map_from_set()) for s in isl.sets(domain))


@_of_zones
def reverse_domain(m: AnyMap) -> AnyMap:
    """`{ [A -> B] -> C }` as `{ [B -> A] -> C }`."""
    return m.domain_reverse()


@_of_zones
def distribute_domain(m: AnyMap) -> AnyMap:
    """`{ D -> [A -> B] }` as `{ [D -> A] -> [D -> B] }`; which A go with which B is kept."""
    pairs = m.uncurry()  # { [D -> A] -> B }
    return pairs.domain().unwrap().domain_map().range_product(pairs)


@_of_zones
def lift_domains(m: isl.UnionMap, factor: isl.UnionSet) -> isl.UnionMap:
    """`{ D -> R }` as `{ [F -> D] -> [F -> R] }`, for every F of the factor."""
    return factor.identity().product(m)


@_of_zones
def apply_domain_range(m: isl.UnionMap, relation: isl.UnionMap) -> isl.UnionMap:
    """`{ [A -> B] -> C }` with `{ B -> D }` applied to what is B: `{ [A -> D] -> C }`."""
    return m.apply_domain(lift_domains(relation, m.domain().unwrap().domain()))


# -- from zones to timepoints: the ends of intervals -----------------------------------------


@overload
def shift_dim(x: AnySet, pos: int, amount: int, /) -> AnySet: ...
@overload
def shift_dim(x: AnyMap, side: Side, pos: int, amount: int, /) -> AnyMap: ...
@_of_zones
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
@_of_zones
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


# -- which write a cell's content at a time is of, and which comes next ----------------------


@_of_zones
def reaching_write(
    schedule: isl.UnionMap,
    writes: isl.UnionMap,
    reverse: bool,
    incl_prev: bool,
    incl_next: bool,
) -> isl.UnionMap:
    """`{ [A[x] -> [t]] -> S[i] }`, the last write of each cell before each time, of a schedule
    `{ S[i] -> [t] }` and writes `{ S[i] -> A[x] }`; in reverse, the next one after it.

    A write's times run from itself to the next write of the cell (in reverse, from the previous
    one to itself). The ends are included as said, so that the zone ]write, next] is that with
    `incl_next` alone. Where two writes of a cell have one time, both reach.

    DeLICM, section 2, "reaching definition".
    """
    space = scatter_space(schedule)
    written = schedule.apply_domain(writes)  # { A[x] -> [w] }
    if reverse:
        order = isl.Map.lex_lt(space) if incl_prev else isl.Map.lex_le(space)
    else:
        order = isl.Map.lex_gt(space) if incl_next else isl.Map.lex_ge(space)
    to_pairs = order.range_map().reverse().to_union_map()  # { [w] -> [[t] -> [w]] }
    reachable = written.apply_range(to_pairs).uncurry()  # { [A[x] -> [t]] -> [w] }
    reaching = reachable.lexmin() if reverse else reachable.lexmax()
    own = written.range_map()  # { [A[x] -> [w]] -> [w] }
    if incl_prev and incl_next:
        reaching = reaching.union(own)
    elif not (incl_prev or incl_next):
        reaching = reaching.subtract(own)
    instances = reaching.apply_range(schedule.reverse())
    # Of what runs at a write's time, only that which writes the cell.
    return instances.curry().intersect_range_factor_range(writes.reverse()).uncurry()


# -- when nobody needs what a cell has -------------------------------------------------------


@_of_zones
def array_unused(
    schedule: isl.UnionMap,
    writes: isl.UnionMap,
    reads: isl.UnionMap,
    read_in_same_instance: bool,
    incl_last_read: bool,
    incl_write: bool,
) -> isl.UnionMap:
    """`{ A[x] -> [t] }`, when a cell's content is not needed, of a schedule `{ S[i] -> [t] }`,
    writes that surely happen and all reads `{ S[i] -> A[x] }`.

    A cell is unused before each write of it, back to the last read of it that is not before the
    previous write; without such a read, back to the previous write, or for ever. So cells are
    needed after their last write, and those that are never written, always. The two ends are
    included as said. A read at the time of a write is of the value that is overwritten, unless
    `read_in_same_instance`: then it is of the new one.

    DeLICM, section 2, "unused locations".
    """
    overwrite = reaching_write(
        schedule, writes, True, read_in_same_instance, not read_in_same_instance
    )
    read_at = schedule.apply_domain(reads).wrap()
    read = _times_by_write(overwrite.intersect_domain(read_at))
    written = writes.reverse().range_map().apply_range(schedule)  # { [A[x] -> S[i]] -> [t] }
    after_reads = between_scatter(read.lexmax(), written, incl_last_read, incl_write)
    zone = _times_by_write(reaching_write(schedule, writes, True, incl_last_read, incl_write))
    not_read = zone.subtract_domain(read.domain())
    return after_reads.union(not_read).domain_factor_domain()


def _times_by_write(m: isl.UnionMap) -> isl.UnionMap:
    """`{ [A[x] -> [t]] -> S[i] }` as `{ [A[x] -> S[i]] -> [t] }`."""
    return reverse_domain(m).curry().reverse()
