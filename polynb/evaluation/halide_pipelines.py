"""Unsharp mask and Harris in Halide, with schedules of our own: strips of rows in parallel, and in
a strip, row by row, what the next row needs in windows of a few rows; vectors along the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

ROWS: Final = 32  # of a strip
LANES: Final = 16  # floats of a vector


@dataclass(frozen=True, eq=False)
class Pipeline:
    """A scheduled Halide function `output` and its `inputs`, in the order of its arguments, by the
    names that the program in the gallery has for them. The last two dimensions of its result
    leave out a `frame` of so many cells at each end."""

    inputs: Mapping[str, Any]
    output: Any
    frame: int


def unsharp_mask(hl: Any) -> Pipeline:
    x, y, c, strip, row = (hl.Var(n) for n in ("x", "y", "c", "strip", "row"))
    img = hl.ImageParam(hl.Float(32), 3, "img")
    weight, threshold = (hl.Param(hl.Float(32), n) for n in ("weight", "threshold"))
    blurx, blury, mask = (hl.Func(n) for n in ("blurx", "blury", "mask"))
    taps = ((-2, 0.0625), (-1, 0.25), (0, 0.375), (1, 0.25), (2, 0.0625))
    blurx[x, y, c] = _sum(hl.f32(w) * img[x, y + k, c] for k, w in taps)
    blury[x, y, c] = _sum(hl.f32(w) * blurx[x + k, y, c] for k, w in taps)
    pixel, blurred = img[x, y, c], blury[x, y, c]
    sharp = (1 + weight) * pixel - weight * blurred
    mask[x, y, c] = hl.select(hl.abs(pixel - blurred) < threshold, pixel, sharp)

    mask.split(y, strip, row, ROWS).parallel(c).parallel(strip).vectorize(x, LANES)
    blurx.compute_at(mask, row).vectorize(x, LANES)
    return Pipeline({"img": img, "weight": weight, "threshold": threshold}, mask, 2)


def harris(hl: Any) -> Pipeline:
    x, y, strip, row = (hl.Var(n) for n in ("x", "y", "strip", "row"))
    img = hl.ImageParam(hl.Float(32), 2, "img")
    across, down, corner = (hl.Func(n) for n in ("across", "down", "corner"))
    sobel = ((-1, 1), (0, 2), (1, 1))
    across[x, y] = _sum(w * (img[x + k, y + 1] - img[x + k, y - 1]) for k, w in sobel) / 12
    down[x, y] = _sum(w * (img[x + 1, y + k] - img[x - 1, y + k]) for k, w in sobel) / 12

    def around(f: Any, g: Any) -> Any:
        near = [(x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1)]
        return _sum(f[p] * g[p] for p in near)

    xx, xy, yy = around(across, across), around(across, down), around(down, down)
    trace = xx + yy
    corner[x, y] = xx * yy - xy * xy - hl.f32(0.04) * trace * trace

    corner.split(y, strip, row, ROWS).parallel(strip).vectorize(x, LANES)
    for gradient in (across, down):
        gradient.store_at(corner, strip).compute_at(corner, row).vectorize(x, LANES)
    return Pipeline({"img": img}, corner, 2)


def _sum(terms: Any) -> Any:
    first, *others = terms
    for term in others:
        first = first + term
    return first


PIPELINES: Final[Mapping[str, Callable[[Any], Pipeline]]] = {
    "unsharp_mask": unsharp_mask,
    "harris": harris,
}
