"""Unroll-and-jam: some iterations of an outer loop run together, inside of the loops in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves.kinds import Unroll, plain
from polynb.moves.loops import NamedLoop, all_singled, moved, named_loops, the_loop
from polynb.moves.move import KnownLoops, Move, Offered, Spot
from polynb.moves.nests import spine
from polynb.moves.tile import StripMine
from polynb.moves.words import LoopName, Size
from polynb.schedules.tile_names import Tiles
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree, with_subtrees
from polynb.words import listed


@dataclass(frozen=True)
class UnrollAndJam(Move):
    """Iterations of a loop are written out inside of the loops in it.

    `{ S[i, j] -> [i, j] }` becomes `{ S[i, j] -> [4*floor(i/4), j, i] }`, with `by` = 4: strips of
    so many iterations, inside of all loops that are directly in it. Raises PolynbError for a loop
    without such loops. (Callahan, Cocke, Kennedy: Estimating interlock and improving balance for
    pipelined architectures, 1988.)
    """

    loop: LoopName
    by: Size

    usage = "unroll-and-jam LOOP by N"
    example = "unroll-and-jam i by 4"
    about = "iterations are written out inside of the loops in it"
    also = ("unroll_and_jam",)
    numbers = Unroll.numbers
    number = Unroll.number

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        whole = the_loop(scop, self.loop)
        if whole.loop.kind == "unroll":
            raise _written_out(scop, whole, self.by)
        original, scop = scop, all_singled(StripMine(self.loop, self.by).applied(scop))
        loop = the_loop(scop, self.loop)
        nodes, _ = spine(loop.band.child)
        last = max((k for k, t in enumerate(nodes) if isinstance(t, Band)), default=None)
        if last is None:
            run = "runs" if len(loop.statements) == 1 else "run"
            raise PolynbError(
                f"the loop '{self.loop}' has no loop directly in it",
                reason=f"{listed(loop.statements)} {run} there",
                hint=_instead(original, whole, self.loop, self.by),
            )
        inner = nodes[last]
        assert isinstance(inner, Band)
        tree: Tree = replace(inner, child=replace(loop.band, child=inner.child))
        for node in reversed(nodes[:last]):
            tree = with_subtrees(node, [tree])
        return Unroll(self.loop).applied(moved(scop, [(loop.band, tree)]))

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        if at.inside():
            yield from super().offered(at)

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        return (cls(n, 4) for n in plain(loops, innermost=False))


def _instead(scop: Scop, whole: NamedLoop, loop: str, by: int) -> str:
    """What can be done with a loop that has parts beside the loops in it, or none in it."""
    inside = next((x for x in named_loops(scop) if whole.is_around(x)), None)
    if inside is None:
        return f"`unroll {loop} by {by}`"
    own = f"{inside.statements[0]}.{whole.name}"
    return f"`distribute {loop}` first, then `unroll-and-jam {own} by {by}`"


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
