"""How the loops of a band run: in sequence, in parallel, in vectors, unrolled."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.arguments import several_names
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.carried import (
    LoopContext,
    at_root,
    carried,
    filtered,
    member,
    one_iteration,
    unhidden,
)
from polynb.legality.private import private_to
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
from polynb.scop.schedule import Band, Filter, Leaf, Mark, Sequence, Tree
from polynb.scop.witness import pair_witness
from polynb.words import counted

LOOP_KINDS: Final = ("sequential", "parallel", "vector", "unroll")
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
    result = with_schedule(scop, replaced(scop.schedule, [(b, replace(b, loops=wanted))]))
    _check_nesting(result.schedule, ())
    here = _arriving(scop.schedule, b, at_root(scop, dependences(scop).edges))
    assert here is not None
    for k, kind in enumerate(wanted):
        values = {n: member(b.members[n], k) for n in here.domains}
        inside = one_iteration(here, values, 1)
        if kind in ("parallel", "vector"):
            _check_carries_nothing(scop, b, k, kind, here, inside)
        if kind == "unroll":
            _check_short(scop, b, k, here, values)
        here = inside
    return result


def _checked(scop: Scop, band: Band, kinds: str | Seq[str]) -> tuple[str, ...]:
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
    return given


def _check_nesting(tree: Tree, around: tuple[str, ...]) -> None:
    """OpenMP has no parallel loops in vector loops, and threads in threads only cost time."""
    match tree:
        case Leaf():
            return
        case Band(loops=loops, child=c):
            for kind in loops:
                if kind in ("parallel", "vector") and ("vector" in around or kind in around):
                    outer = "vector" if "vector" in around else kind
                    raise PolynbError(
                        f"a {kind} loop cannot be inside a {outer} loop",
                        hint='"sequential" for one of them; parallel outside, vector inside',
                    )
                around = (*around, kind)
            _check_nesting(c, around)
        case Sequence(children=children):
            for f in children:
                _check_nesting(f, around)
        case Filter(child=c) | Mark(child=c):
            _check_nesting(c, around)


def _arriving(tree: Tree, band: Band, here: LoopContext) -> LoopContext | None:
    """What arrives at a band; None if it is not in this tree."""
    if tree is band:
        return here
    match tree:
        case Leaf():
            return None
        case Band(members=m, child=c):
            members = {n: m[n] for n in here.domains}
            return _arriving(c, band, one_iteration(here, members, tree.depth))
        case Filter(child=c):
            return _arriving(c, band, filtered(tree, here))
        case Mark(child=c):
            return _arriving(c, band, unhidden(here, private_to(tree)))
        case Sequence(children=children):
            found = (_arriving(f, band, here) for f in children)
            return next((h for h in found if h is not None), None)


def _check_carries_nothing(
    scop: Scop, band: Band, k: int, kind: str, here: LoopContext, inside: LoopContext
) -> None:
    obstacle = carried(here, inside)
    if obstacle is None:
        return
    kept = [p.relation for p in inside.left
            if (p.source, p.target, p.array, p.hidden)
            == (obstacle.source, obstacle.target, obstacle.array, obstacle.hidden)]  # fmt: skip
    found = pair_witness(obstacle.relation.subtract(kept[0]) if kept else obstacle.relation)
    assert found is not None
    depends = f"{found['target']} depends on {found['source']} through {obstacle.array}"
    array = scop.arrays[obstacle.array]
    private = f'; privatize(program, ["{obstacle.array}"]) if each iteration has its own'
    raise PolynbError(
        f"loop {loop_names(scop, band)[k]} of {band_label(scop, band)} cannot run as {kind}",
        reason=found.at_values(f"{depends}, in another iteration"),
        hint=f'"sequential"{private if array.role == "temp" else ""}',
    )


def _check_short(
    scop: Scop, band: Band, k: int, here: LoopContext, values: dict[str, isl.Map]
) -> None:
    loops = [(values[n].intersect_domain(d), here.outer[n]) for n, d in here.domains.items()]
    trips = trip_count(loops)
    if trips is None or trips > LARGEST:
        count = "as many iterations as the parameters say" if trips is None else f"{trips} of them"
        raise PolynbError(
            f"loop {loop_names(scop, band)[k]} of {band_label(scop, band)} cannot be unrolled",
            reason=f"it has {count}",
            hint=f"tile it: the point loops of tiles of up to {LARGEST} can be",
        )
