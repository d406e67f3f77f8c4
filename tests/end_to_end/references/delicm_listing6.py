"""Each sum of products is A[i] times the sum of B."""

SIZES = {"N": 7, "K": 5}


def inputs(random, N, K):
    return {
        "A": random.normal(size=N),
        "B": random.uniform(0.5, 1, size=K),
        "C": random.normal(size=N),
    }


def expected(N, K, A, B, C):
    return {"C": A * B.sum()}
