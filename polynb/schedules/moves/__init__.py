"""Moves: what a person does with loops, by their names. Each takes a program and gives one back;
none asks whether that computes the same (`violations` does)."""

from polynb.schedules.moves.distribute import distribute
from polynb.schedules.moves.expand import expand
from polynb.schedules.moves.fuse import fuse
from polynb.schedules.moves.interchange import interchange
from polynb.schedules.moves.kinds import parallel, unroll, vectorize
from polynb.schedules.moves.loops import NamedLoop, named_loops
from polynb.schedules.moves.peel import peel
from polynb.schedules.moves.reschedule import reschedule
from polynb.schedules.moves.reverse import reverse
from polynb.schedules.moves.shift import shift
from polynb.schedules.moves.skew import skew
from polynb.schedules.moves.tile import strip_mine, tile
from polynb.schedules.moves.unroll_and_jam import unroll_and_jam

__all__ = [
    "NamedLoop",
    "distribute",
    "expand",
    "fuse",
    "interchange",
    "named_loops",
    "parallel",
    "peel",
    "reschedule",
    "reverse",
    "shift",
    "skew",
    "strip_mine",
    "tile",
    "unroll",
    "unroll_and_jam",
    "vectorize",
]
