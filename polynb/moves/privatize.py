"""Privatization: an iteration has a temporary for itself."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.moves.move import Move, Offered, Spot
from polynb.moves.words import Temporary
from polynb.scop.model import Scop


@dataclass(frozen=True)
class Privatize(Move):
    """Each iteration has a temporary for itself, which then keeps no loop around from running
    in parallel."""

    array: Temporary

    usage = "privatize ARRAY"
    example = "privatize t"
    about = "an iteration has a temporary for itself"
    also = ("privatise",)
    legal = "each iteration has {array} for itself"
    needs = "a temporary that is used here"
    tried = False

    def applied(self, scop: Scop) -> Scop:
        """The program as it is: marks are put where they belong once the order is known (by the
        verdict, `violations/judging.py`)."""
        return scop

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        return ((t, str(cls(t))) for t in at.temporaries())
