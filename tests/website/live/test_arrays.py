"""Arrays where there is no numpy give what numpy's give."""

import random

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.propagation import counting
from polynb.reordering import lexmin
from polynb.run import vectors
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


def drawn_floats(seed):
    rng = random.Random(seed)
    special = [0.0, -0.0, float("inf"), float("-inf"), float("nan"), 3e38, 1e-45, 0.1]
    return special + [rng.uniform(-1, 1) * 10.0 ** rng.randint(-42, 38) for _ in range(200)]


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_floats_have_the_bits_that_numpys_have(kind):
    one, other = drawn_floats(1), drawn_floats(2)[::-1]
    unsigned = {"float32": "u4", "float64": "u8"}[kind]
    with np.errstate(all="ignore"):
        a, b = np.asarray(one, dtype=kind), np.asarray(other, dtype=kind)
        wanted = [a + b, a - b, a * b, a / b, -a, np.where(a < b, a, b)]
    x, y = arrays.asarray(one, dtype=kind), arrays.asarray(other, dtype=kind)
    found = [x + y, x - y, x * y, arrays.divide(x, y), -x, arrays.where(x < y, x, y)]
    for ours, theirs in zip(found, wanted, strict=True):
        is_number = ~np.isnan(theirs)
        assert arrays.isnan(ours).tolist() == (~is_number).tolist()
        bits = np.asarray(ours.view(unsigned).tolist(), dtype=object)
        assert bits[is_number].tolist() == theirs.view(unsigned)[is_number].tolist()
    assert [str(v) for v in x.tolist()] == [str(v) for v in a]


def test_differences_are_shown_the_same(monkeypatch):
    """What a proof says of programs that differ: it evaluates both on drawn data."""
    first = "param N; inout float A[N+2]; for i = 1 to N do A[i] = A[i-1] * 0.1 + i; done"
    others = (("0.1", "0.1"), ("0.1", "0.2"), ("+ i", "- i"), ("A[i-1] * 0.1", "A[i+1]"))
    programs = [pn.parse(first.replace(*other)) for other in others]
    wanted = [str(pn.prove(programs[0], p)) for p in programs]
    for name in ("vectors", "numbers"):
        monkeypatch.setattr(f"polynb.run.{name}.np", arrays)
    four = (arrays.add, arrays.subtract, arrays.multiply, arrays.divide)
    monkeypatch.setattr(vectors, "_FLOATS", dict(zip("+-*/", four, strict=True)))
    assert [str(pn.prove(programs[0], p)) for p in programs] == wanted
    assert "different" in wanted[1]
