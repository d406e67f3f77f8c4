"""Loops that go on where the one before has ended."""

import numpy as np
import pytest

import polynb as pn
from polynb.codegen import to_c
from polynb.codegen.lower import Target, lower

LU = """param n; inout A[n][n];
for i = 0 to n-1 do
  for k = 0 to i-1 do
    A[i][k] = A[i][k] / A[k][k];
    for j = k+1 to i-1 do S: A[i][j] = A[i][j] - A[i][k] * A[k][j]; done
    for j = i to n-1 do T: A[i][j] = A[i][j] - A[i][k] * A[k][j]; done
  done
done"""


def loops(text):
    """How many loops a kernel has."""
    return lower(pn.parse(text), Target()).source.text.count("for (")


def loop(first, last, body="A[i] = A[i] * 2;"):
    return f"for i = {first} to {last} do {body} done "


HEAD = "param N, M; inout A[N+M+29]; "
SQUARE = """param N, M; inout A[N+1][N+M+1]; for i = 0 to {} do
for j = 0 to i-1 do A[i][j] = A[i][j] * 2; done
for j = i to {} do A[i][j] = A[i][j] * 2; done done"""


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (LU, 3),
        (LU.replace("i to n-1", "i+1 to n-1"), 4),  # a gap
        (LU.replace("i to n-1", "i-1 to n-1"), 4),  # twice
        (LU.replace("T: A[i][j] = A[i][j] -", "T: A[i][j] = A[i][j] +"), 4),
        (LU.replace("j = k+1", "j = k+2"), 4),  # from i + 1 to i - 1, for the last k
        (HEAD + loop(0, 4) + loop(5, 9), 1),
        (HEAD + loop(0, 4) + loop(5, 9) + loop(10, 20), 1),
        (HEAD + loop(0, 4) + loop(5, 9).replace("i", "k").replace("fkr", "for"), 1),
        (HEAD + loop(0, 4) + loop(5, 9, "A[i] = A[i] * 2; A[i] = 1;"), 2),
        (HEAD + loop(0, 4) + loop(5, "N"), 2),  # N may be 1
        (HEAD + loop(0, "M") + loop("M+1", "N"), 2),  # M may be -5
        (SQUARE.format("N-1", "N-1"), 2),
        (SQUARE.format("min(N-1, M)", "min(N-1, M)"), 2),
    ],
)  # fmt: skip
def test_two_loops_are_one_if_the_second_begins_where_the_first_has_ended(text, count):
    assert loops(text) == count


def test_readers_have_the_loops_that_they_wrote():
    assert to_c(pn.parse(LU)).count("for (") == 4


@pytest.mark.parametrize("n", [-1, 1, 4, 5, 8])
def test_an_end_before_that_of_the_first_loop_ends_nothing(n):
    """Of the first and of the second loop, whichever ends later."""
    m = 12
    found = pn.compile(pn.parse(HEAD + loop(0, 4) + loop(5, "N")), threads=1)(
        A=np.ones(n + m + 29), N=n, M=m
    )["A"]
    assert found.sum() == len(found) + max(n + 1, 5)
    if n >= 0:
        square = pn.compile(pn.parse(SQUARE.format("N", "M-1")), threads=1)
        found = square(A=np.ones((n + 1, n + 4)), N=n, M=3)["A"]
        assert found.sum() == found.size + sum(max(i, 3) for i in range(n + 1))


@pytest.mark.parametrize("text", [LU, LU.replace("j = k+1", "j = k+2")])
def test_it_computes_the_same(text):
    n = 9
    a = np.arange(n * n, dtype=float).reshape(n, n) % 7 + 5 * np.eye(n)
    want = a.copy()
    first = 1 if text == LU else 2
    for i in range(n):
        for k in range(i):
            want[i, k] /= want[k, k]
            for j in [*range(k + first, i), *range(i, n)]:
                want[i, j] -= want[i, k] * want[k, j]
    assert (pn.compile(pn.parse(text), threads=1)(A=a, n=n)["A"] == want).all()
