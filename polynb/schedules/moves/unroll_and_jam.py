"""Unroll-and-jam: some iterations of an outer loop run together, inside of the loops in it."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.errors import PolynbError
from polynb.schedules.moves.kinds import unroll
from polynb.schedules.moves.loops import all_singled, moved, the_loop
from polynb.schedules.moves.nests import spine
from polynb.schedules.moves.tile import strip_mine
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree, with_subtrees
from polynb.words import listed


@isl.guarded
def unroll_and_jam(scop: Scop, loop: str, by: int) -> Scop:
    """The program with strips of `by` iterations of a loop written out inside of all loops that are
    directly in it: `{ S[i, j] -> [i, j] }` as `{ S[i, j] -> [4*floor(i/4), j, i] }`.

    Claims nothing: whether it computes the same is asked of `check`. Raises PolynbError for a loop
    without such loops. (Callahan, Cocke, Kennedy: Estimating interlock and improving balance for
    pipelined architectures, 1988.)
    """
    scop = all_singled(strip_mine(scop, loop, by))
    found = the_loop(scop, loop)
    nodes, _ = spine(found.band.child)
    last = max((k for k, t in enumerate(nodes) if isinstance(t, Band)), default=None)
    if last is None:
        raise PolynbError(
            f"the loop '{loop}' has no loop directly in it",
            reason=f"{listed(found.statements)} {'runs' if len(found.statements) == 1 else 'run'} "
            "there",
            hint=f"`unroll {loop} by {by}`, or `distribute {loop}` first",
        )
    inner = nodes[last]
    assert isinstance(inner, Band)
    points = replace(found.band, child=inner.child)
    tree: Tree = replace(inner, child=points)
    for node in reversed(nodes[:last]):
        tree = with_subtrees(node, [tree])
    return unroll(moved(scop, [(found.band, tree)]), loop)
