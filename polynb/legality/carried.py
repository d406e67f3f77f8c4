"""Which loops of a schedule tree carry which dependences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from polynb import isl
from polynb.dependences.model import Edge
from polynb.legality.private import private_parts, private_to
from polynb.scop.model import Scop
from polynb.scop.schedule import (
    Band,
    Filter,
    LoopKind,
    Mark,
    Tree,
    at_one_time,
    member,
    restricted,
    subtrees,
)
from polynb.scop.tree_walk import walk_within


@dataclass(frozen=True, eq=False)
class DependentPairs:
    """Dependent instances of two statements that no outer loop separates. `hidden` as long as
    the array is private to something further in."""

    source: str
    target: str
    array: str
    relation: isl.Map
    hidden: bool = False

    @property
    def exists(self) -> bool:
        return not self.relation.is_empty()


def _pairs(
    edges: Iterable[Edge], assumed: isl.Set, private: frozenset[str]
) -> tuple[DependentPairs, ...]:
    """One pair for all edges between two statements through an array. (Flow through a private
    array is within one run of its mark, which no loop around separates: it need not be hidden.)"""
    together = isl.united_by(
        (
            (e.source, e.target, e.array, e.array in private and e.kind != "raw"),
            e.relation.intersect_params(assumed),
        )
        for e in edges
    )
    pairs = (DependentPairs(*key[:3], relation, key[3]) for key, relation in together.items())
    return tuple(p for p in pairs if p.exists)


@dataclass(frozen=True, eq=False)
class LoopContext:
    """What arrives at a node: instances, the loops around them `{ S[i] -> [t] }`,
    and the dependences that are left. `private` are the arrays with a mark that is right."""

    domains: dict[str, isl.Set]
    outer: dict[str, isl.Map]
    left: tuple[DependentPairs, ...]
    private: frozenset[str] = frozenset()
    depth: int = 0


def at_root(scop: Scop, edges: Iterable[Edge]) -> LoopContext:
    """All instances and dependences, at the root of the schedule tree. Of temporaries that a mark
    says are private, and are, the false dependences are hidden down to the mark."""
    edges = tuple(edges)
    private = frozenset(private_parts(scop, (e for e in edges if e.kind == "raw")))
    domains = {s.name: s.domain.intersect_params(scop.assumed) for s in scop.statements}
    domains = {n: d for n, d in domains.items() if not d.is_empty()}
    outer = {n: isl.Map.from_domain(isl.Set.universe(d.get_space())) for n, d in domains.items()}
    return LoopContext(domains, outer, _pairs(edges, scop.assumed, private), private)


def below(node: Tree, here: LoopContext) -> LoopContext:
    """What arrives at the children of a node at which `here` arrives."""
    match node:
        case Band(members=m):
            return one_iteration(here, {n: m[n] for n in here.domains}, node.depth)
        case Filter():
            return filtered(node, here)
        case Mark():
            return _unhidden(here, private_to(node))
    return here


def arriving(tree: Tree, node: Tree, here: LoopContext) -> LoopContext:
    """What arrives at a node of a tree at whose root `here` arrives."""
    return next(found for t, found in walk_within(tree, here, below) if t is node)


@dataclass(frozen=True, eq=False)
class LoopWithin:
    """A loop, number `member` of its band, with what arrives at it (`here`)."""

    band: Band
    member: int
    here: LoopContext

    @cached_property
    def values(self) -> dict[str, isl.Map]:
        """`{ S[i] -> [t] }` of each statement that arrives."""
        return {n: member(self.band.members[n], self.member) for n in self.here.domains}

    @cached_property
    def inside(self) -> LoopContext:
        """What arrives at one of its iterations."""
        return one_iteration(self.here, self.values, 1)

    @property
    def all_carried(self) -> Iterator[DependentPairs]:
        """The dependences between two of its iterations."""
        kept = {(p.source, p.target, p.array, p.hidden): p.relation for p in self.inside.left}
        for p in self.here.left:
            if p.hidden:
                continue
            left = kept.get((p.source, p.target, p.array, p.hidden))
            if left is None or not p.relation.is_subset(left):
                yield p

    @cached_property
    def carried(self) -> DependentPairs | None:
        """One of them, None if there is none."""
        return next(self.all_carried, None)

    @property
    def kind(self) -> LoopKind:
        return self.band.kinds[self.member]

    @property
    def with_outer(self) -> list[tuple[isl.Map, isl.Map]]:
        """For each statement in it its values, and those of the loops around."""
        here = self.here
        return [
            (self.values[n].intersect_domain(d), here.outer[n]) for n, d in here.domains.items()
        ]

    @property
    def iterates(self) -> bool:
        """Whether it takes more than one value, for some values of those around it."""
        together = isl.union_map(
            self.here.outer[n].intersect_domain(d).reverse().apply_range(self.values[n])
            for n, d in self.here.domains.items()
        )
        return not together.is_single_valued()


def loops_within(scop: Scop, edges: Iterable[Edge]) -> Iterator[LoopWithin]:
    """All loops of a program, in the order of the text, with what arrives there of dependences."""
    return _loops(scop.schedule, at_root(scop, edges))


def _loops(tree: Tree, here: LoopContext) -> Iterator[LoopWithin]:
    if isinstance(tree, Band):
        for k in range(tree.depth):
            loop = LoopWithin(tree, k, here)
            yield loop
            here = loop.inside
    else:
        here = below(tree, here)
    for child in subtrees(tree):
        yield from _loops(child, here)


# -- further in -----------------------------------------------------------------------------


def one_iteration(here: LoopContext, values: dict[str, isl.Map], deeper: int) -> LoopContext:
    """What is left inside a loop: the pairs of one iteration."""
    left = []
    for p in here.left:
        same = at_one_time(values, p.source, p.target)
        pair = replace(p, relation=p.relation.intersect(same))
        if pair.exists:
            left.append(pair)
    outer = {n: here.outer[n].flat_range_product(v) for n, v in values.items()}
    return replace(here, outer=outer, left=tuple(left), depth=here.depth + deeper)


def _unhidden(here: LoopContext, arrays: tuple[str, ...]) -> LoopContext:
    """Below the mark of private arrays, whose dependences count there."""
    if not arrays:
        return here
    left = tuple(replace(p, hidden=p.hidden and p.array not in arrays) for p in here.left)
    return replace(here, left=left)


def filtered(node: Filter, here: LoopContext) -> LoopContext:
    """What a filter lets through."""
    domains = restricted(node, here.domains)
    left = []
    for p in here.left:
        if p.source in domains and p.target in domains:
            relation = p.relation.intersect_domain(domains[p.source])
            pair = replace(p, relation=relation.intersect_range(domains[p.target]))
            if pair.exists:
                left.append(pair)
    outer = {n: here.outer[n] for n in domains}
    return replace(here, domains=domains, outer=outer, left=tuple(left))
