"""Multiscale interpolation in Halide: the coarse levels are stored, each computed in strips of
rows; the finest is computed where a row of the result needs it."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from polynb.evaluation.halide.model import LANES, ROWS, Halide, Pipeline, framed, weighted

LEVELS = 10
PARALLEL = 5  # levels, from the finest on, that are large enough for several threads


def interpolate(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    x, y, c, strip, row, pair, odd = (
        hl.Var(n) for n in ("x", "y", "c", "strip", "row", "pair", "odd")
    )
    img = hl.ImageParam(hl.Float(32), 3, "img")
    first = hl.Func("D0")
    first[x, y, c] = img[x, y, c] * img[x, y, 3]
    known, wide = [first], [first]
    rows, columns = ([range(1, sizes[n] // 2**k + 1) for k in range(LEVELS)] for n in "RC")

    def blurred(pixels: list[Halide]) -> Halide:
        return hl.f32(0.25) * weighted((1, 2, 1), pixels)

    def mean(pixels: list[Halide]) -> Halide:
        return hl.f32(0.5) * weighted((1, 1), pixels)

    for k in range(1, LEVELS):
        down, both = hl.Func(f"Dx{k}"), hl.Func(f"D{k}")
        down[x, y, c] = blurred([known[-1][x, 2 * y + n, c] for n in (-2, -1, 0)])
        wide.append(framed(hl, down, columns[k - 1], rows[k]))
        both[x, y, c] = blurred([wide[-1][2 * x + n, y, c] for n in (-2, -1, 0)])
        known.append(framed(hl, both, columns[k], rows[k]))
    filled, narrow = [known[-1]], [known[-1]]
    for k in reversed(range(LEVELS - 1)):
        up, both = hl.Func(f"Ux{k}"), hl.Func(f"I{k}")
        up[x, y, c] = mean([filled[0][x, (y + n) / 2, c] for n in (1, 2)])
        narrow.insert(0, framed(hl, up, columns[k + 1], rows[k]))
        filling = mean([narrow[0][(x + n) / 2, y, c] for n in (1, 2)])
        both[x, y, c] = known[k][x, y, c] + (1 - known[k][x, y, 3]) * filling
        filled.insert(0, framed(hl, both, columns[k], rows[k]) if k else both)
    result = hl.Func("interpolate")
    result[x, y, c] = filled[0][x + 1, y + 1, c] / filled[0][x + 1, y + 1, 3]

    def schedule() -> None:
        result.reorder(x, c, y).split(y, strip, row, ROWS).parallel(strip).vectorize(x, LANES)
        doubled(filled[0].compute_at(result, row))
        narrow[0].compute_at(result, row).vectorize(x, LANES)
        for k in range(1, LEVELS):
            strips(known[k].compute_root(), k).vectorize(x, LANES)
            wide[k].compute_at(known[k], c).vectorize(x, LANES)
        for k in range(1, LEVELS - 1):
            doubled(strips(filled[k].compute_root(), k))
            narrow[k].compute_at(filled[k], c).vectorize(x, LANES)

    def strips(f: Halide, k: int) -> Halide:
        """Row by row, all channels of a row in turn."""
        f.reorder(x, c, y)
        return f.parallel(y, 8) if k < PARALLEL else f

    def doubled(f: Halide) -> Halide:
        """Two columns of one coarse one at once, so that the coarse ones are a vector."""
        f.align_bounds(x, 2).split(x, pair, odd, 2).reorder(odd, pair)
        return f.unroll(odd).vectorize(pair, LANES)

    return Pipeline({"img": img}, result, schedule)
