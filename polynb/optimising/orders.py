"""The order of a program's loops that a cost model likes best, of those that its permutable bands
allow: each band permuted, and cut into tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from polynb.dependences.model import Edge
from polynb.optimising.estimate import Estimate, estimate
from polynb.optimising.steps import BandDecision, Permuted, Tiled
from polynb.schedules.bands import (
    all_bands,
    loop_names,
    permuted,
    replaced,
    several_permutable,
    with_schedule,
)
from polynb.schedules.tiling import tile, tileable
from polynb.scop.model import Scop
from polynb.scop.schedule import Filter, Sequence, Tree

DEEP: Final = 3
"""Loops of a band all orders of which are tried; of deeper ones, which loop is the innermost."""
TILES: Final = (32, 64)
WORTH_TILING: Final = 1.1
"""What the model must see in tiles: they cost more than it knows where they gain nothing."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """A program in some order, how long that is estimated to take, and what led to it."""

    scop: Scop
    estimate: Estimate
    decisions: tuple[BandDecision, ...] = ()


@dataclass(frozen=True, eq=False)
class Costs:
    """What a program costs in any order: its dependences, value-based, and parameter values."""

    edges: tuple[Edge, ...]
    sizes: Mapping[str, int]

    def of(self, scop: Scop) -> Estimate:
        names = {s.name for s in scop.statements}
        edges = [e for e in self.edges if e.source in names and e.target in names]
        return estimate(scop, edges, self.sizes)

    def best(self, scop: Scop) -> Ordered:
        """The program with its permutable bands in the best order, tiled where that is better."""
        parts = [self._tiled(self._permuted(p)) for p in nests_apart(scop)]
        return Ordered(
            _together(scop, [p.scop.schedule for p in parts]),
            Estimate(sum(p.estimate.alone for p in parts), sum(p.estimate.together for p in parts)),
            tuple(d for p in parts for d in p.decisions),
        )

    def _permuted(self, scop: Scop) -> Ordered:
        best = Ordered(scop, self.of(scop))
        for number, band in enumerate(all_bands(scop.schedule)):
            if not several_permutable(band):
                continue
            now, names = best, loop_names(scop, band)
            for order in _orders(band.depth):
                new = _exchanged(now.scop, number, order)
                found = self.of(new)
                if found.both < best.estimate.both:
                    loops = tuple(names[k] for k in order)
                    gain = now.estimate.both / found.both
                    step = Permuted(tuple(band.members), gain, loops, names)
                    best = Ordered(new, found, (*now.decisions, step))
        return best

    def _tiled(self, best: Ordered) -> Ordered:
        now = best
        for size in TILES if tileable(best.scop) else ():
            new = tile(now.scop, size)
            found = self.of(new)
            gain = now.estimate.both / found.both
            if gain > WORTH_TILING and found.both < best.estimate.both:
                step = Tiled(tuple(s.name for s in new.statements), gain, size)
                best = Ordered(new, found, (*now.decisions, step))
        return best


def _orders(depth: int) -> Iterator[tuple[int, ...]]:
    """The other orders of so many loops that are tried."""
    whole = tuple(range(depth))
    if depth <= DEEP:
        yield from (o for o in permutations(whole) if o != whole)
    else:
        yield from ((*(k for k in whole if k != last), last) for last in whole[:-1])


def _exchanged(scop: Scop, number: int, order: tuple[int, ...]) -> Scop:
    band = all_bands(scop.schedule)[number]
    return with_schedule(scop, replaced(scop.schedule, [(band, permuted(band, order))]))


def nests_apart(scop: Scop) -> list[Scop]:
    """The nests of a program that run one after the other, each as a program."""
    tree = scop.schedule
    if not isinstance(tree, Sequence) or not all(_whole(f) for f in tree.children):
        return [scop]
    return [_part(scop, f) for f in tree.children]


def _whole(child: Filter) -> bool:
    return all(d is None for d in child.domains.values())


def _part(scop: Scop, child: Filter) -> Scop:
    own = tuple(s for s in scop.statements if s.name in child.domains)
    return with_schedule(replace(scop, statements=own), child.child)


def _together(scop: Scop, trees: Iterable[Tree]) -> Scop:
    """The program with its nests in these orders."""
    whole = scop.schedule
    if isinstance(whole, Sequence) and all(_whole(f) for f in whole.children):
        new = zip(whole.children, trees, strict=True)
        return with_schedule(scop, Sequence(tuple(replace(f, child=t) for f, t in new)))
    (tree,) = trees
    return with_schedule(scop, tree)
