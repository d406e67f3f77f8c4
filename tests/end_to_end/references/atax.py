"""y = A^T (A x), as NumPy has it."""

SIZES = {"m": 7, "n": 5}


def inputs(random, m, n):
    return {
        "A": random.normal(size=(m, n)),
        "x": random.normal(size=n),
        "y": random.normal(size=n),
    }


def expected(m, n, A, x, y):
    return {"y": A.T @ (A @ x)}
