"""The bilateral grid in Halide: the interpolation along the columns of the picture depends on the
row alone, so it is done once a row, of the whole grid; 8 cells are then looked up for a pixel, not
16."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from polynb.evaluation.halide.model import LANES, Halide, Pipeline, weighted

STRIP = 8  # rows: those between two rows of the grid


def bilateral_grid(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    """As the gallery's `bilateral_grid`."""
    x, y, i, j, k, c = (hl.Var(n) for n in ("x", "y", "i", "j", "k", "c"))
    strip, row, cell = (hl.Var(n) for n in ("strip", "row", "cell"))
    img = hl.ImageParam(hl.Float(32), 2, "img")
    window = hl.RDom([hl.Range(-4, 9), hl.Range(-4, 9)], "window")
    grid, blurz, blurx, blury, at_row, filtered = (
        hl.Func(n) for n in ("grid", "blurz", "blurx", "blury", "at_row", "filtered")
    )
    # k, the degree of brightness, and c, the sum and the count, are innermost.
    pixel = img[8 * j + window[0], 8 * i + window[1]]
    degree = hl.clamp(2 + hl.i32(10 * pixel + hl.f32(0.5)), 0, 15)
    grid[c, k, j, i] = hl.f32(0)
    grid[c, degree, j, i] += hl.select(c == 0, pixel, hl.f32(1))
    taps = (1, 4, 6, 4, 1)
    blurz[c, k, j, i] = weighted(taps, [grid[c, k + n, j, i] for n in range(5)])
    blurx[c, k, j, i] = weighted(taps, [blurz[c, k, j, i + n] for n in range(-2, 3)])
    blury[c, k, j, i] = weighted(taps, [blurx[c, k, j + n, i] for n in range(-2, 3)])

    def between(a: Halide, b: Halide, share: Halide) -> Halide:
        return a + share * (b - a)

    above, under = (blury[c, k, j, y / 8 + n] for n in (0, 1))
    at_row[c, k, j, y] = between(above, under, hl.f32(y % 8) / 8)
    value = img[x, y]
    brightness = 10 * value
    below = hl.clamp(hl.i32(brightness), 0, 10)
    rest = brightness - below

    def looked_up(channel: int) -> Halide:
        planes = []
        for m in (0, 1):
            left, right = (at_row[channel, below + m, x / 8 + n, y] for n in (0, 1))
            planes.append(between(left, right, hl.f32(x % 8) / 8))
        return between(planes[0], planes[1], rest)

    sums, count = looked_up(0), looked_up(1)
    filtered[x, y] = hl.select(count > 0, sums / count, value)

    def schedule() -> None:
        filtered.split(y, strip, row, STRIP).parallel(strip).vectorize(x, LANES)
        cells(at_row.compute_at(filtered, row))
        cells(blury.bound(c, 0, 2).compute_root().parallel(i))
        cells(blurx.bound(c, 0, 2).compute_at(blury, i))
        cells(blurz.bound(c, 0, 2).compute_root().parallel(i))
        grid.bound(c, 0, 2).compute_at(blurz, i)
        grid.update(0).reorder(c, window[0], window[1], j).unroll(c)

    def cells(f: Halide) -> None:
        """Both channels of all degrees in one loop."""
        f.fuse(c, k, cell).vectorize(cell, LANES)

    return Pipeline({"img": img}, filtered, schedule, (24, 28))
