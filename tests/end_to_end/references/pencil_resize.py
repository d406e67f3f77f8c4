"""Twice the size: means of one, two or four neighbours, rounded half up."""

import numpy as np

SIZES = {"rows": 7, "columns": 5}


def inputs(random, rows, columns):
    return {
        "original": random.integers(0, 256, (rows + 1, columns + 1), dtype=np.uint8),
        "resized": random.integers(0, 256, (2 * rows, 2 * columns), dtype=np.uint8),
    }


def expected(rows, columns, original, resized):
    whole = original.astype(int)
    here, right = whole[:-1, :-1], whole[:-1, 1:]
    below, across = whole[1:, :-1], whole[1:, 1:]
    result = np.empty_like(resized)
    result[::2, ::2] = here
    result[::2, 1::2] = (here + right + 1) // 2
    result[1::2, ::2] = (here + below + 1) // 2
    result[1::2, 1::2] = (here + right + below + across + 2) // 4
    return {"resized": result}
