"""Unroll-and-jam: some iterations of an outer loop run together, inside of the loops in it."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.errors import PolynbError
from polynb.schedules.moves.kinds import unroll
from polynb.schedules.moves.loops import NamedLoop, all_singled, moved, named_loops, the_loop
from polynb.schedules.moves.nests import spine
from polynb.schedules.moves.tile import strip_mine
from polynb.schedules.tile_names import Tiles
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
    whole = the_loop(scop, loop)
    if whole.loop.kind == "unroll":
        raise _written_out(scop, whole, by)
    original, scop = scop, all_singled(strip_mine(scop, loop, by))
    found = the_loop(scop, loop)
    nodes, _ = spine(found.band.child)
    last = max((k for k, t in enumerate(nodes) if isinstance(t, Band)), default=None)
    if last is None:
        raise PolynbError(
            f"the loop '{loop}' has no loop directly in it",
            reason=f"{listed(found.statements)} {'runs' if len(found.statements) == 1 else 'run'} "
            "there",
            hint=_instead(original, whole, loop, by),
        )
    inner = nodes[last]
    assert isinstance(inner, Band)
    points = replace(found.band, child=inner.child)
    tree: Tree = replace(inner, child=points)
    for node in reversed(nodes[:last]):
        tree = with_subtrees(node, [tree])
    return unroll(moved(scop, [(found.band, tree)]), loop)


def _instead(scop: Scop, whole: NamedLoop, loop: str, by: int) -> str:
    """What can be done with a loop that has parts beside the loops in it, or none in it."""
    inside = next((x for x in named_loops(scop) if whole.is_around(x)), None)
    if inside is None:
        return f"`unroll {loop} by {by}`"
    own = f"{inside.statements[0]}.{whole.name}"
    return f"`distribute {loop}` first, and `unroll-and-jam {own} by {by}`"


def _written_out(scop: Scop, whole: NamedLoop, by: int) -> PolynbError:
    """Of a loop that was cut into strips, and is written out, before."""
    strips = [x.loop.width for x in named_loops(scop) if x.is_around(whole)
              and x.name in Tiles(whole.name, False, x.loop.width).names]  # fmt: skip
    once = f"`unroll-and-jam {whole.name} by {strips[-1] * by}`" if strips else "this line alone"
    return PolynbError(
        f"the loop '{whole.name}' is written out already",
        reason=f"in strips of {strips[-1]}" if strips else None,
        hint=f"{once}, instead of both",
    )
