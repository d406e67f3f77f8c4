"""Bilateral grid in double precision: histograms of windows, one blur with the product of three
binomial kernels, and the eight nearest cells of each pixel, each with its weight."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.random import Generator

SIZES = {"R": 13, "C": 18}
BINOMIAL = np.array([1, 4, 6, 4, 1])
DEGREES = 11


def inputs(random: Generator, R: int, C: int) -> dict[str, np.ndarray]:
    """Steps of 1/255: none is halfway between two degrees of brightness."""
    shades = random.integers(0, 256, (R + 52, C + 52))  # with 0 and 1, and nothing halfway
    return {"img": (shades / 255).astype(np.float32)}


def expected(R: int, C: int, img: np.ndarray) -> dict[str, np.ndarray]:
    """Without the frame: `{"filtered": array of R x C}`."""
    grid = np.pad(_histograms(img.astype(float)), ((0, 0), (0, 0), (0, 0), (2, 3)))
    kernel = np.einsum("i,j,k->ijk", BINOMIAL, BINOMIAL, BINOMIAL)
    blurred = np.einsum(
        "cijkabd,abd->cijk", sliding_window_view(grid, (5, 5, 5), (1, 2, 3)), kernel
    )
    centre = img[24 : R + 24, 24 : C + 24].astype(float)
    # Cell 0 of what is left of the grid is at pixel 0 of the picture, its first two being lost.
    row, column = np.mgrid[:R, :C]
    position = np.stack([row / 8, column / 8, 10 * centre])
    cell = position.astype(int)
    share = position - cell
    total = np.zeros((2, R, C))
    for corner in itertools.product((0, 1), repeat=3):
        ahead = np.reshape(corner, (3, 1, 1))
        weight = np.prod(np.where(ahead, share, 1 - share), axis=0)
        total = total + weight * blurred[:, *(cell + ahead)]
    known = total[1] > 0
    return {"filtered": np.where(known, total[0] / np.where(known, total[1], 1), centre)}


def _histograms(img: np.ndarray) -> np.ndarray:
    """The sums of values and the numbers of pixels of each degree of brightness, in windows of
    9 x 9 pixels at every eighth one: `array[2, cells, cells, degrees]`."""
    windows = sliding_window_view(img[4:, 4:], (9, 9))[::8, ::8]
    degree = np.floor(10 * windows + 0.5)
    return np.stack(
        [
            np.stack([np.sum(what * (degree == d), (2, 3)) for d in range(DEGREES)], axis=-1)
            for what in (windows, np.ones_like(windows))
        ]
    )


FRAME = (slice(24, -28), slice(24, -28))
