"""Integer rows, against fractions and all points of a box."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from polynb import isl
from polynb.reordering.matrices import fixed, orthogonal

BOX = range(-3, 4)


def rank(rows):
    """By Gauss's elimination, of fractions."""
    left = [[Fraction(x) for x in row] for row in rows]
    found = 0
    for column in range(len(left[0]) if left else 0):
        pivot = next((k for k in range(found, len(left)) if left[k][column]), None)
        if pivot is None:
            continue
        left[found], left[pivot] = left[pivot], left[found]
        for k in range(found + 1, len(left)):
            factor = left[k][column] / left[found][column]
            left[k] = [a - factor * b for a, b in zip(left[k], left[found], strict=True)]
        found += 1
    return found


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def random_rows(random, count, dims):
    return [tuple(random.randint(-2, 2) for _ in range(dims)) for _ in range(count)]


@pytest.mark.parametrize("dims", [1, 2, 3, 4])
def test_orthogonal_rows_span_what_is_left(dims):
    for seed in range(25):
        rows = random_rows(Random(seed), seed % (dims + 1), dims)
        found = orthogonal(rows, dims)
        assert all(dot(a, b) == 0 for a in rows for b in found), rows
        assert len(found) == rank(found) == dims - rank(rows), rows


@pytest.mark.parametrize("seed", range(10))
def test_a_vector_depends_on_rows_just_if_it_has_no_product_with_what_is_orthogonal(seed):
    random = Random(seed)
    rows = random_rows(random, random.randint(1, 2), 3)
    found = orthogonal(rows, 3)
    for vector in product(range(-2, 3), repeat=3):
        depends = rank([*rows, vector]) == rank(rows)
        assert depends == all(dot(f, vector) == 0 for f in found), (rows, vector)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("[n] -> { S[i, j] : i = 3 and 0 <= j < n }", [(1, 0)]),
        ("[n] -> { S[i, j] : i + j = n }", [(1, 1)]),
        ("{ S[i, j] : 0 <= i <= j <= 5 }", []),
        ("{ S[i, j] : i = j and 0 <= i <= 0 }", [(1, 0), (0, 1)]),
        ("[n] -> { S[i] : n = 3 and i >= 0 }", []),
    ],
)
def test_equations_that_hold_in_a_whole_set(text, rows):
    found = fixed(isl.read_set(text))
    assert rank(found) == len(found) == rank(rows)
    assert rank([*found, *rows]) == rank(rows)
