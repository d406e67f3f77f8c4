"""Means over squares of nine cells, in place and in row-major order."""

SIZES = {"tsteps": 3, "n": 8}


def inputs(random, tsteps, n):
    return {"A": random.normal(size=(n, n))}


def expected(tsteps, n, A):
    A = A.copy()
    for _ in range(tsteps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                A[i, j] = A[i - 1 : i + 2, j - 1 : j + 2].mean()
    return {"A": A}
