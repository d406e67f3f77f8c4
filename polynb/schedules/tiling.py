"""Tiling: the loops of a band become loops over tiles around loops over the points of a tile."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence as Seq
from dataclasses import replace
from typing import Final

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
    mapped,
    replaced,
    several_permutable,
    with_schedule,
)
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, FullTiles, Loop, Mark, Tree
from polynb.scop.tree_walk import paths
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
    Raises PolynbError for bands that are not permutable, sizes that do not fit (loops over tiles
    are cut into tiles of several whole ones), and if there is no band to tile.
    (Irigoin, Triolet: "Supernode Partitioning", POPL 1988; live-range reordering,
    section 4.1, Listing 2.)
    """
    scop = as_scop(program)
    separate, shift = flag("separate", separate), flag("shift", shift)
    outermost = tuple(_outermost(scop.schedule))
    bands = chosen(scop, band, outermost, "no band has two or more permutable loops", MORE_BANDS)
    for b in bands:
        check_permutable(scop, b, "tiled")
        check_not_separated(scop, b, "tiled")
    new = ((b, _tiled(b, FullTiles(_sizes(scop, b, sizes), shift), separate)) for b in bands)
    return with_schedule(scop, replaced(scop.schedule, new))


def tileable(scop: Scop) -> bool:
    """Whether there is a band that `tile` tiles without being told which."""
    return any(True for _ in _outermost(scop.schedule))


def _outermost(tree: Tree) -> Iterator[Band]:
    """The permutable bands of two or more loops that are in no other one."""
    for node, above in paths(tree):
        if several_permutable(node) and not any(map(several_permutable, above)):
            yield node


def _sizes(scop: Scop, band: Band, sizes: object) -> tuple[int, ...]:
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
    for name, loop, size in zip(loop_names(scop, band), band.loops, given, strict=True):
        check_size(name, loop, size)
    return given


def check_size(name: str, loop: Loop, size: int) -> None:
    """Raises PolynbError for tiles of a loop over tiles that hold one iteration, or parts of it."""
    width = loop.width
    if width > 1 and (size % width or size == width):
        raise PolynbError(
            f"the loop '{name}' cannot be cut into tiles of '{size}'",
            reason=f"it steps from tile to tile by {width}",
            hint=f"a multiple of {width}: {4 * width}, say",
        )


def _tiled(band: Band, shape: FullTiles, separate: bool) -> Tree:
    tiles = in_tiles(band, shape.sizes, shifted=shape.shifted)
    return Mark(shape, tiles) if separate else tiles


def in_tiles(
    band: Band,
    sizes: Seq[int],
    *,
    shifted: bool = False,
    names: Seq[str] = (),
    keep: Container[str] = (),
) -> Band:
    """A band of loops over tiles, called `names`, around one over the points of a tile.

    Loops that are parallel and coincident, or of a kind to `keep`, run so over the tiles, others
    over the points of each; `shifted`: the point loops begin at 0.
    """
    starts = [f"{size}*floor(t{k}/{size})" for k, size in enumerate(sizes)]
    over, inside = [], []
    for loop, size, name in zip(band.loops, sizes, names or [""] * band.depth, strict=True):
        moved = loop.kind in keep or (loop.kind == "parallel" and loop.coincident)
        kind = loop.kind if moved else "sequential"
        over.append(Loop(kind, loop.coincident, size, name))
        inside.append(replace(loop, kind="sequential") if moved else loop)
    points = mapped(band, [f"t{k} - {s}" for k, s in enumerate(starts)]) if shifted else band
    points = replace(points, loops=tuple(inside))
    return replace(mapped(band, starts), child=points, loops=tuple(over))
