"""The integer programs of members, against enumeration; and in how many steps."""

import itertools
import random

import pytest

from polynb import isl
from polynb.reordering.farkas import ConstraintRow
from polynb.reordering.integer_program import Counter, OutsideSpan, member_layout, solve
from polynb.reordering.lexmin import Budget, Tableau

MOST = 6  # the largest value of an unknown


def holds(rows, x):
    return all(sum(a * b for a, b in zip(r, (*x, 1), strict=True)) >= 0 for r in rows)


def by_enumeration(weights, rows):
    box = itertools.product(range(MOST + 1), repeat=len(weights))
    points = ((sum(w * v for w, v in zip(weights, x, strict=True)), *x) for x in box if
              holds(rows, x))  # fmt: skip
    return min(points, default=None)


def drawn(seed):
    """A sum's weights, constraints in a box, and constraints that come later."""
    rng = random.Random(seed)
    n = rng.randint(1, 4)
    weights = [rng.randint(0, 3) for _ in range(n)]
    some = [[*(rng.randint(-4, 4) for _ in range(n)), rng.randint(-6, 6)] for _ in range(5)]
    box = [[*(-int(i == j) for j in range(n)), MOST] for i in range(n)]
    return weights, [*some[: rng.randint(1, 4)], *box], some[4:]


def tableau(weights, rows):
    n = len(weights)
    single = [[*(int(i == j) for j in range(n)), 0] for i in range(n)]
    return Tableau.of([[*weights, 0], *single], rows)


@pytest.mark.long
def test_smallest_points_are_those_of_enumeration():
    empty = 0
    for seed in range(300):
        weights, rows, more = drawn(seed)
        program = tableau(weights, rows)
        found = program.least(Budget(10_000))
        assert found == by_enumeration(weights, rows), seed
        empty += found is None
        if found is not None:  # go on from there, as branches do
            later = program.with_constraints([[0, *r] for r in more]).least(Budget(10_000))
            assert later == by_enumeration(weights, rows + more), seed
    assert 20 < empty < 280


def test_large_numbers_are_exact():
    """Products that do not fit into 64 bits."""
    big = 10**12 + 39
    rows = [[big, -big - 1, -big * 3], [-1, big, -big * big]]
    total, x, y = tableau([1, 1], rows).least(Budget())
    assert total == x + y
    assert holds(rows, (x, y))
    assert not holds(rows, (x - 1, y))
    assert not holds(rows, (x, y - 1))


def test_numbers_that_grow_on_the_way_are_exact():
    """Each unknown is at least a thousand times the one before it."""
    n = 10
    rows = [[1, *[0] * (n - 1), -3]]
    rows += [[*(-1000 * (j == k) + (j == k + 1) for j in range(n)), 0] for k in range(n - 1)]
    _, *x = tableau([1] * n, rows).least(Budget())
    assert x == [3 * 1000**k for k in range(n)]


def test_what_takes_too_long_is_stopped():
    weights, rows, _ = drawn(1)
    with pytest.raises(isl.BudgetExhausted, match="integer program used up"):
        tableau(weights, rows).least(Budget(1))


def test_large_constants_do_not_matter():
    """A bound of 2000 on a parameter, which isl's search for integer points takes minutes on: the
    program has as many steps as with a bound of 20."""
    spent = []
    for bound in (20, 2000):
        layout = member_layout({"S": 2, "T": 2}, ("n",))
        x = [("x", s, str(k)) for s in "ST" for k in range(2)]
        rows = [
            ConstraintRow({x[2]: bound, x[0]: -bound, ("0", "T"): 1, ("0", "S"): -1}),
            ConstraintRow({x[3]: bound, x[1]: -1, ("n", "T", "n"): 1}),
            ConstraintRow({x[0]: 1, ("m",): bound, ("m", "n"): 1}),
        ]
        counter = Counter(100)
        regions = [OutsideSpan(s, ((1, 0), (0, 1))) for s in "ST"]
        assert solve(layout, rows, regions, counter, Budget(5_000)) is not None
        spent.append(counter.solved)
    assert spent[0] == spent[1]
