"""Inputs to time image pipelines on: a smooth picture, as cameras make them.

Random numbers would be no picture: every data-dependent read would miss the caches, and rounding
to whole numbers would differ wherever operations are reordered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from polynb.run.extents import extents_at
from polynb.scop import Scop

WHITE: Final = {"uint8": 255, "int16": 1023, "uint16": 65535}
"""The brightest value; that of int16 is a sensor's of 10 bits."""
LEAST: Final = 16  # rows and columns: what has fewer is a table
# Scalars and tables that have a meaning, as Halide's examples choose them.
SETTINGS: Final[Mapping[str, Any]] = {
    "weight": 3.0,
    "threshold": 0.1,
    "alpha": 1 / 7,
    "beta": 1.0,
    "colour_temp": 3700.0,
    "contrast": 50.0,
    "gamma": 2.0,
    "matrix_3200": [[1.65, -0.25, -0.4, -42.5], [-0.35, 1.05, 1.6, -37], [-0.2, -1.9, 6.95, -26.5]],
    "matrix_7000": [[2.3, -0.45, 0.15, -39], [-0.4, 1.6, -0.2, -25.5], [-0.1, -0.75, 2.3, -20]],
}


def pictures(scop: Scop, sizes: Mapping[str, int]) -> dict[str, NDArray[Any]]:
    """Content for the inputs of a pipeline: a picture for each array of at least LEAST rows and
    columns (channels first), the SETTINGS for what bears their names."""
    found = {}
    for array in scop.arrays.values():
        shape = extents_at(array, sizes)
        if array.role != "input" or None in shape:
            continue
        exact = tuple(e or 0 for e in shape)
        if len(exact) in (2, 3) and min(exact[-2:]) >= LEAST:
            found[array.name] = picture(exact, array.type.dtype)
        elif array.name in SETTINGS:
            given = np.asarray(SETTINGS[array.name], array.type.dtype)
            if given.shape == exact:
                found[array.name] = given
    return found


def picture(shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    """Soft waves with some edges and a little noise, the channels shifted a little; the fourth
    channel is a mask of what is known, 0 or 1."""
    *channels, rows, columns = shape
    x, y = (k / np.float32(max(rows, columns)) for k in np.ogrid[:rows, :columns])
    noise = np.random.default_rng(0).random((rows, columns), np.float32)
    planes = []
    for c in range(channels[0] if channels else 1):
        waves = np.sin(23 * x + 11 * y + c) + np.cos(17 * x * y + 31 * y - c)
        edges = np.where((np.floor(7 * x) + np.floor(9 * y)) % 2, 0.1, -0.1)
        plane = 0.5 + 0.17 * waves + edges + 0.02 * (noise - 0.5)
        planes.append(plane if c < 3 else (plane > 0.45).astype(np.float32))
    scale = WHITE.get(dtype, 1)
    return (np.stack(planes).reshape(shape) * scale).astype(dtype)
