"""Y = 0.299 R + 0.587 G + 0.114 B and its differences from blue and red, in 14 binary digits."""

import numpy as np

SIZES = {"rows": 7, "columns": 5}


def inputs(random, rows, columns):
    rgb, ycc = random.integers(0, 256, (2, rows, columns, 3), dtype=np.uint8)
    return {"rgb": rgb, "ycc": ycc}


def expected(rows, columns, rgb, ycc):
    def rounded(values):
        return np.floor(values / 2**14 + 0.5)

    red, _, blue = np.moveaxis(rgb.astype(float), -1, 0)
    y = rounded(rgb @ np.round(np.array([0.29899, 0.587, 0.114]) * 2**14))
    cb = rounded(round(0.564 * 2**14) * (blue - y)) + 128
    cr = rounded(round(0.713 * 2**14) * (red - y)) + 128
    return {"ycc": np.stack([y, cb, cr], axis=-1)}
