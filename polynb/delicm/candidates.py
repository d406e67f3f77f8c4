"""Scalars that may be mapped, and what their values need of the elements they are mapped to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.delicm.knowledge import Knowledge, unknown
from polynb.delicm.targets import MappingTarget
from polynb.delicm.timing import Times, last, lifetime
from polynb.dependences import Dependences, Edge
from polynb.scop.model import Array


@dataclass(frozen=True, eq=False)
class MappableScalar:
    """A scalar all of whose values are made and used by the program: `uses`, the flow through it,
    `{ D[i] -> R[j] }`, from each definition to each read. Definitions that nobody reads need no
    memory."""

    name: str
    uses: tuple[Edge, ...]

    @property
    def definitions(self) -> dict[str, isl.Set]:
        """`{ D[i] }` of each statement that defines it: the instances whose value is read."""
        needed = isl.united_by((e.source, e.relation.domain()) for e in self.uses)
        return {name: isl.coalesced(s) for name, s in needed.items()}


def unmappable(dependences: Dependences, scalar: str, target: Array) -> str | None:
    """Why a scalar can't be mapped to elements of an array, whatever these hold; None if it can."""
    scop = dependences.scop
    array = scop.arrays[scalar]
    writers = [s for s in scop.statements if s.write.array == scalar]
    if not writers:
        return f"{scalar} is not written in the program"
    if array.role != "temp":
        return (
            f"{scalar} is live-out: it may be used after the program. "
            f"Add `temp {scalar};` or `--temp {scalar}` if it is not"
        )
    if not all(s.write.must for s in writers):
        return f"data decides whether {scalar} is written"
    flow = dependences.flow(scalar)
    if any(not m.intersect_params(scop.assumed).is_empty() for m in flow.live_in.values()):
        return f"{scalar} may be read before it is written"
    if array.type != target.type:
        return f"{scalar} is {array.type}, and {target.name} {target.type}"
    return None


def candidate(dependences: Dependences, scalar: str) -> MappableScalar:
    """A scalar that can be mapped."""
    assumed = dependences.scop.assumed
    edges = dependences.flow(scalar).edges
    return MappableScalar(
        scalar, tuple(e for e in edges if not e.relation.intersect_params(assumed).is_empty())
    )


def cells_by_definition(c: MappableScalar, target: MappingTarget, at: Times) -> dict[str, isl.Map]:
    """`{ D[i] -> A[x] }`: the element that is overwritten next after each definition."""
    return {
        name: target.cells(at[name].intersect_domain(used), at)
        for name, used in c.definitions.items()
    }


def cells_by_last_use(c: MappableScalar, target: MappingTarget, at: Times) -> dict[str, isl.Map]:
    """`{ D[i] -> A[x] }`: the element that is overwritten next after the last use of each value."""
    return {name: target.cells(m, at) for name, m in _last_uses(c, at).items()}


def _last_uses(c: MappableScalar, at: Times) -> dict[str, isl.Map]:
    """`{ D[i] -> [t] }`: when the value of each definition is read for the last time."""
    reads = isl.united_by((e.source, e.relation.apply_range(at[e.target])) for e in c.uses)
    return {name: last(m) for name, m in reads.items()}


def proposal(
    c: MappableScalar, cells: Mapping[str, isl.Map], at: Times, values: Mapping[str, isl.UnionMap]
) -> Knowledge:
    """What the values of a scalar need of the elements that they are mapped to, and put there.

    Occupied: each element in the lifetime ]definition, last use] of the values in it; known there:
    the value of the definition, which is written at its time.
    """
    ends = _last_uses(c, at)
    occupied, known, written = [], [], []
    for name, element in cells.items():
        begin = at[name].intersect_domain(c.definitions[name])
        zone = _placed(element, lifetime(begin, ends[name]))
        occupied.append(zone.range())
        if name in values:
            known.append(zone.reverse().to_union_map().apply_range(values[name]))
        written.append(written_at(element, begin, values.get(name)))
    return Knowledge(isl.union_set(occupied), None, isl.union_map(known), isl.union_map(written))


def written_at(element: isl.Map, at: isl.Map, values: isl.UnionMap | None) -> isl.UnionMap:
    """`{ [A[x] -> [t]] -> V[i] }`, what is written where and when, of `{ D[i] -> A[x] }`,
    `{ D[i] -> [t] }` and values `{ D[i] -> V[i] }`; `[]` where the value is not known."""
    places = _placed(element, at).reverse().to_union_map()
    if values is None:
        return unknown(places.domain())
    known = places.apply_range(values)
    return known.union(unknown(places.domain().subtract(known.domain())))


def _placed(element: isl.Map, at: isl.Map) -> isl.Map:
    """`{ D[i] -> [A[x] -> [t]] }` of `{ D[i] -> A[x] }` and `{ D[i] -> [t] }`."""
    return element.range_product(at)
