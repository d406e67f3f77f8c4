"""Harris in Halide: tiles that stay in the cache with their gradients; four rows of the result at
once share the sums along the rows."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Final

from polynb.evaluation.halide.model import LANES, ROWS, Halide, PictureVars, Pipeline, total

TOGETHER: Final = 4  # rows
WIDTH: Final = 128  # of a tile


def harris(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    """As the gallery's `harris`."""
    v = PictureVars.of(hl)
    x, y, tile, inner = v.x, v.y, hl.Var("tile"), hl.Var("inner")
    img = hl.ImageParam(hl.Float(32), 2, "img")
    across, down, corner = (hl.Func(n) for n in ("across", "down", "corner"))
    sobel = ((-1, 1), (0, 2), (1, 1))
    across[x, y] = total(w * (img[x + k, y + 1] - img[x + k, y - 1]) for k, w in sobel) / 12
    down[x, y] = total(w * (img[x + 1, y + k] - img[x - 1, y + k]) for k, w in sobel) / 12

    def around(f: Halide, g: Halide) -> Halide:
        rows = [[(x + i, y + j) for i in (-1, 0, 1)] for j in (-1, 0, 1)]
        return total(total(f[p] * g[p] for p in row) for row in rows)

    xx, xy, yy = around(across, across), around(across, down), around(down, down)
    trace = xx + yy
    corner[x, y] = xx * yy - xy * xy - hl.f32(0.04) * trace * trace

    def schedule() -> None:
        corner.split(x, tile, x, WIDTH).split(y, v.strip, v.row, ROWS)
        corner.split(v.row, v.row, inner, TOGETHER).reorder(inner, x, v.row, tile, v.strip)
        corner.unroll(inner).vectorize(x, LANES).parallel(v.strip)
        for gradient in (across, down):
            gradient.compute_at(corner, tile).vectorize(x, LANES)

    return Pipeline({"img": img}, corner, schedule, (2, 2))
