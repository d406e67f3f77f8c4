"""When results count as equal."""

import numpy as np
import pytest

from polynb.run.comparison import first_difference


def changed(a, index, value):
    b = a.copy()
    b[index] = value
    return b


def test_the_same_bits_or_both_nan():
    a = np.array([[0.0, np.nan], [1.0, 2.0]])
    assert first_difference(a, a.copy()) is None
    assert first_difference(a, changed(a, (1, 0), np.nextafter(1.0, 2))) == (1, 0)
    assert first_difference(a, changed(a, (0, 0), -0.0)) == (0, 0)


def test_with_fast_math_floats_may_differ_a_little_of_the_largest():
    a = np.array([1000.0, 1.0], np.float32)
    assert first_difference(a, changed(a, 1, 1.09), fast_math=True) is None
    assert first_difference(a, changed(a, 1, 1.11), fast_math=True) == (1,)
    assert first_difference(a, changed(a, 1, np.inf), fast_math=True) == (1,)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int64])
def test_whole_numbers_may_differ_where_they_are_rounded_from_floats(dtype):
    a = np.full((20, 20), 100, dtype)
    for value in (99, 101):
        one = changed(a, (3, 4), value)
        assert first_difference(a, one, fast_math=True) == (3, 4)
        assert first_difference(a, one, rounded=True) == (3, 4)
        assert first_difference(a, one, fast_math=True, rounded=True) is None
        few = changed(a, (slice(0, 1), slice(0, 5)), value)
        assert first_difference(a, few, fast_math=True, rounded=True) == (0, 0)
    assert first_difference(a, changed(a, (3, 4), 102), True, True) == (3, 4)


def test_large_whole_numbers_may_differ_by_more():
    a = np.full((20, 20), 60000, np.uint16)
    assert first_difference(a, changed(a, (3, 4), 60006), True, True) is None
    assert first_difference(a, changed(a, (3, 4), 60007), True, True) == (3, 4)


def test_a_table_that_is_looked_up_at_a_rounded_place_may_jump_in_one_cell_of_many():
    a = np.full((1000, 100), 60_000, np.uint16)
    assert first_difference(a, changed(a, (3, 4), 60_010), True, True) is None
    assert first_difference(a, changed(a, (3, 4), 60_070), True, True) == (3, 4)
    twice = changed(changed(a, (3, 4), 60_010), (5, 6), 60_010)
    assert first_difference(a, twice, True, True) == (3, 4)
