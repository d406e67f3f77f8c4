"""How often loops iterate."""

import pytest

from polynb import isl
from polynb.schedules.trip_counts import occupancy, trip_count


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("{ S[i, j] : 0 <= i < 3 and 2 <= j <= 8 }", 7),
        ("[N] -> { S[i, j] : 0 <= i < N and i <= j <= i + 4 }", 5),
        ("[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }", None),
        ("[N] -> { S[i, j] : 0 <= i < 9 and 0 <= j <= i }", 9),
        ("{ S[i, j] : 0 <= i < 3 and 0 <= j <= 8 and j mod 4 = 0 }", 3),
        ("[N] -> { S[i, j] : i = N and j = N }", 1),
        ("{ S[i, j] : 1 = 0 }", 0),
    ],
)
def test_the_inner_loop(domain, expected):
    s = isl.read_set(domain)
    values = isl.read_map("{ S[i, j] -> [j] }").intersect_domain(s)
    assert trip_count([(values, isl.read_map("{ S[i, j] -> [i] }"))]) == expected


def test_statements_that_share_a_loop_add_up():
    first = isl.read_map("{ S[i] -> [i] : 0 <= i < 4 }")
    then = isl.read_map("{ T[i] -> [i] : 4 <= i < 10 }")
    outer = [isl.read_map(f"{{ {n}[i] -> [] }}") for n in "ST"]
    assert trip_count(zip((first, then), outer, strict=True)) == 10


@pytest.mark.parametrize(
    ("begins", "expected"),
    [("o + N", None), ("o + 4", 6), ("o", 2), ("N", None)],
)
def test_where_statements_share_a_loop_parameters_may_keep_them_apart(begins, expected):
    first = "[N, M] -> { S[o, i] -> [i] : 0 <= o <= M and o <= i <= o + 1 }"
    then = f"[N, M] -> {{ T[o, i] -> [i] : 0 <= o <= M and {begins} <= i <= {begins} + 1 }}"
    outer = [isl.read_map(f"{{ {n}[o, i] -> [o] }}") for n in "ST"]
    values = map(isl.read_map, (first, then))
    assert trip_count(zip(values, outer, strict=True)) == expected


def test_sizes():
    values = isl.read_map("[N] -> { S[i] -> [i] : 0 <= i < N }")
    outer = isl.read_map("{ S[i] -> [] }")
    assert trip_count([(values, outer)]) is None
    assert trip_count([(values, outer)], {"N": 12}) == 12


def test_occupancy():
    assert occupancy(3, 2) == 0.75
    assert occupancy(4, 2) == occupancy(None, 2) == occupancy(3, 1) == 1
    assert occupancy(1, 8) == 0.125
