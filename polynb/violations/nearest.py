"""The nearest legal schedule, by bounded enumeration (Figure 8, step 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from polynb import isl
from polynb.schedules.bands import all_bands
from polynb.scop import Scop
from polynb.scop.schedule import Tree, times
from polynb.violations.neighbours import Tried, neighbours


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
