"""Relations of pairs, `{ [A -> B] -> C }`: turned around, distributed, lifted, applied to."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from polynb import isl
from polynb.errors import PolynbError
from polynb.words import counted

AnyMap = TypeVar("AnyMap", isl.Map, isl.UnionMap)


@overload
def singleton(union: isl.UnionSet, space: isl.Space) -> isl.Set: ...
@overload
def singleton(union: isl.UnionMap, space: isl.Space) -> isl.Map: ...
@isl.bounded("the computation of zones")
@isl.guarded
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


@isl.bounded("the computation of zones")
@isl.guarded
def identity_map(domain: isl.UnionSet, restrict: bool) -> isl.UnionMap:
    """`{ X -> X }` of a set's members if restricted to it, else of all points of its spaces."""
    if restrict:
        return domain.identity()
    return isl.union_map(isl.Map.identity(s.get_space().map_from_set()) for s in isl.sets(domain))


@isl.bounded("the computation of zones")
@isl.guarded
def reverse_domain(m: AnyMap) -> AnyMap:
    """`{ [A -> B] -> C }` as `{ [B -> A] -> C }`."""
    return m.domain_reverse()


@isl.bounded("the computation of zones")
@isl.guarded
def distribute_domain(m: AnyMap) -> AnyMap:
    """`{ D -> [A -> B] }` as `{ [D -> A] -> [D -> B] }`; which A go with which B is kept."""
    pairs = m.uncurry()  # { [D -> A] -> B }
    return pairs.domain().unwrap().domain_map().range_product(pairs)


@isl.bounded("the computation of zones")
@isl.guarded
def lift_domains(m: isl.UnionMap, factor: isl.UnionSet) -> isl.UnionMap:
    """`{ D -> R }` as `{ [F -> D] -> [F -> R] }`, for every F of the factor."""
    return factor.identity().product(m)


@isl.bounded("the computation of zones")
@isl.guarded
def apply_domain_range(m: isl.UnionMap, relation: isl.UnionMap) -> isl.UnionMap:
    """`{ [A -> B] -> C }` with `{ B -> D }` applied to what is B: `{ [A -> D] -> C }`."""
    return m.apply_domain(lift_domains(relation, m.domain().unwrap().domain()))
