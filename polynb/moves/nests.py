"""Nests that are not perfect: loops taken apart around what stands beside a loop inside."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from polynb.moves.loops import both, together
from polynb.scop.schedule import Band, Filter, Mark, Sequence, Tree


def around(node: Tree, part: Filter) -> Filter:
    """A node, which has one child, around a part of what was below it."""
    match node:
        case Band(members=m):
            own = {n: m[n] for n in part.domains}
            return replace(part, child=replace(node, members=own, child=part.child))
        case Filter(domains=d):
            return replace(part, domains=both(d, part.domains))
        case Mark():
            return replace(part, child=replace(node, child=part.child))
    raise AssertionError(f"{type(node).__name__} has not one child")


def taken_apart(path: Seq[Tree]) -> tuple[list[Filter], int]:
    """The nodes from path[0] down to path[-1] with nothing but bands, marks and filters between
    them: what stood beside has loops of its own, before and after. The parts in their order, and
    the number of the one that has path[-1]."""
    node, *rest = path
    if not rest:
        assert isinstance(node, Band)
        return [Filter(dict.fromkeys(node.members), node)], 0
    parts, main = taken_apart(rest)
    if not isinstance(node, Sequence):
        return [around(node, p) for p in parts], main
    k = next(k for k, f in enumerate(node.children) if f is rest[0])
    before, after = node.children[:k], node.children[k + 1 :]
    parts = [*_one(before), *parts, *_one(after)]
    return parts, main + (1 if before else 0)


def _one(filters: Seq[Filter]) -> list[Filter]:
    return [together(filters)] if filters else []


def as_tree(parts: Seq[Filter]) -> Tree:
    """The parts one after the other."""
    return parts[0].child if len(parts) == 1 else Sequence(tuple(parts))


def spine(tree: Tree) -> tuple[list[Tree], Tree]:
    """The bands and marks from a node down to where it branches, or ends, and what is there."""
    found: list[Tree] = []
    while isinstance(tree, Band | Mark | Filter):
        found.append(tree)
        tree = tree.child
    return found, tree


def respined(nodes: Seq[Tree], part: Filter) -> Filter:
    """A part of what is below some nodes, with these nodes around it."""
    for node in reversed(nodes):
        part = around(node, part)
    return part
