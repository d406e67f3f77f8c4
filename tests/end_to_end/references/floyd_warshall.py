"""Shortest paths by squaring: paths of at most 1, 2, 4, ... edges."""

import numpy as np

SIZES = {"n": 9}


def inputs(random, n):
    path = random.integers(1, 100, size=(n, n), dtype=np.int32)
    np.fill_diagonal(path, 0)
    return {"path": path}


def expected(n, path):
    edges = 1
    while edges < n:
        path = (path[:, :, None] + path[None, :, :]).min(axis=1)
        edges *= 2
    return {"path": path}
