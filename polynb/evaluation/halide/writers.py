"""Halide's versions of the gallery's pipelines, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from polynb.evaluation.halide.bilateral_grid import bilateral_grid
from polynb.evaluation.halide.camera_pipe import camera_pipe
from polynb.evaluation.halide.harris import harris
from polynb.evaluation.halide.interpolate import interpolate
from polynb.evaluation.halide.local_laplacian import local_laplacian
from polynb.evaluation.halide.model import Writer
from polynb.evaluation.halide.pyramid_blending import pyramid_blending
from polynb.evaluation.halide.unsharp_mask import unsharp_mask

PIPELINES: Final[Mapping[str, Writer]] = {
    "unsharp_mask": unsharp_mask,
    "harris": harris,
    "bilateral_grid": bilateral_grid,
    "camera_pipe": camera_pipe,
    "interpolate": interpolate,
    "pyramid_blending": pyramid_blending,
    "local_laplacian": local_laplacian,
}
