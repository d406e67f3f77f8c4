"""Places that data decides but for what is added to them: `row[e + 2*c]` is as far from `row[e]`
for every e. So of two loads, cells are compared that are as far from the place of each."""

from __future__ import annotations

from dataclasses import dataclass

from polynb import isl
from polynb.proofs import wholes
from polynb.proofs.nodes import ValueNode
from polynb.source.limits import ValueLimits, extremum
from polynb.source.types import INT64, holds


@dataclass(frozen=True, eq=False)
class PickedPlace:
    """A place, which data decides, and what is added to it, `{ S[i] -> [e] }`."""

    node: ValueNode
    added: isl.PwAff

    @property
    def itself(self) -> bool:
        return wholes.constant(self.added) == 0

    @property
    def values(self) -> isl.Set | None:
        """`{ [p] }`, those that the place may have, where its operations show which."""
        known = _limits(self.node).known
        return known and isl.read_set(f"{{ [p] : {known[0]} <= p <= {known[1]} }}")


def place_of(subscript: ValueNode) -> PickedPlace:
    """A subscript of a load. (64 bits hold what is computed in them: see `wholes`.)"""
    node, added = subscript, wholes.number(0, subscript.home.space)
    while (found := _without_whole(node)) is not None:
        node, further = found
        added = added.add(further)
    return PickedPlace(node, isl.coalesced(added))


def _without_whole(x: ValueNode) -> tuple[ValueNode, isl.PwAff] | None:
    """The two parts of a sum of which one is known but for iterators and parameters, in 64 bits;
    None for what is none, or not seen to fit the bits that it is computed in."""
    inside = x.operands[0] if x.op == "convert" else x
    if inside.op not in ("+", "-") or len(inside.operands) < 2 or inside.type.is_float:
        return None
    if inside.type is not INT64 and _limits(inside).known is None:
        return None
    a, b = inside.operands
    if b.op == "whole":
        return a.home.convert(INT64, a), b.what if inside.op == "+" else b.what.neg()
    return (b.home.convert(INT64, b), a.what) if a.op == "whole" and inside.op == "+" else None


def places(load: ValueNode) -> tuple[ValueNode, ...]:
    """What has to be the same for two loads to pick the same of what is `lifted`: of dimensions in
    which any cell may be picked the places, whatever is added; of others the whole subscripts."""
    free = free_dimensions(load)
    subscripts = load.operands[1:]
    rows, picked = subscripts[: len(subscripts) - free], subscripts[len(subscripts) - free :]
    return (*rows, *(place_of(x).node for x in picked))


def free_dimensions(node: ValueNode) -> int:
    """In how many dimensions an operand may read any cell."""
    lifts = (x.what.lift for x in node.operands[:1] if x.op == "read")
    return sum(m.dim(isl.OUT) - m.dim(isl.IN) for m in lifts if m is not None)


def lifted(relation: isl.Map, a: ValueNode, b: ValueNode) -> isl.Map:
    """`{ P[i, x] -> Q[j, y] }`, which of the cells that two loads may pick are compared, of the
    `{ S[i] -> T[j] }` of the loads; the same where they pick from rows that were written so."""
    lifts = [x.operands[0].what.lift for x in (a, b)]
    if lifts[0] is None or lifts[1] is None:
        return relation
    n, m = relation.dim(isl.IN), relation.dim(isl.OUT)
    relation = relation.apply_domain(lifts[0]).apply_range(lifts[1])
    count = lifts[0].dim(isl.OUT) - n
    for k in range(count):
        p, q = (place_of(x.operands[k - count]) for x in (a, b))
        if p.itself and q.itself and p.values is None and q.values is None:
            relation = relation.equate(isl.IN, n + k, isl.OUT, m + k)
        else:
            first, second = _distance(lifts[0], n + k, p), _distance(lifts[1], m + k, q)
            relation = relation.intersect(first.apply_range(second.reverse()))
    return relation


def _distance(lift: isl.Map, k: int, place: PickedPlace) -> isl.Map:
    """`{ P[i, x] -> [x_k - e] }`, how far a cell is from the place."""
    cells = lift.range()
    added = place.added.pullback_pw_multi_aff(lift.reverse().as_pw_multi_aff())
    local = isl.LocalSpace.from_space(cells.get_space())
    x = isl.Aff.var_on_domain(local, isl.SET, k).to_pw_aff()
    found = isl.Map.from_pw_aff(x.sub(added)).intersect_domain(cells)
    return found if place.values is None else found.intersect_range(place.values)


def _limits(x: ValueNode) -> ValueLimits:
    """From where to where the values of a whole number are, as far as its operations show it."""
    if x.op == "whole":
        value = wholes.constant(x.what)
        return ValueLimits(value, value)
    if x.op == "convert" and holds(x.type, x.operands[0].type):
        return _limits(x.operands[0])
    if x.op in ("+", "-") and len(x.operands) == 2 and not x.type.is_float:
        a, b = map(_limits, x.operands)
        return a.plus(b if x.op == "+" else b.negated).within(x.type)
    if x.op == "call" and x.what in ("min", "max") and not x.type.is_float:
        return extremum(x.what, map(_limits, x.operands))
    return ValueLimits()
