"""How a loop runs: in parallel, in vectors, written out."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.legality.carried import arriving, at_root, member, one_iteration
from polynb.schedules.bands import replaced, with_schedule
from polynb.schedules.kinds import check_nesting, check_short
from polynb.schedules.moves.loops import NamedLoop, the_loop
from polynb.schedules.moves.tile import strip_mine
from polynb.scop.model import Scop
from polynb.scop.schedule import LoopKind


def parallel(scop: Scop, loop: str) -> Scop:
    """The program with a loop whose iterations are shared out to threads. Claims nothing: whether
    it carries a dependence is asked afterwards. Raises PolynbError for one in, or around, another
    parallel loop or in a vector loop."""
    return _running(scop, the_loop(scop, loop), "parallel")


def vectorize(scop: Scop, loop: str) -> Scop:
    """The program with a loop that runs several iterations at a time, in the lanes of vectors.
    Claims nothing: whether it carries a dependence is asked afterwards. Raises PolynbError for one
    with, or in, another vector loop, or with parallel loops in it."""
    return _running(scop, the_loop(scop, loop), "vector")


@isl.guarded
def unroll(scop: Scop, loop: str, by: int | None = None) -> Scop:
    """The program with each iteration of a loop written out, or strips of `by` iterations. It
    keeps the order. Raises PolynbError for a loop of which it is not known that it is short."""
    if by is not None:
        scop = strip_mine(scop, loop, by)
    found = the_loop(scop, loop)
    here = arriving(scop.schedule, found.band, at_root(scop, ()))
    for k in range(found.member + 1):
        values = {n: member(found.band.members[n], k) for n in here.domains}
        if k == found.member:
            check_short(scop, found.band, k, here, values)
        here = one_iteration(here, values, 1)
    return _running(scop, found, "unroll")


def _running(scop: Scop, found: NamedLoop, kind: LoopKind) -> Scop:
    band = found.band
    loops = list(band.loops)
    loops[found.member] = replace(found.loop, kind=kind, name=found.loop.name)
    new = replaced(scop.schedule, [(band, replace(band, loops=tuple(loops)))])
    check_nesting(new)
    return with_schedule(scop, new)
