"""The nearest legal schedule, by bounded enumeration (Figure 8, step 3): schedules one decision
away are those with loops the other way around or in another order, nests distributed or fused,
parts in another order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from polynb import isl
from polynb.legality.order import AT_ONCE
from polynb.moves.fuse import fused
from polynb.moves.loops import together
from polynb.moves.nests import around
from polynb.schedules.bands import (
    all_bands,
    first_loop,
    loop_names,
    mapped,
    permuted,
    with_schedule,
)
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Loop, Sequence, Tree, times, walk, with_kinds
from polynb.scop.tree_walk import rewrite
from polynb.words import listed

Tried = Callable[[int, int], object]
"""What is told how many schedules were tried, of how many at most."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """A legal schedule: the decisions, in words, that lead to it, and how many were tried."""

    decisions: tuple[str, ...]
    tree: Tree
    tried: int

    @property
    def distance(self) -> int:
        """The number of decisions that are changed."""
        return len(self.decisions)


def nearest(
    scop: Scop,
    tree: Tree,
    legal: Callable[[Tree], bool],
    *,
    distance: int,
    candidates: int,
    progress: Tried | None = None,
) -> Nearest | None:
    """The first legal schedule in breadth-first order around a tree that is not legal: orders of
    loops, reversals, fusions, distributions and orders of parts, up to so many changed decisions.
    None if there is none, or none among so many candidates."""
    domains = {s.name: s.domain for s in scop.statements}
    seen = {_key(tree, domains)}
    ring: list[tuple[tuple[str, ...], Tree]] = [((), tree)]
    tried = 0
    for _ in range(distance):
        outer: list[tuple[tuple[str, ...], Tree]] = []
        for decisions, inner in ring:
            for n in neighbours(scop, inner):
                isl.check_time()
                key = _key(n.tree, domains)
                if key in seen:
                    continue
                if tried == candidates:
                    return None
                seen.add(key)
                tried += 1
                if progress is not None:
                    progress(tried, candidates)
                made = (*decisions, n.decision)
                if legal(n.tree):
                    return Nearest(made, n.tree, tried)
                outer.append((made, n.tree))
        ring = outer
    return None


def _key(tree: Tree, domains: dict[str, isl.Set]) -> str:
    """What tells two orders apart: their times, and the loops' kinds."""
    kinds = [str(node.kinds) for node in all_bands(tree)]
    return "; ".join([*(str(m) for m in times(tree, domains).values()), *kinds])


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A schedule, and the decision that leads to it, in words."""

    decision: str
    tree: Tree


def neighbours(scop: Scop, tree: Tree) -> Iterator[Neighbour]:
    """All schedules that differ in one decision from a tree of a program."""
    here = with_schedule(scop, tree)
    for node in walk(tree):
        for decision, new in _changed(here, node):
            yield Neighbour(decision, _replaced(tree, node, new))


def _replaced(tree: Tree, node: Tree, new: Tree) -> Tree:
    return rewrite(tree, lambda t: new if t is node else None)


def _changed(scop: Scop, node: Tree) -> Iterator[tuple[str, Tree]]:
    match node:
        case Band():
            yield from _sequential(scop, node)
            yield from _interchanged(scop, node)
            yield from _reversed(scop, node)
            yield from _distributed(scop, node)
        case Sequence():
            yield from _fused(node)
            yield from _swapped(node)


def _sequential(scop: Scop, band: Band) -> Iterator[tuple[str, Tree]]:
    for k, (loop, name) in enumerate(zip(band.loops, _loops(scop, band), strict=True)):
        if loop.kind in AT_ONCE:
            kinds = (*band.kinds[:k], "sequential", *band.kinds[k + 1 :])
            yield f"{name} sequential", with_kinds(band, kinds)


def _reversed(scop: Scop, band: Band) -> Iterator[tuple[str, Tree]]:
    for k, name in enumerate(_loops(scop, band)):
        yield f"reverse {name}", mapped(band, [f"{'-' * (k == n)}t{n}" for n in range(band.depth)])


def _interchanged(scop: Scop, band: Band) -> Iterator[tuple[str, Tree]]:
    names = _loops(scop, band)
    for k in range(band.depth - 1):
        order = [*range(k), k + 1, k, *range(k + 2, band.depth)]
        yield f"interchange {names[k]} and {names[k + 1]}", permuted(band, order)
    inner = band.child
    if isinstance(inner, Band):
        decision = f"interchange {names[-1]} and {_loops(scop, inner)[0]}"
        yield decision, replace(inner, child=replace(band, child=inner.child))


def _loops(scop: Scop, band: Band) -> tuple[str, ...]:
    """What to call a band's loops: the iterator, also of one that runs the other way around."""
    turned = mapped(band, [f"-t{n}" for n in range(band.depth)])
    both = zip(loop_names(scop, band), loop_names(scop, turned), strict=True)
    iterators = {i for name in band.members for i in scop.by_name[name].iterators}
    return tuple(plain if plain in iterators else other for plain, other in both)


def _distributed(scop: Scop, band: Band) -> Iterator[tuple[str, Tree]]:
    """The band around each part of the sequence below, instead of around all of it."""
    if not isinstance(band.child, Sequence) or _split(band.child):
        return
    parts = band.child.children
    for k in range(1, len(parts)):
        halves = (around(band, together(half)) for half in (parts[:k], parts[k:]))
        decision = f"distribute {listed(_loops(scop, band))} before {_names(parts[k])}"
        yield decision, Sequence(tuple(halves))


def _fused(node: Sequence) -> Iterator[tuple[str, Tree]]:
    """Two parts that follow each other, and begin with loops, in one loop."""
    if _split(node):
        return
    for k, (f, g) in enumerate(itertools.pairwise(node.children)):
        if isinstance(f.child, Band) and isinstance(g.child, Band):
            x, y = replace(f, child=_outermost(f.child)), replace(g, child=_outermost(g.child))
            whole = fused(x, y, 1)
            rest = (*node.children[:k], whole, *node.children[k + 2 :])
            decision = f"fuse {_names(f)} and {_names(g)}"
            yield decision, Sequence(rest) if len(rest) > 1 else whole.child


def _outermost(band: Band) -> Band:
    """The band with its first loop alone, and one with the others, if there are any, inside."""
    return Band(*first_loop(band), loops=(Loop(band.loops[0].kind),))


def _swapped(node: Sequence) -> Iterator[tuple[str, Tree]]:
    for k, (f, g) in enumerate(itertools.pairwise(node.children)):
        children = (*node.children[:k], g, f, *node.children[k + 2 :])
        yield f"{_names(g)} before {_names(f)}", Sequence(children)


def _names(f: Filter) -> str:
    return listed(f.domains)


def _split(node: Sequence) -> bool:
    """Whether parts of one statement are in several places."""
    return any(part is not None for f in node.children for part in f.domains.values())
