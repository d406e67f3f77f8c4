"""C = A + the transpose of B."""

import numpy as np

SIZES = {"n": 7}


def inputs(random, n):
    A, B, C = random.integers(-1000, 1000, (3, n, n), dtype=np.int32)
    return {"A": A, "B": B, "C": C}


def expected(n, A, B, C):
    return {"C": A + B.T}
