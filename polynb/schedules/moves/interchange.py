"""Interchange: two loops of a nest change places."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.schedules.moves.loops import moved, singled
from polynb.schedules.moves.nests import as_tree, taken_apart
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree, subtrees, with_subtrees


@isl.guarded
def interchange(scop: Scop, first: str, second: str) -> Scop:
    """The program with two loops of one nest in each other's place, `{ S[i, j] -> [i, j] }` as
    `{ S[i, j] -> [j, i] }`; loops between them stay. Where statements or loops stand beside the
    inner one, the nest is taken apart first: they get loops of their own, before and after.

    Claims nothing: whether it computes the same is asked of `check`. How their bounds depend on
    each other is the scanning's business. Raises PolynbError for loops that are not in one nest.
    """
    scop, (outer, inner) = singled(scop, first, second)
    start = next(k for k, t in enumerate(inner.above) if t is outer.band)
    parts, main = taken_apart([*inner.above[start:], inner.band])
    parts[main] = replace(parts[main], child=_swapped(parts[main].child, inner.band))
    return moved(scop, [(outer.band, as_tree(parts))])


def _swapped(nest: Tree, inner: Band) -> Tree:
    """A nest with its outermost loop in the place of a loop further in, and that in its place."""
    assert isinstance(nest, Band)

    def below(node: Tree) -> Tree:
        if node is inner:
            return replace(inner, members=nest.members, loops=nest.loops)
        return with_subtrees(node, [below(c) for c in subtrees(node)])

    return replace(nest, members=inner.members, loops=inner.loops, child=below(nest.child))
