"""The proof that a new order is legal, and what is said where it is not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.dependences import Edge, LiveRanges
from polynb.errors import PolynbError
from polynb.legality.checking import Verdict, check_ranges
from polynb.legality.order import new_times
from polynb.reordering.constraints import ScheduleConstraints
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Tree, at_one_time, with_coincident
from polynb.scop.tree_walk import rewrite_within

TOO_FEW: Final = "the constraints leave out what the program needs"

Pair = tuple[Edge, isl.Map]
"""A dependence, and those of its pairs `{ S[i] -> T[j] }` that are together so far."""


def _with_coincidence(tree: Tree, ranges: LiveRanges) -> Tree:
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

    @cached_property
    def _from(self) -> tuple[dict[str, list[int]], ...]:
        """Of both, where the pairs from each statement are. (A sequence has many parts, and each
        asks for its own.)"""
        by_source: tuple[dict[str, list[int]], ...] = ({}, {})
        for index, pairs in zip(by_source, (self.strict, self.order), strict=True):
            for k, (e, _) in enumerate(pairs):
                index.setdefault(e.source, []).append(k)
        return by_source

    def among(self, names: Collection[str]) -> _Arriving:
        """Those between some statements."""
        strict, order = (
            tuple(
                pairs[k]
                for k in sorted(k for n in names for k in index.get(n, ()))
                if pairs[k][0].target in names
            )
            for pairs, index in zip((self.strict, self.order), self._from, strict=True)
        )
        return _Arriving(strict, order)

    def in_one_iteration(self, members: Mapping[str, isl.Map]) -> _Arriving:
        """What no loop of a band has apart either."""
        strict = tuple(q for p in self.strict for q in _in_one_iteration(members, p))
        order = tuple(q for p in self.order for q in _in_one_iteration(members, p))
        return _Arriving(strict, order)


def _below(node: Tree, here: _Arriving) -> _Arriving:
    match node:
        case Filter(domains=d):
            return here.among(d)
        case Band(members=members):
            return here.in_one_iteration(members)
    return here


def _in_one_iteration(members: Mapping[str, isl.Map], pair: Pair) -> Iterable[Pair]:
    e, r = pair
    left = r.intersect(at_one_time(members, e.source, e.target))
    return [] if left.is_empty() else [(e, left)]


def _band(band: Band, here: _Arriving, ranges: LiveRanges) -> Band:
    local = {
        e.array
        for e in ranges.flow
        if not ranges.scop.arrays[e.array].live_out and not ranges.scop.arrays[e.array].live_in
    }
    through = {id(e) for e in ranges.flow}
    flow = (p for p in here.strict if id(p[0]) in through)
    local -= {p[0].array for p in flow if not _same(p, band.members)}
    obstacles = [*here.strict, *(p for p in here.order if p[0].array not in local)]
    each = map(band.values, range(band.depth))
    return with_coincident(band, [all(_same(p, values) for p in obstacles) for values in each])


def _same(pair: Pair, members: Mapping[str, isl.Map]) -> bool:
    e, relation = pair
    return bool(relation.is_subset(at_one_time(members, e.source, e.target)))


def proven(
    scop: Scop, ranges: LiveRanges, wanted: ScheduleConstraints, tree: Tree
) -> tuple[Tree, Verdict]:
    """The tree, with coincidence where the constraints did not ask for it, and whether it is legal,
    which the constraints play no part in."""
    if not wanted.of("coincidence"):
        tree = _with_coincidence(tree, ranges)
    return tree, check_ranges(ranges, new_times(scop, tree))


def refuse_illegal(verdict: Verdict, *, given: bool) -> None:
    """Raises PolynbError for an illegal order: by constraints that were `given`, or by mistake."""
    if not verdict:
        raise PolynbError(
            f"the schedule found is illegal: {verdict.conflicts[0]}",
            reason=TOO_FEW if given else "the scheduler went wrong",
            hint="`constraints=None` makes the right ones",
        )


def refuse_permuted(ranges: LiveRanges, tree: Tree, *, given: bool) -> None:
    """Raises PolynbError for an order that interchange or tiles have made illegal: the order that
    they were made from was proven, but not that the loops of its bands are permutable."""
    verdict = check_ranges(ranges, new_times(ranges.scop, tree))
    if not verdict:
        raise PolynbError(
            f"interchanged or tiled, the schedule found is illegal: {verdict.conflicts[0]}",
            reason=TOO_FEW if given else "its loops are not as permutable as was said of them",
            hint="`constraints=None` makes the right ones"
            if given
            else "leave `interchange` and `tile` out",
        )
