"""Walks of a schedule tree that know where they are: one walk, for any context.

The context of a node is what arrives at it from above: `enter(node, here)` is that of its children.
(That of a loop, with instances and dependences, is in `legality/carried.py`.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from polynb.scop.schedule import Band, Filter, Tree, subtrees, with_subtrees

Context = TypeVar("Context")
Enter = Callable[[Tree, Context], Context]
Above = tuple[Tree, ...]
"""The nodes from the root down to the parent of a node."""


def walk_within(tree: Tree, here: Context, enter: Enter[Context]) -> Iterator[tuple[Tree, Context]]:
    """Every node with its context, parents first, in order."""
    yield tree, here
    if children := subtrees(tree):
        inside = enter(tree, here)
        for child in children:
            yield from walk_within(child, inside, enter)


def rewrite_within(
    tree: Tree,
    here: Context,
    enter: Enter[Context],
    change: Callable[[Tree, Context], Tree | None],
) -> Tree:
    """Rebuild a tree from its root down: `change` says what a node becomes, with all below it;
    None leaves the node, and goes on below. (A filter becomes a filter.)"""
    new = change(tree, here)
    if new is not None:
        return new
    if not (children := subtrees(tree)):
        return tree
    inside = enter(tree, here)
    return with_subtrees(tree, [rewrite_within(c, inside, enter, change) for c in children])


def rewrite(tree: Tree, change: Callable[[Tree], Tree | None]) -> Tree:
    """`rewrite_within` where the context does not matter."""
    return rewrite_within(tree, None, lambda _, here: here, lambda node, _: change(node))


# -- the nodes above -----------------------------------------------------------------------


def paths(tree: Tree) -> Iterator[tuple[Tree, Above]]:
    """Every node, parents first, with the nodes above it."""
    start: Above = ()
    return walk_within(tree, start, lambda node, above: (*above, node))


def orders(node: Tree, name: str) -> bool:
    """Whether instances of a statement pass a node."""
    match node:
        case Band(members=m):
            return name in m
        case Filter(domains=d):
            return name in d
    return True


def passing(node: Tree, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some statements of which instances pass a node (to walk with)."""
    return tuple(n for n in names if orders(node, n))


def orders_whole(node: Tree, name: str) -> bool:
    """Whether all instances of a statement that arrive at a node pass it."""
    return orders(node, name) and not (isinstance(node, Filter) and node.domains[name] is not None)
