"""Reversal: a loop runs from its end to its start."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.schedules.moves.loops import moved, singled
from polynb.scop.model import Scop


@isl.guarded
def reverse(scop: Scop, loop: str) -> Scop:
    """The program with a loop the other way round, `{ S[i] -> [i] }` as `{ S[i] -> [-i] }`.

    Claims nothing: whether it computes the same is asked of `check`. Raises PolynbError for the
    name of no loop, or of several.
    """
    scop, (found,) = singled(scop, loop)
    negated = isl.read_map("{ [t] -> [-t] }")
    members = {n: m.apply_range(negated) for n, m in found.band.members.items()}
    return moved(scop, [(found.band, replace(found.band, members=members))])
