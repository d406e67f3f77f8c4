"""Skewing: what a loop counts grows with another loop."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.arguments import integer
from polynb.errors import PolynbError
from polynb.schedules.moves.loops import moved, singled
from polynb.scop.model import Scop
from polynb.words import listed


@isl.guarded
def skew(scop: Scop, loop: str, by: str, factor: int = 1) -> Scop:
    """The program in which a loop counts `t + factor*u`, u being what another loop of the nest
    counts: `{ S[i, j] -> [i, j] }` as `{ S[i, j] -> [i, i + j] }`. (A loop that was reversed counts
    up from the negated end.)

    Skewing by a loop around keeps the order; by one further in it need not, which is asked of
    `check`. Raises PolynbError for loops that are not in one nest, and for statements that are in
    the loop but not in the other one. (Wolfe: Loop skewing, the wavefront method revisited, 1986.)
    """
    factor = integer("factor", factor)
    scop, found = singled(scop, loop, by)
    one, other = found if found[0].name == _bare(loop) else reversed(found)
    outside = [n for n in one.statements if n not in other.statements]
    if outside:
        raise PolynbError(
            f"the loop '{loop}' cannot be skewed by '{by}'",
            reason=f"{listed(outside)} {'is' if len(outside) == 1 else 'are'} not in '{by}'",
            hint=f"`distribute {loop}` first",
        )
    total = isl.read_map(f"{{ [t, u] -> [t + {factor}*u] }}")
    members = {
        n: one.values(n).flat_range_product(other.values(n)).apply_range(total)
        for n in one.statements
    }
    return moved(scop, [(one.band, replace(one.band, members=members))])


def _bare(name: str) -> str:
    """The name of a loop without what tells it from others."""
    return name.rpartition(".")[2].partition(":")[0]
