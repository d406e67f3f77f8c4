"""Moves: what a person does with loops, by their names, said once each.

A file here is a move: its arguments, how a line says it, what it does to a program, where the
playground offers it, what a search tries of it. None asks whether that computes the same
(`violations` does).
"""

from typing import Final

from polynb.moves.distribute import Distribute
from polynb.moves.expand import Expand
from polynb.moves.fuse import Fuse
from polynb.moves.interchange import Interchange
from polynb.moves.kinds import Parallel, Unroll, Vectorize
from polynb.moves.loops import NamedLoop, named_loops
from polynb.moves.move import Move
from polynb.moves.peel import Peel
from polynb.moves.privatize import Privatize
from polynb.moves.reverse import Reverse
from polynb.moves.schedule import Schedule
from polynb.moves.shift import Shift
from polynb.moves.skew import Skew
from polynb.moves.tile import StripMine, Tile
from polynb.moves.unroll_and_jam import UnrollAndJam

EVERY: Final[tuple[type[Move], ...]] = (
    *(Interchange, Fuse, Distribute, Reverse, Skew, Shift, Tile, StripMine, Parallel, Vectorize),
    *(Unroll, Peel, UnrollAndJam, Privatize, Expand, Schedule),
)
MOVES: Final = {move.name: move for move in EVERY}
"""All moves, by their names."""
SAME: Final = {word: move.name for move in EVERY for word in move.also}
"""Other words for them."""

__all__ = [
    "MOVES",
    "SAME",
    "Distribute",
    "Expand",
    "Fuse",
    "Interchange",
    "Move",
    "NamedLoop",
    "Parallel",
    "Peel",
    "Privatize",
    "Reverse",
    "Schedule",
    "Shift",
    "Skew",
    "StripMine",
    "Tile",
    "Unroll",
    "UnrollAndJam",
    "Vectorize",
    "named_loops",
]
