"""Unsharp mask in Halide: the rows of `blurx` are computed where a row of the mask needs them."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from polynb.evaluation.halide.model import LANES, ROWS, PictureVars, Pipeline, total


def unsharp_mask(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    """As the gallery's `unsharp_mask`."""
    v = PictureVars.of(hl)
    x, y, c = v.x, v.y, v.c
    img = hl.ImageParam(hl.Float(32), 3, "img")
    weight, threshold = (hl.Param(hl.Float(32), n) for n in ("weight", "threshold"))
    blurx, blury, mask = (hl.Func(n) for n in ("blurx", "blury", "mask"))
    taps = ((-2, 0.0625), (-1, 0.25), (0, 0.375), (1, 0.25), (2, 0.0625))
    blurx[x, y, c] = total(hl.f32(w) * img[x, y + k, c] for k, w in taps)
    blury[x, y, c] = total(hl.f32(w) * blurx[x + k, y, c] for k, w in taps)
    pixel, blurred = img[x, y, c], blury[x, y, c]
    sharp = (1 + weight) * pixel - weight * blurred
    mask[x, y, c] = hl.select(hl.abs(pixel - blurred) < threshold, pixel, sharp)

    def schedule() -> None:
        mask.split(y, v.strip, v.row, ROWS).parallel(c).parallel(v.strip).vectorize(x, LANES)
        blurx.compute_at(mask, v.row).vectorize(x, LANES)

    inputs = {"img": img, "weight": weight, "threshold": threshold}
    return Pipeline(inputs, mask, schedule, (2, 2))
