"""How the loops of a band run: in sequence, in parallel, in vectors, unrolled."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Final

from polynb import isl
from polynb.arguments import several_names
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.carried import LoopWithin, carried, loops_within
from polynb.schedules.bands import (
    all_bands,
    band_label,
    chosen,
    loop_label,
    loop_names,
    running,
)
from polynb.schedules.tiled_dependences import dependences
from polynb.schedules.trip_counts import check_short
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, LoopKind
from polynb.scop.witness import pair_witness
from polynb.words import counted

LOOP_KINDS: Final[tuple[LoopKind, ...]] = ("sequential", "parallel", "vector", "unroll")


@isl.bounded("the choice of loop kinds")
def set_loop_kinds(
    program: Scop | Derivation, kinds: str | Seq[str], *, band: int | None = None
) -> Scop:
    """The program with the loops of a band run in these ways.

    `kinds`: for each loop, the outermost first, "sequential", "parallel" (the iterations are
    shared out to threads), "vector" (they run several at a time in the lanes of a processor's
    vectors) or "unroll" (each is written out); one word is for all. `band`: the band's number,
    counted from the root of the schedule tree as it is walked, parents first; it may be left out
    if there is one band only.

    A loop runs in parallel or in vectors only if it carries no dependence: none between two of
    its iterations of one iteration of the loops around. Temporaries that a mark says are private
    (see `privatize`) are no obstacle above their mark. Raises PolynbError for a loop that carries
    one, with the statements and the array; for unrolled loops of an unknown or large number of
    iterations; and for a parallel loop in a parallel one, or any of both in a vector loop.
    """
    scop = as_scop(program)
    bands = all_bands(scop.schedule)
    only = bands if len(bands) == 1 else ()
    (b, *_) = chosen(scop, band, only, "it is not clear which band's loops are meant", "band=0")
    wanted = _checked(scop, b, kinds)
    result = running(scop, b, wanted)
    for loop in loops_within(scop, dependences(scop).edges):
        kind = wanted[loop.member] if loop.band is b else "sequential"
        if kind in ("parallel", "vector"):
            _check_carries_nothing(scop, loop, kind)
        if kind == "unroll":
            check_short(scop, loop)
    return result


def _checked(scop: Scop, band: Band, kinds: str | Seq[str]) -> tuple[LoopKind, ...]:
    if isinstance(kinds, str):
        given: tuple[str, ...] = (kinds,) * band.depth
    else:
        given = several_names("kinds", kinds, what="way to run a loop")
    for kind in given:
        if kind not in LOOP_KINDS:
            raise PolynbError(f"a loop cannot run as {kind!r}", hint=" or ".join(LOOP_KINDS))
    if len(given) != band.depth:
        raise PolynbError(
            f"{band_label(scop, band)} has {counted(band.depth, 'loop')}, not {len(given)}",
            hint=f"{band.depth} words, for the loops {', '.join(loop_names(scop, band))}",
        )
    return tuple(k for word in given for k in LOOP_KINDS if k == word)


def _check_carries_nothing(scop: Scop, loop: LoopWithin, kind: str) -> None:
    obstacle = carried(loop.here, loop.inside)
    if obstacle is None:
        return
    kept = [p.relation for p in loop.inside.left
            if (p.source, p.target, p.array, p.hidden)
            == (obstacle.source, obstacle.target, obstacle.array, obstacle.hidden)]  # fmt: skip
    found = pair_witness(obstacle.relation.subtract(kept[0]) if kept else obstacle.relation)
    assert found is not None
    depends = f"{found['target']} depends on {found['source']} through {obstacle.array}"
    array = scop.arrays[obstacle.array]
    private = f'; privatize(program, ["{obstacle.array}"]) if each iteration has its own'
    raise PolynbError(
        f"{loop_label(scop, loop.band, loop.member)} cannot run as {kind}",
        reason=found.at_values(f"{depends}, in another iteration"),
        hint=f'"sequential"{private if array.role == "temp" else ""}',
    )
