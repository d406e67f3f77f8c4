"""Camera pipeline: planes of the whole picture, shifted by NumPy's roll, in whole numbers as the
program; the colour matrix and the tone curve in double precision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.random import Generator

SIZES = {"R": 7, "C": 9}

Cell = tuple[int, int]
Pixels = Sequence[np.ndarray]


def inputs(random: Generator, R: int, C: int) -> dict[str, np.ndarray | np.float32]:
    """A sensor's ten bits; matrices and numbers as in `commands.SETTINGS`."""
    warm = [[1.65, -0.25, -0.4, -42.5], [-0.35, 1.05, 1.6, -37.0], [-0.2, -1.9, 6.95, -26.5]]
    cold = [[2.3, -0.45, 0.15, -39.0], [-0.4, 1.6, -0.2, -25.5], [-0.1, -0.75, 2.3, -20.0]]
    return {
        "img": random.integers(0, 1024, (2 * R + 12, 2 * C + 12), dtype=np.int16),
        "matrix_3200": np.array(warm, np.float32),
        "matrix_7000": np.array(cold, np.float32),
        "colour_temp": np.float32(3700),
        "contrast": np.float32(50),
        "gamma": np.float32(2),
    }


def expected(
    R: int,
    C: int,
    img: np.ndarray,
    matrix_3200: np.ndarray,
    matrix_7000: np.ndarray,
    colour_temp: np.float32,
    contrast: np.float32,
    gamma: np.float32,
) -> dict[str, np.ndarray]:
    """Without the frame of 6 pixels: `{"process": array of 3 x 2 R x 2 C}`."""
    colours = np.stack(_demosaicked(_without_hot_pixels(img.astype(int))))
    alpha = (1 / float(colour_temp) - 1 / 3200) / (1 / 7000 - 1 / 3200)
    matrix = alpha * matrix_3200.astype(float) + (1 - alpha) * matrix_7000.astype(float)
    matrix = np.trunc(256 * matrix)
    corrected = np.tensordot(matrix[:, :3], colours, 1) + matrix[:, 3, None, None]
    linear = np.clip(np.trunc(corrected / 256) / 1024, 0, 1)
    curved = 256 * tone(linear ** (1 / float(gamma)), 2 - 2 ** (float(contrast) / 100))
    return {"process": np.clip(curved, 0, 255).astype(np.uint8)[FRAME]}


def _without_hot_pixels(img: np.ndarray) -> np.ndarray:
    """No pixel is outside of what the four next ones of its colour have."""
    near = np.stack([np.roll(img, shift, axis) for axis in (0, 1) for shift in (2, -2)])
    return np.asarray(np.clip(img, near.min(axis=0), near.max(axis=0)))


def _demosaicked(img: np.ndarray) -> list[np.ndarray]:
    """Red, green and blue of all pixels, of the rows green red and blue green."""
    gr, r, b, gb = (Plane(img[i::2, j::2]) for i in (0, 1) for j in (0, 1))
    here, left, right, above, below = (0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)

    def chosen(pairs: Iterable[Pixels], values: Pixels) -> np.ndarray:
        (one, other), (first, second) = (distance(*pair) for pair in pairs), values
        return np.where(one < other, first, second)

    def straight(*pairs: Pixels) -> Plane:
        return Plane(chosen(pairs, [mean(*pair) for pair in pairs]))

    def guess(own: Plane, green: Plane, green_there: Plane, *cells: Cell) -> np.ndarray:
        known, greens = ([plane[cell] for cell in cells] for plane in (own, green_there))
        return np.asarray(green[here] - mean(*greens) + mean(*known))

    def diagonal(
        own: Plane, green: Plane, green_there: Plane, *pairs: tuple[Cell, ...]
    ) -> np.ndarray:
        guesses = [guess(own, green, green_there, *pair) for pair in pairs]
        return chosen([[own[cell] for cell in pair] for pair in pairs], guesses)

    g_r = straight((gr[right], gr[here]), (gb[above], gb[here]))
    g_b = straight((gb[left], gb[here]), (gr[below], gr[here]))
    r_b = diagonal(r, g_b, g_r, (here, (1, -1)), (left, below))
    b_r = diagonal(b, g_r, g_b, (here, (-1, 1)), (right, above))
    red = guess(r, gr, g_r, here, left), r[here], r_b, guess(r, gb, g_r, here, below)
    green = gr[here], g_r[here], g_b[here], gb[here]
    blue = guess(b, gr, g_b, here, above), b_r, b[here], guess(b, gb, g_b, here, right)
    return [joined(*sites) for sites in (red, green, blue)]


class Plane:
    """Pixels of one site: `plane[dx, dy]` holds for each cell what the one at that distance has
    (around the edges: only the frame sees that)."""

    def __init__(self, pixels: np.ndarray) -> None:
        self.pixels = pixels

    def __getitem__(self, distance: Cell) -> np.ndarray:
        return np.roll(self.pixels, [-d for d in distance], (0, 1))


def joined(*sites: np.ndarray) -> np.ndarray:
    """The four sites of a colour in one plane again."""
    rows, columns = sites[0].shape
    return np.reshape(sites, (2, 2, rows, columns)).transpose(2, 0, 3, 1).reshape(2 * rows, -1)


def distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How unlike two pixels are: the direction of the smaller one is interpolated along."""
    return np.asarray(np.abs(a - b))


def mean(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Towards zero, as C divides."""
    return np.asarray(np.trunc((a + b) / 2), int)


def tone(g: np.ndarray, b: float) -> np.ndarray:
    """An S, of two parabolas that meet in the middle; b is its slope at both ends."""
    a = 2 - 2 * b
    return np.where(g > 0.5, 1 - a * (1 - g) ** 2 - b * (1 - g), a * g**2 + b * g)


FRAME = (..., slice(6, -6), slice(6, -6))
