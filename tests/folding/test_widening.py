"""What is claimed beside a ⊤: where rows agree, whatever their lengths, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from polynb.folding import fold

BASES = [int(x) for x in np.random.default_rng(3).integers(1, 10**6, 40)]
N = 9
LOOPS = {
    "square": [(i, j) for i in range(N) for j in range(N)],
    "growing": [(i, j) for i in range(N) for j in range(i + 1)],
    "shrinking": [(i, j) for i in range(N) for j in range(N - i)],
    "shrinking from below": [(i, j) for i in range(N) for j in range(i, N)],
    "growing from below": [(i, j) for i in range(N) for j in range(N - i, N + 1)],
    "growing on both sides": [(i, j) for i in range(N) for j in range(N - i, N + i + 1)],
    "moving": [(i, j) for i in range(N) for j in range(i, i + 5)],
}


@pytest.mark.parametrize("name", LOOPS)
def test_rows_of_malloc_have_a_stride_along_the_outer_loop(name: str) -> None:
    """`conn[k][j]` of backprop, in loops of any elementary shape."""
    points = LOOPS[name]
    (piece,) = fold(points, [8 * i + BASES[j] for i, j in points]).pieces
    assert [str(k) for k in piece.labels[0].coefficients] == ["8", "⊤"]


@pytest.mark.parametrize("name", LOOPS)
def test_one_label_that_is_off_takes_the_claim_away(name: str) -> None:
    points = LOOPS[name]
    changed = 0
    for at, (i, j) in enumerate(points):
        others = [p for p in points if p[1] == j and p[0] != i]
        labels = [8 * i + BASES[j] for i, j in points]
        labels[at] += 1
        (piece,) = fold(points, labels).pieces
        claims = piece.labels[0].coefficients[0] == 8
        assert claims <= (not others), f"{points[at]}: another row has that column"
        changed += not claims
    assert changed > len(points) // 2


def test_lu_on_rows_of_malloc() -> None:
    """`A[i][j] -= A[i][k] * A[k][j]`, whose rows lie anywhere."""
    points = [(k, i, j) for k in range(N) for i in range(k + 1, N) for j in range(k + 1, N)]
    labels = [(BASES[i] + 8 * j, BASES[i] + 8 * k, BASES[k] + 8 * j) for k, i, j in points]
    (piece,) = fold(points, labels).pieces
    kinds = [[str(k) for k in f.coefficients] for f in piece.labels]
    assert kinds == [["0", "⊤", "8"], ["8", "⊤", "0"], ["⊤", "0", "8"]]


@pytest.mark.parametrize("engine", ["python", "c"])
def test_planes_of_rows_that_shrink_claim_nothing_across_planes(engine: str) -> None:
    """Of a plane whose rows shrink only the last row is known, so planes cannot be compared; where
    they grow they can."""
    claims = {}
    for name in ("growing", "shrinking"):
        points = [(t, i, j) for t in range(3) for i, j in LOOPS[name]]
        (piece,) = fold(points, [8 * i + BASES[j] for _, i, j in points], engine=engine).pieces
        claims[name] = [str(k) for k in piece.labels[0].coefficients]
    assert claims == {"growing": ["0", "8", "⊤"], "shrinking": ["⊤", "8", "⊤"]}


def test_two_irregular_dimensions_are_one_function_of_both() -> None:
    points = [(t, i, j) for t in range(4) for i in range(5) for j in range(6)]
    labels = [8 * t + BASES[(i * 7 + j * 5) % 40] for t, i, j in points]
    (piece,) = fold(points, labels).pieces
    assert [str(k) for k in piece.labels[0].coefficients] == ["8", "⊤", "⊤"]
    assert piece.labels[0].constant == BASES[0]


OFF = {
    "the prime": (2**61 - 1,),
    "twice the prime": (2 * (2**61 - 1),),
    "primes that cancel": (2**61 - 1, -(2**61 - 1)),
    "the largest powers of two": (2**62, 2**62),
    "a power of two": (-(2**62),),
}


@pytest.mark.parametrize("engine", ["python", "c"])
@pytest.mark.parametrize("off", OFF)
def test_labels_that_are_off_by_a_multiple_of_a_modulus(off: str, engine: str) -> None:
    """Residuals are compared by sums modulo the prime 2^61 - 1 and modulo 2^64."""
    points = LOOPS["square"]
    labels = [8 * i + BASES[j] for i, j in points]
    for k, by in enumerate(OFF[off]):
        labels[points.index((4, 3 + k))] += by
    (piece,) = fold(points, labels, engine=engine).pieces
    assert [str(k) for k in piece.labels[0].coefficients] == ["⊤", "⊤"]


@pytest.mark.parametrize("engine", ["python", "c"])
def test_two_rows_that_differ_by_a_multiple_of_the_prime(engine: str) -> None:
    corners = np.argwhere(np.ones((2, 2)))
    for by in (1, 2**61 - 1, 2 * (2**61 - 1), 2**62, -(2**63) + 50):
        (piece,) = fold(corners, [0, 5, 7, 12 + by], engine=engine).pieces
        assert [str(k) for k in piece.labels[0].coefficients] == ["⊤", "⊤"], by


def test_widening_may_keep_what_would_be_given_up() -> None:
    """So #P of F_GG,W may be more than that of F_GG."""
    points = np.argwhere(np.random.default_rng(1).random((20, 20)) < 0.9)
    labels = points @ [1, 2] + np.random.default_rng(2).integers(0, 3, len(points))
    kept, without = (fold(points, labels, variant=v, kind="dependence") for v in ("F_GG,W", "F_GG"))
    assert without.gave_up
    assert not kept.gave_up
    assert len(kept.pieces) > len(without.pieces)
