"""How the loops of a band run: in sequence, in parallel, in vectors, unrolled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence as Seq
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
    loop_names,
    replaced,
    with_schedule,
)
from polynb.schedules.tiled_dependences import dependences
from polynb.schedules.trip_counts import trip_count
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, LoopKind, Tree, with_kinds
from polynb.scop.tree_walk import paths
from polynb.scop.witness import pair_witness
from polynb.words import counted

LOOP_KINDS: Final[tuple[LoopKind, ...]] = ("sequential", "parallel", "vector", "unroll")
LARGEST: Final = 64
"""Iterations that a loop may have and be unrolled."""


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


def running(scop: Scop, band: Band, kinds: Iterable[LoopKind]) -> Scop:
    """The program with the loops of a band run in these ways. Raises PolynbError for a parallel
    loop in a parallel one, or any of both in a vector loop."""
    tree = replaced(scop.schedule, [(band, with_kinds(band, kinds))])
    _check_nesting(tree)
    return with_schedule(scop, tree)


def _check_nesting(tree: Tree) -> None:
    """OpenMP has no parallel loops in vector loops, and threads in threads only cost time."""
    for node, above in paths(tree):
        if not isinstance(node, Band):
            continue
        around = [kind for b in above if isinstance(b, Band) for kind in b.kinds]
        for kind in node.kinds:
            if kind in ("parallel", "vector") and ("vector" in around or kind in around):
                outer = "vector" if "vector" in around else kind
                raise PolynbError(
                    f"a {kind} loop cannot be inside a {outer} loop",
                    hint='"sequential" for one of them; parallel outside, vector inside',
                )
            around.append(kind)


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
        f"{_label(scop, loop)} cannot run as {kind}",
        reason=found.at_values(f"{depends}, in another iteration"),
        hint=f'"sequential"{private if array.role == "temp" else ""}',
    )


def check_short(scop: Scop, loop: LoopWithin) -> None:
    """Raises PolynbError for a loop of which it is not known that it has few iterations."""
    here = loop.here
    loops = [(loop.values[n].intersect_domain(d), here.outer[n]) for n, d in here.domains.items()]
    trips = trip_count(loops)
    if trips is None or trips > LARGEST:
        count = "as many iterations as the parameters say" if trips is None else f"{trips} of them"
        raise PolynbError(
            f"{_label(scop, loop)} cannot be unrolled",
            reason=f"it has {count}",
            hint=f"tile it: the point loops of tiles of up to {LARGEST} can be",
        )


def _label(scop: Scop, loop: LoopWithin) -> str:
    return f"loop {loop_names(scop, loop.band)[loop.member]} of {band_label(scop, loop.band)}"
