"""Unsharp mask in double precision, with the blur as one product of two binomial kernels."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.random import Generator

SIZES = {"R": 7, "C": 9}
BINOMIAL = np.array([1, 4, 6, 4, 1]) / 16


def inputs(random: Generator, R: int, C: int) -> dict[str, np.ndarray | np.float32]:
    """Random colours; weight and threshold as in `commands.SETTINGS`."""
    return {
        "img": random.random((3, R + 4, C + 4), dtype=np.float32),
        "weight": np.float32(3.0),
        "threshold": np.float32(0.1),
    }


def expected(
    R: int, C: int, img: np.ndarray, weight: np.float32, threshold: np.float32
) -> dict[str, np.ndarray]:
    """Without the frame of two pixels: `{"mask": array of 3 x R x C}`."""
    windows = sliding_window_view(img.astype(float), (5, 5), (1, 2))
    blurred = np.tensordot(windows, np.outer(BINOMIAL, BINOMIAL), 2)
    centre = img[:, 2:-2, 2:-2].astype(float)
    difference = centre - blurred
    return {"mask": np.where(abs(difference) < threshold, centre, centre + weight * difference)}


FRAME = (slice(None), slice(2, -2), slice(2, -2))
