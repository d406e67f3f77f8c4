"""Tiling: the loops of a band become loops over tiles around loops over the points of a tile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence as Seq
from dataclasses import replace
from typing import Any, Final

from polynb import isl
from polynb.arguments import count, flag, integers
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.schedules.bands import (
    MORE_BANDS,
    band_label,
    check_not_separated,
    check_permutable,
    chosen,
    loop_names,
    replaced,
    with_schedule,
)
from polynb.scop.full_tiles import TileShape, full_tiles_mark
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Mark, Tree, subtrees
from polynb.words import counted

LARGEST: Final = 2**31 - 1
"""Points of a tile in one direction."""


@isl.bounded("tiling")
def tile(
    program: Scop | Derivation,
    sizes: int | Seq[int] = 32,
    *,
    band: int | None = None,
    separate: bool = False,
    shift: bool = False,
) -> Scop:
    """The program with its outermost permutable bands of two and more loops tiled.

    A band `{ S[i] -> [t1, ..., tn] }` becomes one of tile loops `{ S[i] -> [s1*floor(t1/s1), ...,
    sn*floor(tn/sn)] }` around one of point loops, which are the original ones (as PPCG scales
    tile loops); both are permutable and coincident as the original band is. `sizes`: s1, ..., sn,
    or one number for all. `band`: the number of the one band to tile, counted from the root of the
    schedule tree as it is walked, parents first; one of a single loop is cut into strips.
    `shift`: the point loops begin at 0. `separate`: loops of their own for full tiles, without
    minima and maxima in their bounds, beside those for partial ones.

    A loop that runs in parallel does so over the tiles if it is coincident, else over the points
    of each; vector and unrolled loops are point loops.

    Claims that the result computes the same if the bands that are said to be permutable are.
    Raises PolynbError for bands that are not permutable, sizes that do not fit, and if there is no
    band to tile. (Irigoin, Triolet: "Supernode Partitioning", POPL 1988; live-range reordering,
    section 4.1, Listing 2.)
    """
    scop = as_scop(program)
    separate, shift = flag("separate", separate), flag("shift", shift)
    found = tuple(_outermost(scop.schedule))
    bands = chosen(scop, band, found, "no band has two or more permutable loops", MORE_BANDS)
    for b in bands:
        check_permutable(scop, b, "tiled")
        check_not_separated(scop, b, "tiled")
    new = ((b, _tiled(b, TileShape(_sizes(scop, b, sizes), shift), separate)) for b in bands)
    return with_schedule(scop, replaced(scop.schedule, new))


def tileable(scop: Scop) -> bool:
    """Whether there is a band that `tile` tiles without being told which."""
    return any(True for _ in _outermost(scop.schedule))


def _outermost(tree: Tree) -> Iterator[Band]:
    """The permutable bands of two or more loops that are in no other one."""
    if isinstance(tree, Band) and tree.permutable and tree.depth > 1:
        yield tree
    else:
        for child in subtrees(tree):
            yield from _outermost(child)


def _sizes(scop: Scop, band: Band, sizes: Any) -> tuple[int, ...]:
    if isinstance(sizes, Iterable) and not isinstance(sizes, str):
        given = integers("sizes", sizes, least=1, most=LARGEST, some=False)
    else:
        given = (count("sizes", sizes, most=LARGEST),) * band.depth
    if len(given) != band.depth:
        loops = ", ".join(loop_names(scop, band))
        raise PolynbError(
            f"{band_label(scop, band)} has {counted(band.depth, 'loop')}, not {len(given)}",
            hint=f"{band.depth} sizes, for the loops {loops}, or one number for all; `band=` tiles "
            "one band only",
        )
    return given


def _tiled(band: Band, shape: TileShape, separate: bool) -> Tree:
    dims = [f"t{k}" for k in range(band.depth)]
    starts = [f"{s}*floor({t}/{s})" for t, s in zip(dims, shape.sizes, strict=True)]
    offsets = [f"{t} - {start}" for t, start in zip(dims, starts, strict=True)]
    over_tiles = _map(dims, starts)
    points = band
    if shape.shifted:
        points = replace(band, members=_applied(band, _map(dims, offsets)))
    moved = [loop == "parallel" and c for loop, c in zip(band.loops, band.coincident, strict=True)]
    points = replace(points, loops=tuple(
        "sequential" if m else loop for loop, m in zip(band.loops, moved, strict=True)
    ))  # fmt: skip
    loops = tuple("parallel" if m else "sequential" for m in moved)
    tiles = replace(band, members=_applied(band, over_tiles), child=points, loops=loops)
    return Mark(full_tiles_mark(shape), tiles) if separate else tiles


def _map(dims: list[str], values: list[str]) -> isl.Map:
    return isl.Map(f"{{ [{', '.join(dims)}] -> [{', '.join(values)}] }}")


def _applied(band: Band, change: isl.Map) -> dict[str, isl.Map]:
    return {name: m.apply_range(change) for name, m in band.members.items()}
