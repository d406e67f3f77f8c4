"""Farkas's lemma: the rows hold for exactly the coefficients of which all distances are such as is
asked, compared with all pairs of small domains and all coefficients of a small box."""

from itertools import product

import pytest

from polynb import isl
from polynb.reordering.farkas import ConstraintRow, duals

BOX = range(-1, 2)
LARGEST = 5

# The vertices of all of these are integers, so that what holds for integers holds in between.
RELATIONS = {
    "next": "{ S[i] -> S[i + 1] : 0 <= i < 4 }",
    "two statements": "{ S[i] -> T[i, j] : 0 <= i <= 3 and i <= j <= 3 }",
    "back": "{ S[i] -> T[3 - i] : 0 <= i <= 3 }",
    "triangle": "{ S[i, j] -> S[i, k] : 0 <= i < j <= 3 and j < k <= 3 }",
    "diagonal": "{ S[i, j] -> S[i + 1, j - 1] : 0 <= i <= 2 and 1 <= j <= 3 }",
    "one pair": "{ S[2] -> T[1, 3] }",
    "a parameter": "[N] -> { S[i] -> T[j] : 0 <= i <= j < N }",
    "with its end": "[N] -> { S[i] -> T[N] : 0 <= i <= N and N >= 1 }",
    "two pieces": "{ S[i] -> S[i + 1] : 0 <= i <= 1; S[i] -> S[i - 1] : 4 <= i <= 5 }",
    "no dimensions": "{ S[] -> T[i] : 0 <= i <= 2 }",
}


def relation(text):
    return isl.read_map(text)


def parameters(m):
    return isl.dim_names(m, isl.PARAM)


def unknowns(m):
    """Those of the functions of source and target."""
    found = []
    ends = ((isl.tuple_name(m, isl.IN), isl.IN), (isl.tuple_name(m, isl.OUT), isl.OUT))
    for name, kind in dict(ends).items():
        found += [("x", name, str(k)) for k in range(m.dim(kind))]
        found += [("n", name, p) for p in parameters(m)]
        found.append(("0", name))
    return found


def pairs_at(m):
    """(parameter values, source, target)"""
    names = parameters(m)
    for values in product(range(LARGEST + 1), repeat=len(names)):
        own = dict(zip(names, values, strict=True))
        for i, j in isl.pairs(m, own):
            yield own, i, j


def value(name, point, own, coefficients):
    found = coefficients["0", name]
    found += sum(c * coefficients["x", name, str(k)] for k, c in enumerate(point))
    return found + sum(n * coefficients["n", name, p] for p, n in own.items())


def distances(m, coefficients):
    """Of the pairs: (parameter values, distance)"""
    source, target = isl.tuple_name(m, isl.IN), isl.tuple_name(m, isl.OUT)
    for own, i, j in pairs_at(m):
        yield own, value(target, j, own, coefficients) - value(source, i, own, coefficients)


def satisfied(rows, values):
    for r in rows:
        found = sum(c * values.get(u, 0) for u, c in r.terms.items()) + r.constant
        if found != 0 if r.equality else found < 0:
            return False
    return True


@pytest.mark.parametrize("name", RELATIONS)
def test_rows_say_that_no_distance_is_negative(name):
    m = relation(RELATIONS[name])
    rows = [r for d in duals(m, parameters(m)) for r in d.distance(1, {}, name)]
    assert all(r.because == name for r in rows)
    seen = set()
    for point in product(BOX, repeat=len(unknowns(m))):
        coefficients = dict(zip(unknowns(m), point, strict=True))
        expected = all(d >= 0 for _, d in distances(m, coefficients))
        assert satisfied(rows, coefficients) == expected, coefficients
        seen.add(expected)
    assert seen == {True, False}


@pytest.mark.parametrize("name", ["next", "two statements", "back", "a parameter", "with its end"])
def test_rows_say_that_distances_are_bounded(name):
    """`m_N N + m_0 - distance >= 0`"""
    m = relation(RELATIONS[name])
    extra = {**{("m", p): 1 for p in parameters(m)}, ("m",): 1}
    rows = [r for d in duals(m, parameters(m)) for r in d.distance(-1, extra, name)]
    seen = set()
    all_unknowns = [*unknowns(m), *extra]
    for point in product(range(0, 2), repeat=len(all_unknowns)):
        values = dict(zip(all_unknowns, point, strict=True))
        expected = all(
            sum(n * values["m", p] for p, n in own.items()) + values["m",] >= d
            for own, d in distances(m, values)
        )
        assert satisfied(rows, values) == expected, values
        seen.add(expected)
    assert seen == {True, False}


@pytest.mark.parametrize(
    "text",
    [
        "{ S[i] -> T[j] : 2j = i and 0 <= i <= 7 }",
        "[N] -> { S[i] -> S[i + 1] : 0 <= i < N and i mod 3 = 1 }",
        "{ S[i] -> T[floor(i/3)] : 0 <= i <= 8 }",
    ],
)
def test_with_divisions_rows_still_promise_what_they_say(text):
    """Between integers there may be more than integers: rows may ask for more, never for less."""
    m = relation(text)
    rows = [r for d in duals(m, parameters(m)) for r in d.distance(1, {}, "")]
    allowed = 0
    for point in product(BOX, repeat=len(unknowns(m))):
        coefficients = dict(zip(unknowns(m), point, strict=True))
        if satisfied(rows, coefficients):
            allowed += 1
            assert all(d >= 0 for _, d in distances(m, coefficients)), coefficients
    assert allowed > 1


def test_a_row_says_itself():
    row = ConstraintRow({("x", "S", "0"): 2, ("n", "T", "N"): -1, ("m",): 1, ("m", "N"): 1}, -3)
    assert str(row) == "2 c(S, i0) -c(T, N) +m(0) +m(N) -3 >= 0"
    assert str(ConstraintRow({("0", "S"): 1}, equality=True)) == "c(S, 0) = 0"
    assert row.key == ConstraintRow(dict(reversed(row.terms.items())), -3, because="else").key
