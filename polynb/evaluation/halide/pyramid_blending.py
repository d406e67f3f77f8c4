"""Pyramid blending in Halide: the Gaussian levels are stored; bands and their sum are computed
where a row of the result needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Final

from polynb.evaluation.halide.model import LANES, Halide, PictureVars, Pipeline, weighted

LEVELS: Final = 4
FRAME: Final = 31  # rows and columns of the pictures before the result's


def pyramid_blending(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    """As the gallery's `pyramid_blending`."""
    v = PictureVars.of(hl)
    x, y, c = v.x, v.y, v.c
    inputs = {
        name: hl.ImageParam(hl.Float(32), dimensions, name)
        for name, dimensions in (("img1", 3), ("img2", 3), ("mask", 2))
    }
    pyramids = [_gaussian(hl, v, name, picture) for name, picture in inputs.items()]
    one, two, mask = (levels for levels, _ in pyramids)
    totals, narrow = _collapsed(hl, v, one, two, mask)
    result = hl.Func("blend")
    result[x, y, c] = totals[0][x + FRAME, y + FRAME, c]

    def schedule() -> None:
        v.on_pairs(v.in_strips(result))
        for total, up in narrow:
            up.compute_at(result if total is totals[0] else total, c).vectorize(x, LANES)
        for total in totals[1:-1]:
            total.compute_root().reorder(x, c, y).parallel(y, 8).align_bounds(x, 2)
            v.on_pairs(total)
        totals[-1].compute_root().vectorize(x, LANES)
        for levels, wide in pyramids:
            for level, down in zip(levels[1:], wide, strict=True):
                level.compute_root().parallel(y, 8).vectorize(x, LANES)
                down.compute_at(level, y).vectorize(x, LANES)

    return Pipeline(inputs, result, schedule)


def _gaussian(
    hl: ModuleType, v: PictureVars, name: str, picture: Halide
) -> tuple[list[Halide], list[Halide]]:
    """The levels of a picture, and what each is before its columns are halved."""
    levels, wide = [picture], []
    planes = (v.c,) if picture.dimensions() > 2 else ()
    for k in range(1, LEVELS):
        down, both = hl.Func(f"Gx{k}_{name}"), hl.Func(f"G{k}_{name}")
        pixels = [levels[-1][v.x, 2 * v.y + n, *planes] for n in range(-2, 3)]
        down[v.x, v.y, *planes] = hl.f32(0.0625) * weighted((1, 4, 6, 4, 1), pixels)
        pixels = [down[2 * v.x + n, v.y, *planes] for n in range(-2, 3)]
        both[v.x, v.y, *planes] = hl.f32(0.0625) * weighted((1, 4, 6, 4, 1), pixels)
        levels.append(both)
        wide.append(down)
    return levels, wide


def _collapsed(
    hl: ModuleType,
    v: PictureVars,
    one: Sequence[Halide],
    two: Sequence[Halide],
    mask: Sequence[Halide],
) -> tuple[list[Halide], list[tuple[Halide, Halide]]]:
    """The sums of the bands from each level on; and with its sum, what is taken of a coarser level
    before its columns are doubled."""
    narrow: list[tuple[Halide, Halide]] = []
    x, y, c = v.x, v.y, v.c

    def upsampled(name: str, coarse: Halide, total: Halide) -> Halide:
        up = hl.Func(name)
        up[x, y, c] = _doubled(hl, y, lambda row: coarse[x, row, c])
        narrow.append((total, up))
        return _doubled(hl, x, lambda column: up[column, y, c])

    total = hl.Func(f"S{LEVELS - 1}")
    share = mask[-1][x, y]
    total[x, y, c] = one[-1][x, y, c] * share + two[-1][x, y, c] * (1 - share)
    totals = [total]
    for k in reversed(range(LEVELS - 1)):
        total, share = hl.Func(f"S{k}"), mask[k][x, y]
        a, b = (
            levels[k][x, y, c] - upsampled(f"Ux{k}_{name}", levels[k + 1], total)
            for name, levels in (("img1", one), ("img2", two))
        )
        total[x, y, c] = a * share + b * (1 - share) + upsampled(f"Ux{k}", totals[0], total)
        totals.insert(0, total)
    return totals, narrow


def _doubled(hl: ModuleType, at: Halide, coarse: Callable[[Halide], Halide]) -> Halide:
    """What the coarser level has there, which is even or odd."""
    before, middle, after = (coarse(at / 2 + n) for n in (-1, 0, 1))
    between = hl.f32(0.5) * weighted((1, 1), (middle, after))
    on = hl.f32(0.125) * weighted((1, 6, 1), (before, middle, after))
    return hl.select(at % 2 == 0, on, between)
