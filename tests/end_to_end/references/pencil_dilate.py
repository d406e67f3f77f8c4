"""The brightest pixel of each window, where the mask is set."""

import numpy as np

SIZES = {"rows": 7, "columns": 6, "height": 3, "width": 4}


def inputs(random, rows, columns, height, width):
    return {
        "image": random.integers(0, 256, (rows + height - 1, columns + width - 1), dtype=np.uint8),
        "mask": random.integers(0, 2, (height, width), dtype=np.uint8),
        "dilated": random.integers(0, 256, (rows, columns), dtype=np.uint8),
    }


def expected(rows, columns, height, width, image, mask, dilated):
    windows = np.lib.stride_tricks.sliding_window_view(image, (height, width))
    return {"dilated": np.where(mask, windows, 0).max(axis=(2, 3))}
