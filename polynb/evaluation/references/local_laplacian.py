"""The local Laplacian filter in double precision but for the grey picture: a table is looked up at
its truncated values. Down by convolution, up by linear interpolation, selection by planes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.random import Generator

SIZES = {"R": 128, "C": 256}


def inputs(random: Generator, R: int, C: int) -> dict[str, np.ndarray | np.float32]:
    """Waves with a little noise, in 16 bits: no value is cut off."""
    x, y = np.ogrid[: R + 4, : C + 4]
    waves = [0.4 + 0.2 * np.sin(x / (3 + c) + y / 5) + 0.19 * np.cos(x * y / 90) for c in range(3)]
    noise = 0.01 * random.random((3, R + 4, C + 4))
    colours = (65535 * (np.array(waves) + noise)).astype(np.uint16)
    return {"img": colours, "alpha": np.float32(1.5), "beta": np.float32(0.75)}


def expected(
    R: int, C: int, img: np.ndarray, alpha: np.float32, beta: np.float32, levels: int = 8
) -> dict[str, np.ndarray]:
    """Without the frame of two pixels: `{"laplacian": array of 3 x R x C}`."""
    red, green, blue = img.astype(np.float32)
    grey = (np.float32(0.299) * red + np.float32(0.587) * green + np.float32(0.114) * blue) / 65535
    remaps = np.array([remapped(grey, k, alpha, beta) for k in range(8)])
    greys, copies = (pyramid(p, levels) for p in (grey.astype(float)[None], remaps))
    details = [framed(own - doubled(coarse, own)) for own, coarse in pairwise(copies)]
    selected = [select(*of) for of in zip(greys, [*details, copies[-1]], strict=True)]
    total = selected.pop()
    for detail in reversed(selected):
        total = framed(detail + doubled(total, detail))
    colour = (img / 65535 + 0.01) / (grey.astype(float) + 0.01) * total
    return {"laplacian": (65535 * np.clip(colour, 0, 1))[:, 2:-2, 2:-2]}


def remapped(grey: np.ndarray, k: int, alpha: np.float32, beta: np.float32) -> np.ndarray:
    """Around intensity k / 7, all in steps of 1 / 7."""
    distance = np.clip(np.trunc(grey * np.float32(1792)), 0, 1792).astype(float) / 256 - k
    detail = alpha * distance * np.exp(-(distance**2) / 2)
    return (beta * (7 * grey.astype(float) - k) + k + detail) / 7


def select(grey: np.ndarray, details: np.ndarray) -> np.ndarray:
    """Between the two planes that are nearest to the intensity of each pixel."""
    position = 7 * grey[0]
    plane = np.clip(np.floor(position), 0, 6).astype(int)
    below, above = (np.take_along_axis(details, p[None], 0) for p in (plane, plane + 1))
    return np.asarray(below + (position - plane) * (above - below))


def pyramid(picture: np.ndarray, levels: int) -> list[np.ndarray]:
    """The picture and its halves, finest first."""
    found = [picture]
    while len(found) < levels:
        for axis in (1, 2):
            picture = halved(picture, axis)
        found.append(picture)
    return found


def halved(picture: np.ndarray, axis: int) -> np.ndarray:
    """Every other value of a binomial average of four, in a frame of zeros."""
    count = (picture.shape[axis] - 4) // 2
    average = np.apply_along_axis(np.convolve, axis, picture, np.array([1, 3, 3, 1]) / 8, "valid")
    every_other = np.take(average, 1 + 2 * np.arange(count), axis)
    return framed(np.pad(every_other, [(2 * (a == axis),) * 2 for a in range(3)]))


def doubled(picture: np.ndarray, like: np.ndarray) -> np.ndarray:
    """What is seen at x / 2 + 3 / 4, with ends that are framed later."""
    for axis in (1, 2):
        at = np.arange(like.shape[axis]) / 2 + 0.75
        picture = np.apply_along_axis(
            lambda v, at=at: np.interp(at, np.arange(len(v)), v), axis, picture
        )
    return picture


def framed(picture: np.ndarray) -> np.ndarray:
    """With a frame of zeros, whatever stood there."""
    return np.pad(picture[:, 2:-2, 2:-2], ((0, 0), (2, 2), (2, 2)))
