"""Which points are drawn."""

import pytest

from polynb import isl
from polynb.show.draw.sample import sample, size, small_parameters

ANY = isl.read_set("[N] -> { : }")


def test_parameters_give_every_set_members():
    first, then = (
        isl.read_set("[N] -> { S[i] : 0 <= i < N }"),
        isl.read_set("[N] -> { T[i] : 5 <= i < N }"),
    )
    found = small_parameters(ANY, [first, then], ("N",))
    assert found["N"] >= 6
    assert size(then, found) >= 1


def test_parameters_respect_what_is_assumed():
    found = small_parameters(isl.read_set("[N] -> { : N >= 40 and N <= 41 }"), [], ("N",))
    assert found["N"] in (40, 41)


def test_sets_that_exclude_each_other_do_not_fail():
    sets = [isl.read_set("[N] -> { S[] : N = 1 }"), isl.read_set("[N] -> { T[] : N = 2 }")]
    assert small_parameters(ANY, sets, ("N",)) == {"N": 1}


def test_parameters_that_nothing_uses_get_a_value_too():
    assert set(small_parameters(isl.read_set("{ : }"), [], ("N", "M"))) == {"N", "M"}


@pytest.mark.parametrize(
    ("text", "clipped"),
    [
        ("{ [i] : 0 <= i < 9 }", False),
        ("{ [i] : i >= 3 }", True),
        ("{ [i, j] }", True),
        ("{ [i, j] : 0 <= i <= j }", True),
        ("{ [i] : i <= -5 }", True),
        ("{ [i, j] : 0 <= i < 1000 and 0 <= j < 4 }", True),
        ("{ [] }", False),
        ("{ [i] : false }", False),
    ],
)
def test_a_sample_is_part_of_the_set_and_small(text, clipped):
    whole = isl.read_set(text)
    found = sample(whole, {}, 100, 20)
    assert found.clipped == clipped
    assert len(found.points) <= 100
    assert bool(found.points) == (not whole.is_empty())
    drawn = whole.intersect(found.window)
    assert sorted(found.points) == isl.points(drawn)
    assert drawn.is_equal(whole) == (not clipped)
