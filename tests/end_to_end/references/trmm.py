"""B = alpha A^T B with the strictly lower triangle of A and a diagonal of ones."""

import numpy as np

SIZES = {"m": 7, "n": 5}


def inputs(random, m, n):
    return {
        "alpha": 1.5,
        "A": random.normal(size=(m, m)),
        "B": random.normal(size=(m, n)),
    }


def expected(m, n, alpha, A, B):
    return {"B": alpha * (np.tril(A, -1) + np.eye(m)).T @ B}
