"""Which members of a band carry nothing, where the constraints did not ask (as PPCG's do not on a
CPU)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from polynb import isl
from polynb.dependences import Edge, LiveRanges
from polynb.legality.carried import member
from polynb.scop.schedule import Band, Filter, Tree, with_coincident
from polynb.scop.tree_walk import rewrite_within

Pair = tuple[Edge, isl.Map]
"""A dependence, and those of its pairs `{ S[i] -> T[j] }` that are together so far."""


def with_coincidence(tree: Tree, ranges: LiveRanges) -> Tree:
    """The tree with a member marked coincident just if all flow and forced dependences have
    distance 0 in it, and the order dependences of all arrays but those whose live ranges are local
    to the band: of these, every iteration could have a copy."""
    assumed = ranges.scop.assumed
    strict = [(e, e.relation.intersect_params(assumed)) for e in (*ranges.flow, *ranges.forced)]
    order = [(e, e.relation.intersect_params(assumed)) for e in ranges.order]
    arriving = _Arriving(tuple(strict), tuple(order))

    def change(node: Tree, here: _Arriving) -> Tree | None:
        if not isinstance(node, Band):
            return None
        child = rewrite_within(node.child, _below(node, here), _below, change)
        return replace(_band(node, here, ranges), child=child)

    return rewrite_within(tree, arriving, _below, change)


@dataclass(frozen=True, eq=False)
class _Arriving:
    """The pairs that no loop outside has apart; `order` of order dependences."""

    strict: tuple[Pair, ...]
    order: tuple[Pair, ...]

    def kept(self, some: Callable[[Pair], Iterable[Pair]]) -> _Arriving:
        """What a function leaves of each of them."""
        strict = tuple(q for p in self.strict for q in some(p))
        return _Arriving(strict, tuple(q for p in self.order for q in some(p)))


def _below(node: Tree, here: _Arriving) -> _Arriving:
    match node:
        case Filter(domains=d):
            return here.kept(lambda p: [p] if p[0].source in d and p[0].target in d else [])
        case Band(members=members):
            return here.kept(lambda p: _in_one_iteration(members, p))
    return here


def _in_one_iteration(members: Mapping[str, isl.Map], pair: Pair) -> Iterable[Pair]:
    e, r = pair
    left = r.intersect(_together(members, e))
    return [] if left.is_empty() else [(e, left)]


def _band(band: Band, here: _Arriving, ranges: LiveRanges) -> Band:
    local = {
        e.array
        for e in ranges.flow
        if not ranges.scop.arrays[e.array].live_out and not ranges.scop.arrays[e.array].live_in
    }
    flow = (p for p in here.strict if p[0] in ranges.flow)
    local -= {p[0].array for p in flow if not _same(p, band.members)}
    obstacles = [*here.strict, *(p for p in here.order if p[0].array not in local)]
    each = [{n: member(m, k) for n, m in band.members.items()} for k in range(band.depth)]
    return with_coincident(band, [all(_same(p, values) for p in obstacles) for values in each])


def _together(members: Mapping[str, isl.Map], e: Edge) -> isl.Map:
    """`{ S[i] -> T[j] }` at the same values of some loops, for the statements of an edge."""
    return members[e.source].apply_range(members[e.target].reverse())


def _same(pair: Pair, members: Mapping[str, isl.Map]) -> bool:
    return bool(pair[1].is_subset(_together(members, pair[0])))
