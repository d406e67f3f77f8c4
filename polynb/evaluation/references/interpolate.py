"""Multiscale interpolation in double precision: a level is every other value of a convolution,
the way back linear interpolation halfway between samples."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

SIZES = {"R": 512, "C": 512}


def inputs(random: Generator, R: int, C: int) -> dict[str, np.ndarray]:
    """Colours, and a mask in which every pixel has something known near it."""
    known = random.random((1, R + 2, C + 2)) < 0.2
    known[:, 1::2, 2::3] = True  # some of every three columns and two rows
    colours = random.random((3, R + 2, C + 2))
    return {"img": np.concatenate((colours, known)).astype(np.float32)}


def expected(R: int, C: int, img: np.ndarray, levels: int = 10) -> dict[str, np.ndarray]:
    """Down to one level, and up again: what is known stays, the rest comes from below."""
    known_at = [img.astype(float) * img[3]]
    while len(known_at) < levels:
        known_at.append(halved(halved(known_at[-1], 1), 2))
    filled = known_at.pop()
    for known in reversed(known_at):
        _, rows, columns = known.shape
        coarse = doubled(doubled(filled, 1, rows), 2, columns)
        filled = framed(known + (1 - known[3]) * coarse)
    inside = filled[:, 1:-1, 1:-1]
    return {"interpolate": inside[:3] / inside[3]}


def halved(picture: np.ndarray, axis: int) -> np.ndarray:
    """Every other binomial average, in a frame of zeros."""
    count = (picture.shape[axis] - 2) // 2
    average = np.apply_along_axis(np.convolve, axis, picture, np.array([1, 2, 1]) / 4, "valid")
    every_other = np.take(average, 2 * np.arange(count), axis)
    return framed(np.pad(every_other, [(int(a == axis),) * 2 for a in range(3)]))


def doubled(picture: np.ndarray, axis: int, size: int) -> np.ndarray:
    """What is seen at (x + 1) / 2, with ends that are framed later."""
    at = (np.arange(size) + 1) / 2
    return np.apply_along_axis(lambda v: np.interp(at, np.arange(len(v)), v), axis, picture)


def framed(picture: np.ndarray) -> np.ndarray:
    """With a frame of zeros, whatever stood there."""
    return np.pad(picture[:, 1:-1, 1:-1], ((0, 0), (1, 1), (1, 1)))
