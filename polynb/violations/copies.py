"""Private arrays: each run of what is below their mark has a copy (the paper, 4.3.2, *supporting
privatization*), so that live ranges of two runs never share a cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from polynb import isl
from polynb.dependences import Edge
from polynb.legality.private import private_arrays, private_to, runs
from polynb.scop.model import Scop
from polynb.scop.schedule import Tree
from polynb.scop.tree_walk import paths

Parts = tuple[dict[str, isl.Map], ...]
"""Of each mark `{ S[i] -> [t] }`: the loops above it, which tell one run from the others."""


def private_parts(scop: Scop, tree: Tree, flow: Iterable[Edge]) -> dict[str, Parts]:
    """The marked parts of each array that marks of a tree say is private, and that is."""
    marked = replace(scop, schedule=tree)
    private = private_arrays(marked, list(flow))
    by_array: dict[str, list[dict[str, isl.Map]]] = {}
    for node, above in paths(tree):
        names = [n for n in private_to(node) if n in private]
        below = runs(marked, above) if names else {}
        for n in names:
            by_array.setdefault(n, []).append(below)
    return {n: tuple(parts) for n, parts in by_array.items()}


def same_copy(parts: Parts, first: str, then: str) -> isl.Map | None:
    """`{ S[i] -> T[j] }` that use the same copy; None if no two instances do."""
    for below in parts:
        if first in below and then in below:
            return below[first].apply_range(below[then].reverse())
    return None
