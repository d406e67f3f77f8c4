"""x1 + A y_1 and x2 + A^T y_2, as NumPy has them."""

SIZES = {"n": 7}


def inputs(random, n):
    vectors = {name: random.normal(size=n) for name in ("x1", "x2", "y_1", "y_2")}
    return {**vectors, "A": random.normal(size=(n, n))}


def expected(n, x1, x2, y_1, y_2, A):
    return {"x1": x1 + A @ y_1, "x2": x2 + A.T @ y_2}
