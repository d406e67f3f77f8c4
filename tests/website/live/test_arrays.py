"""Arrays where there is no numpy give what numpy's give."""

import random

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.propagation import counting
from polynb.reordering import lexmin
from polynb.site.live import arrays
from tests.reordering.test_lexmin import drawn, tableau

KEYS = (
    *(1, -1, [2, 0], slice(1, 3), (slice(None), 0), (1, 2), (slice(None), slice(-1, None))),
    *((slice(None), None), (None, 1), ([0, 2], 1), (slice(2), [1, 3]), (1, [3, 0])),
)


def both(values, dtype=np.int64):
    return np.array(values, dtype=dtype), arrays.array(values)


def drawn_rows(seed, rows=3, columns=4):
    rng = random.Random(seed)
    return [[rng.randint(-9, 9) for _ in range(columns)] for _ in range(rows)]


def same(one, other):
    if not isinstance(other, arrays.ndarray):
        return one == other
    return one.shape == other.shape and one.tolist() == other.tolist()


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_parts_are_numpys(key):
    one, other = both(drawn_rows(1))
    assert same(one[key], other[key])
    one[key] = one[key] * 2
    other[key] = other[key] * 2
    assert same(one, other)
    one[key] = other[key] = 7
    assert same(one, other)


@pytest.mark.parametrize("seed", range(20))
def test_shapes_are_spread_as_numpy_does(seed):
    rng = random.Random(seed)
    shapes = [[rng.choice((1, k)) for k in (2, 3, 4)] for _ in range(2)]
    shapes[1] = shapes[1][rng.randint(0, 2) :]
    (a, x), (b, y) = (
        (
            np.arange(1, 1 + np.prod(s)).reshape(s),
            arrays.ndarray(list(range(1, 1 + int(np.prod(s)))), tuple(s)),
        )
        for s in shapes
    )
    assert same(a + b, x + y)
    assert same(3 - a * b, 3 - x * y)
    assert same(a // b, x // y)
    assert same(-a % b, -x % y)
    assert same(np.where(a < b, a, b - 1), arrays.where(x < y, x, y - 1))
    assert same(np.maximum(a, b), arrays.maximum(x, y))


def test_least_points_are_the_same(monkeypatch):
    found = []
    for module in (np, arrays):
        monkeypatch.setattr(lexmin, "np", module)
        budgets = [lexmin.Budget(10_000) for _ in range(60)]
        points = [tableau(*drawn(k)[:2]).least(b) for k, b in enumerate(budgets)]
        found.append((points, [b.spent for b in budgets]))
    assert found[0] == found[1]
    assert len(set(found[0][0])) > 10


@pytest.mark.parametrize(
    "text",
    [
        "{ [i, j, k] : 0 <= i <= 9 and 0 <= j <= i and i <= 2k <= 30 - j }",
        "{ [i, j] : 0 <= i < 20 and 0 <= j <= i and (i + j) mod 3 = 1 }",
        "{ [i] : 3 <= i <= 100 and i mod 7 = 2 }",
        "{ [i, j, k, l] : 0 <= i, j, k, l < 6 and i + j < k + l }",
    ],
)
def test_points_are_counted_the_same(text, monkeypatch):
    s = isl.read_set(text)
    wanted = len(isl.points(s))
    assert counting.count(s) == wanted
    monkeypatch.setattr(counting, "np", arrays)
    assert counting.count(s) == wanted


def test_what_needs_numpy_says_so():
    with pytest.raises(pn.PolynbError, match=r"numpy\.linalg\.norm is not on this page"):
        arrays.linalg.norm([1])
