"""LU by elimination, a whole Schur complement at a time."""

import numpy as np

SIZES = {"n": 9}


def inputs(random, n):
    return {"A": random.normal(size=(n, n)) + 3 * n * np.eye(n)}


def expected(n, A):
    A = A.copy()
    for k in range(n):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return {"A": A}
