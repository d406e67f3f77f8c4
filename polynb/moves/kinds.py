"""How a loop runs: in parallel, in vectors, written out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from polynb import isl
from polynb.legality.carried import loops_within
from polynb.moves.loops import NamedLoop, the_loop
from polynb.moves.move import KnownLoops, Move, Offered, Spot
from polynb.moves.tile import StripMine
from polynb.moves.words import LoopName, Size
from polynb.schedules.bands import running
from polynb.schedules.trip_counts import check_short
from polynb.scop.model import Scop
from polynb.scop.schedule import LoopKind


@dataclass(frozen=True)
class _Kind(Move):
    """A loop is to run so."""

    loop: LoopName

    usage = "KIND LOOP"
    kind: ClassVar[LoopKind]
    legal = "no iteration depends on another one"

    def applied(self, scop: Scop) -> Scop:
        return _running(scop, the_loop(scop, self.loop), self.kind)

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        """If it does not yet."""
        if at.loop is not None and at.loop.loop.kind != cls.kind:
            yield from super().offered(at)


@dataclass(frozen=True)
class Parallel(_Kind):
    """The iterations of a loop are shared out to threads.

    Claims nothing: whether it carries a dependence is asked afterwards. Raises PolynbError for one
    in, or around, another parallel loop or in a vector loop.
    """

    usage = "parallel LOOP"
    example = "parallel i"
    about = "iterations are shared out to threads"
    also = ("parallelize", "parallelise")
    kind = "parallel"

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        if all(x.loop.kind == "sequential" for x in loops.values()):
            yield from map(cls, loops)


@dataclass(frozen=True)
class Vectorize(_Kind):
    """The iterations of a loop run in the lanes of vectors.

    Claims nothing: whether it carries a dependence is asked afterwards. Raises PolynbError for one
    with, or in, another vector loop, or with parallel loops in it.
    """

    usage = "vectorize LOOP"
    example = "vectorize j"
    about = "iterations run in the lanes of vectors"
    also = ("vectorise", "vector")
    kind = "vector"

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        return (cls(n) for n in plain(loops, innermost=True))


@dataclass(frozen=True)
class Unroll(Move):
    """The iterations of a loop, or of strips of it, are written out.

    It keeps the order. Raises PolynbError for a loop of which it is not known that it is short.
    """

    loop: LoopName
    by: Size | None = None

    usage = "unroll LOOP [by N]"
    example = "unroll i by 4"
    about = "iterations are written out"
    numbers = (2, 4, 8)
    number = 4

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        if self.by is not None:
            scop = StripMine(self.loop, self.by).applied(scop)
        loop = the_loop(scop, self.loop)
        for x in loops_within(scop, ()):
            if x.band is loop.band and x.member == loop.member:
                check_short(scop, x)
        return _running(scop, loop, "unroll")


def plain(loops: KnownLoops, *, innermost: bool) -> Iterator[str]:
    """The loops that run one iteration after the other, and are innermost, or are not."""
    for name, x in loops.items():
        inner = not any(x.is_around(y) for y in loops.values())
        if x.loop.kind == "sequential" and inner == innermost:
            yield name


def _running(scop: Scop, loop: NamedLoop, kind: LoopKind) -> Scop:
    kinds = list(loop.band.kinds)
    kinds[loop.member] = kind
    return running(scop, loop.band, kinds)
