"""Reversal: a loop runs the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polynb import isl
from polynb.moves.loops import moved, singled
from polynb.moves.move import KnownLoops, Move
from polynb.moves.words import LoopName
from polynb.schedules.bands import mapped
from polynb.scop.model import Scop


@dataclass(frozen=True)
class Reverse(Move):
    """A loop runs the other way round.

    `{ S[i] -> [i] }` becomes `{ S[i] -> [-i] }`. Raises PolynbError for the name of no loop, or of
    several.
    """

    loop: LoopName

    usage = "reverse LOOP"
    example = "reverse i"
    about = "a loop runs the other way round"
    also = ("reversal",)
    tried = False

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        scop, (loop,) = singled(scop, self.loop)
        return moved(scop, [(loop.band, mapped(loop.band, ["-t0"]))])

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        return map(cls, loops)
