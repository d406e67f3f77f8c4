"""Pyramid blending in double precision: down by a convolution of which every other value is kept,
up by the same convolution of a picture with zeros between its pixels."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.random import Generator

SIZES = {"R": 19, "C": 30}
BINOMIAL = np.array([1, 4, 6, 4, 1]) / 16
# Where the rows and columns of each level begin: all that can be computed, and what is needed.
BEGIN = (0, 1, 2, 3)
NEEDED = (31, 15, 7, 3)


def inputs(random: Generator, R: int, C: int) -> dict[str, np.ndarray]:
    """Two pictures and a mask, with the margin that four levels read."""
    shape = (R + 60, C + 60)
    images = {name: random.random((3, *shape), dtype=np.float32) for name in ("img1", "img2")}
    return images | {"mask": random.random(shape, dtype=np.float32)}


def expected(
    R: int, C: int, img1: np.ndarray, img2: np.ndarray, mask: np.ndarray, levels: int = 4
) -> dict[str, np.ndarray]:
    """`{"blend": array of 3 x R x C}`: Laplacian pyramids, mixed level by level."""
    first, second, masks = (pyramid(p.astype(float)) for p in (img1, img2, mask))
    top = levels - 1
    a, b, m = (needed(p[top], top, R, C) for p in (first, second, masks))
    total = a * m + b * (1 - m)
    for i in reversed(range(top)):
        m = needed(masks[i], i, R, C)
        a, b = (
            needed(p[i], i, R, C) - doubled(needed(p[i + 1], i + 1, R, C), i, R, C)
            for p in (first, second)
        )
        total = a * m + b * (1 - m) + doubled(total, i, R, C)
    return {"blend": total}


def pyramid(picture: np.ndarray) -> list[np.ndarray]:
    """All of each level that can be computed, finest first; a level begins at BEGIN."""
    levels = [picture]
    for i in (1, 2, 3):
        for axis in (-2, -1):
            picture = _convolved(picture, axis, BINOMIAL, "valid")
            start = 2 * BEGIN[i] - 2 - BEGIN[i - 1]
            picture = np.take(picture, range(start, picture.shape[axis], 2), axis)
        levels.append(picture)
    return levels


def sizes(level: int, R: int, C: int) -> tuple[int, int]:
    """The rows and columns needed of a level: each needs one more on either side of its half."""
    for i in range(level):
        R, C = ((NEEDED[i] + n - 1) // 2 + 2 - NEEDED[i + 1] for n in (R, C))
    return R, C


def needed(picture: np.ndarray, level: int, R: int, C: int) -> np.ndarray:
    """The part of a level that the output depends on."""
    start = NEEDED[level] - BEGIN[level]
    rows, columns = (slice(start, start + n) for n in sizes(level, R, C))
    return picture[..., rows, columns]


def doubled(picture: np.ndarray, level: int, R: int, C: int) -> np.ndarray:
    """The needed part of the next finer level, as it is seen from this one."""
    for axis, size in zip((-2, -1), sizes(level, R, C), strict=True):
        spread = np.repeat(picture, 2, axis)
        np.moveaxis(spread, axis, -1)[..., 1::2] = 0
        start = NEEDED[level] - 2 * NEEDED[level + 1] + 2
        picture = _convolved(spread, axis, 2 * BINOMIAL, "full")
        picture = np.take(picture, range(start, start + size), axis)
    return picture


def _convolved(
    picture: np.ndarray, axis: int, weights: np.ndarray, mode: Literal["valid", "full"]
) -> np.ndarray:
    """Along one axis; "full" also where the weights reach over the ends."""
    return np.apply_along_axis(lambda v: np.convolve(v, weights, mode), axis, picture)
