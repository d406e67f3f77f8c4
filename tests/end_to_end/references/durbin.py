"""The solution of T y = -r, T the symmetric Toeplitz matrix of 1, r[0], ..., r[n-2]."""

import numpy as np

SIZES = {"n": 9}


def inputs(random, n):
    return {"r": 0.5 ** np.arange(1, n + 1) * random.uniform(0.5, 1, n), "y": np.zeros(n)}


def expected(n, r, y):
    column = np.concatenate(([1.0], r[:-1]))
    toeplitz = column[np.abs(np.subtract.outer(np.arange(n), np.arange(n)))]
    return {"y": np.linalg.solve(toeplitz, -r)}
