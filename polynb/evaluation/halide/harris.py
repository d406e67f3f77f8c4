"""Harris in Halide: the gradients are stored for a strip, in windows, and computed row by row."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from polynb.evaluation.halide.model import LANES, ROWS, Halide, Pipeline, total


def harris(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    x, y, strip, row = (hl.Var(n) for n in ("x", "y", "strip", "row"))
    img = hl.ImageParam(hl.Float(32), 2, "img")
    across, down, corner = (hl.Func(n) for n in ("across", "down", "corner"))
    sobel = ((-1, 1), (0, 2), (1, 1))
    across[x, y] = total(w * (img[x + k, y + 1] - img[x + k, y - 1]) for k, w in sobel) / 12
    down[x, y] = total(w * (img[x + 1, y + k] - img[x - 1, y + k]) for k, w in sobel) / 12

    def around(f: Halide, g: Halide) -> Halide:
        near = [(x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1)]
        return total(f[p] * g[p] for p in near)

    xx, xy, yy = around(across, across), around(across, down), around(down, down)
    trace = xx + yy
    corner[x, y] = xx * yy - xy * xy - hl.f32(0.04) * trace * trace

    def schedule() -> None:
        corner.split(y, strip, row, ROWS).parallel(strip).vectorize(x, LANES)
        for gradient in (across, down):
            gradient.store_at(corner, strip).compute_at(corner, row).vectorize(x, LANES)

    return Pipeline({"img": img}, corner, schedule, (2, 2))
