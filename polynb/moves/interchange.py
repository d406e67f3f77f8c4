"""Interchange: two loops of a nest change places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from polynb import isl
from polynb.moves.loops import moved, nested, singled
from polynb.moves.move import KnownLoops, Move, Offered, Spot
from polynb.moves.nests import as_tree, taken_apart
from polynb.moves.words import LoopName
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree, subtrees, with_subtrees


@dataclass(frozen=True)
class Interchange(Move):
    """Two loops of a nest change places.

    `{ S[i, j] -> [i, j] }` becomes `{ S[i, j] -> [j, i] }`; loops between them stay. Where
    statements or loops stand beside the inner one, the nest is taken apart first: they get loops of
    their own, before and after. How their bounds depend on each other is the scanning's business.
    Raises PolynbError for loops that are not in one nest.
    """

    first: LoopName
    second: LoopName

    usage = "interchange LOOP LOOP"
    example = "interchange i j"
    about = "two loops of a nest change places"
    also = ("swap", "permute")
    tried = False

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        scop, (outer, inner) = singled(scop, self.first, self.second)
        start = next(k for k, t in enumerate(inner.above) if t is outer.band)
        parts, main = taken_apart([*inner.above[start:], inner.band])
        parts[main] = replace(parts[main], child=_swapped(parts[main].child, inner.band))
        return moved(scop, [(outer.band, as_tree(parts))])

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        for other in [*at.inside(), *at.around()] if at.loop else ():
            yield f"with {other}", str(cls(at.name, other))

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        return (cls(outer, inner) for outer, inner in nested(loops))


def _swapped(nest: Tree, inner: Band) -> Tree:
    """A nest with its outermost loop in the place of a loop further in, and that in its place."""
    assert isinstance(nest, Band)

    def below(node: Tree) -> Tree:
        if node is inner:
            return replace(inner, members=nest.members, loops=nest.loops)
        return with_subtrees(node, [below(c) for c in subtrees(node)])

    return replace(nest, members=inner.members, loops=inner.loops, child=below(nest.child))
