"""Each row is shifted by a quarter of its number: linear interpolation. (Quarters of whole
numbers: exact.)"""

import numpy as np

SIZES = {"rows": 11, "columns": 6}


def inputs(random, rows, columns):
    return {
        "image": random.integers(0, 256, (rows, columns)).astype(np.float32),
        "sheared": np.zeros((rows, columns), np.float32),
    }


def expected(rows, columns, image, sheared):
    at = np.arange(columns)
    return {"sheared": np.stack([np.interp(at + i / 4, at, row) for i, row in enumerate(image)])}
