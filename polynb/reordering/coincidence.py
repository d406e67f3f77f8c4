"""Which members of a band carry nothing, where the constraints did not ask (as PPCG's do not on a
CPU)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from polynb import isl
from polynb.dependences import Edge, LiveRanges
from polynb.scop.schedule import Band, Filter, Leaf, Mark, Sequence as Sequenced, Tree

Pair = tuple[Edge, isl.Map]
"""A dependence, and those of its pairs `{ S[i] -> T[j] }` that are together so far."""


def with_coincidence(tree: Tree, ranges: LiveRanges) -> Tree:
    """The tree with a member marked coincident just if all flow and forced dependences have
    distance 0 in it, and the order dependences of all arrays but those whose live ranges are local
    to the band: of these, every iteration could have a copy."""
    assumed = ranges.scop.assumed
    strict = [(e, e.relation.intersect_params(assumed)) for e in (*ranges.flow, *ranges.forced)]
    order = [(e, e.relation.intersect_params(assumed)) for e in ranges.order]
    return _visit(tree, strict, order, ranges)


def _visit(tree: Tree, strict: Sequence[Pair], order: Sequence[Pair], ranges: LiveRanges) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Mark(child=c):
            return replace(tree, child=_visit(c, strict, order, ranges))
        case Filter(child=c, domains=d):
            strict = [p for p in strict if _within(p[0], d)]
            order = [p for p in order if _within(p[0], d)]
            return replace(tree, child=_visit(c, strict, order, ranges))
        case Sequenced(children=children):
            new = (_visit(f, strict, order, ranges) for f in children)
            return Sequenced(tuple(f for f in new if isinstance(f, Filter)))
        case Band():
            return _band(tree, strict, order, ranges)
    assert_never(tree)


def _within(e: Edge, names: Mapping[str, isl.Set | None]) -> bool:
    return e.source in names and e.target in names


def _band(band: Band, strict: Sequence[Pair], order: Sequence[Pair], ranges: LiveRanges) -> Band:
    together = {
        (s, t): band.members[s].apply_range(band.members[t].reverse())
        for s in band.members
        for t in band.members
    }
    local = {
        e.array
        for e in ranges.flow
        if not ranges.scop.arrays[e.array].live_out and not ranges.scop.arrays[e.array].live_in
    }
    local -= {e.array for e, r in strict if e in ranges.flow and not _same(e, r, together)}
    obstacles = [*strict, *(p for p in order if p[0].array not in local)]
    coincident = tuple(
        all(_same(e, r, _member(band, k)) for e, r in obstacles) for k in range(band.depth)
    )
    child = _visit(band.child, _kept(strict, together), _kept(order, together), ranges)
    return replace(band, coincident=coincident, child=child)


def _member(band: Band, k: int) -> Mapping[tuple[str, str], isl.Map]:
    def only(m: isl.Map) -> isl.Map:
        return m.project_out(isl.OUT, k + 1, band.depth - k - 1).project_out(isl.OUT, 0, k)

    f = {n: only(m) for n, m in band.members.items()}
    return {(s, t): f[s].apply_range(f[t].reverse()) for s in f for t in f}


def _same(e: Edge, pairs: isl.Map, together: Mapping[tuple[str, str], isl.Map]) -> bool:
    return bool(pairs.is_subset(together[e.source, e.target]))


def _kept(pairs: Iterable[Pair], together: Mapping[tuple[str, str], isl.Map]) -> list[Pair]:
    found = [(e, r.intersect(together[e.source, e.target])) for e, r in pairs]
    return [(e, r) for e, r in found if not r.is_empty()]
