"""C = alpha A B + beta C, as NumPy has it."""

SIZES = {"ni": 7, "nj": 6, "nk": 9}


def inputs(random, ni, nj, nk):
    return {
        "alpha": 1.5,
        "beta": 1.25,
        "C": random.normal(size=(ni, nj)),
        "A": random.normal(size=(ni, nk)),
        "B": random.normal(size=(nk, nj)),
    }


def expected(ni, nj, nk, alpha, beta, C, A, B):
    return {"C": alpha * (A @ B) + beta * C}
