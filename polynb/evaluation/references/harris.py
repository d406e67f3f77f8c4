"""Harris corner measure in double precision: Sobel's gradients, sums over squares of nine."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.random import Generator

SIZES = {"R": 9, "C": 11}
SOBEL = np.outer([-1, 0, 1], [1, 2, 1]) / 12


def inputs(random: Generator, R: int, C: int) -> dict[str, np.ndarray]:
    """Random grey: a corner measure is a polynomial, and nothing in it branches."""
    return {"img": random.random((R + 2, C + 2), dtype=np.float32)}


def expected(R: int, C: int, img: np.ndarray) -> dict[str, np.ndarray]:
    """Without the frame of two pixels: `{"harris": array of (R - 2) x (C - 2)}`."""
    squares = sliding_window_view(img.astype(float), (3, 3))
    gradients = [np.tensordot(squares, k, 2) for k in (SOBEL, SOBEL.T)]
    tensor = np.array([[a * b for a in gradients] for b in gradients])
    sums = sliding_window_view(tensor, (3, 3), (2, 3)).sum(axis=(-2, -1))
    matrices = np.moveaxis(sums, (0, 1), (-2, -1))
    trace = np.trace(matrices, axis1=-2, axis2=-1)
    return {"harris": np.linalg.det(matrices) - 0.04 * trace**2}


FRAME = (slice(2, -2), slice(2, -2))
