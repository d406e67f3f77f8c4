"""Windows of the picture times the outer square of the weights. (Whole numbers: the sums are
exact.)"""

import numpy as np

SIZES = {"rows": 7, "columns": 5, "radius": 2}


def inputs(random, rows, columns, radius):
    return {
        "image": random.integers(0, 256, (rows + 2 * radius, columns + 2 * radius)).astype(
            np.float32
        ),
        "weight": random.integers(1, 10, 2 * radius + 1).astype(np.float32),
        "smooth": np.zeros((rows, columns), np.float32),
    }


def expected(rows, columns, radius, image, weight, smooth):
    kernel = np.outer(weight, weight)
    windows = np.lib.stride_tricks.sliding_window_view(image, kernel.shape)
    return {"smooth": np.einsum("ijkl,kl", windows, kernel)}
