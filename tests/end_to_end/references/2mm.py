"""D = alpha A B C + beta D, multiplied from the right."""

SIZES = {"ni": 5, "nj": 6, "nk": 7, "nl": 8}


def inputs(random, ni, nj, nk, nl):
    return {
        "alpha": 1.5,
        "beta": 1.25,
        "A": random.normal(size=(ni, nk)),
        "B": random.normal(size=(nk, nj)),
        "C": random.normal(size=(nj, nl)),
        "D": random.normal(size=(ni, nl)),
    }


def expected(ni, nj, nk, nl, alpha, beta, A, B, C, D):
    return {"D": alpha * (A @ (B @ C)) + beta * D}
