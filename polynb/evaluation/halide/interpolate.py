"""Multiscale interpolation in Halide: the coarse levels are stored, each computed in strips of
rows; the finest is computed where a row of the result needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Final

from polynb.evaluation.halide.model import LANES, Halide, PictureVars, Pipeline, framed, weighted

LEVELS: Final = 10
PARALLEL: Final = 5  # levels, from the finest on, that are large enough for several threads


def interpolate(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    """As the gallery's `interpolate`."""
    v = PictureVars.of(hl)
    x, y, c = v.x, v.y, v.c
    img = hl.ImageParam(hl.Float(32), 3, "img")
    first, result = hl.Func("D0"), hl.Func("interpolate")
    first[x, y, c] = img[x, y, c] * img[x, y, 3]
    inside = [[range(1, sizes[n] // 2**k + 1) for n in "CR"] for k in range(LEVELS)]
    known, wide = _down(hl, v, first, inside)
    filled, narrow = _up(hl, v, known, inside)
    result[x, y, c] = filled[0][x + 1, y + 1, c] / filled[0][x + 1, y + 1, 3]

    def schedule() -> None:
        v.in_strips(result).vectorize(x, LANES)
        v.on_pairs(filled[0].compute_at(result, v.row).align_bounds(x, 2))
        narrow[0].compute_at(result, v.row).vectorize(x, LANES)
        for f in (filled[0], narrow[0]):
            f.hoist_storage(result, v.strip)  # allocated once
        for k in range(1, LEVELS):
            strips(known[k], k).vectorize(x, LANES)
            wide[k].compute_at(known[k], c).hoist_storage(known[k], v.strip)
            wide[k].vectorize(x, LANES)
        for k in range(1, LEVELS - 1):
            v.on_pairs(strips(filled[k], k).align_bounds(x, 2))
            narrow[k].compute_at(filled[k], c).hoist_storage(filled[k], v.strip)
            narrow[k].vectorize(x, LANES)

    def strips(f: Halide, k: int) -> Halide:
        f.compute_root().reorder(x, c, y).split(y, v.strip, v.row, 8)
        return f.parallel(v.strip) if k < PARALLEL else f

    return Pipeline({"img": img}, result, schedule)


Sides = Sequence[Sequence[range]]
"""The columns and rows of each level that are not its frame."""


def _down(
    hl: ModuleType, v: PictureVars, first: Halide, inside: Sides
) -> tuple[list[Halide], list[Halide]]:
    """What is known at each level; and before its columns are halved."""
    known, wide = [first], [first]
    for k in range(1, LEVELS):
        (before, _), (columns, rows) = inside[k - 1], inside[k]
        down, both = hl.Func(f"Dx{k}"), hl.Func(f"D{k}")
        pixels = [known[-1][v.x, 2 * v.y + n, v.c] for n in (-2, -1, 0)]
        down[v.x, v.y, v.c] = hl.f32(0.25) * weighted((1, 2, 1), pixels)
        wide.append(framed(hl, down, before, rows))
        pixels = [wide[-1][2 * v.x + n, v.y, v.c] for n in (-2, -1, 0)]
        both[v.x, v.y, v.c] = hl.f32(0.25) * weighted((1, 2, 1), pixels)
        known.append(framed(hl, both, columns, rows))
    return known, wide


def _up(
    hl: ModuleType, v: PictureVars, known: Sequence[Halide], inside: Sides
) -> tuple[list[Halide], list[Halide]]:
    """What is filled in at each level; and what it takes of the coarser one, before its columns are
    doubled."""
    filled, narrow = [known[-1]], [known[-1]]
    for k in reversed(range(LEVELS - 1)):
        (columns, rows), (coarse, _) = inside[k], inside[k + 1]
        up, both = hl.Func(f"Ux{k}"), hl.Func(f"I{k}")
        pixels = [filled[0][v.x, (v.y + n) / 2, v.c] for n in (1, 2)]
        up[v.x, v.y, v.c] = hl.f32(0.5) * weighted((1, 1), pixels)
        narrow.insert(0, framed(hl, up, coarse, rows))
        pixels = [narrow[0][(v.x + n) / 2, v.y, v.c] for n in (1, 2)]
        filling = hl.f32(0.5) * weighted((1, 1), pixels)
        own = known[k]
        both[v.x, v.y, v.c] = own[v.x, v.y, v.c] + (1 - own[v.x, v.y, 3]) * filling
        filled.insert(0, framed(hl, both, columns, rows) if k else both)
    return filled, narrow
