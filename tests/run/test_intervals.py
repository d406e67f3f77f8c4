"""How sure ratios are: intervals that hold what they say, and equal kernels that are equal."""

import math
from dataclasses import replace

import numpy as np
import pytest

from polynb.run.intervals import excludes_one, interval_text, median_interval, ratio_interval
from polynb.run.timing import Timing

TIMING = Timing(
    labels=("naive", "fast"),
    samples=((2.0,) * 5, (1.0,) * 5),
    memory=(64, 8),
    parameters={"N": 4096},
    data="seeded random",
    agreement="results equal bit for bit",
    compiler="gcc 12",
    flags=("-O3",),
    threads=2,
    heap="kept",
)


def rounds(chance: np.random.Generator, count: int, ratio: float) -> tuple[tuple[float, ...], ...]:
    """Times as a busy machine gives them: slow phases that meet both, outliers that meet one."""
    phase = np.exp(0.3 * np.sin(np.arange(count) / 7 + chance.uniform(0, 6)))

    def noise():
        late = np.where(chance.random(count) < 0.1, chance.uniform(1, 4, count), 1)
        return np.exp(0.08 * chance.standard_normal(count)) * late

    base = 1e-3 * phase * noise()
    times = 1e-3 / ratio * phase * noise()
    return tuple(base.tolist()), tuple(times.tolist())


@pytest.mark.parametrize("count", [6, 25])
def test_the_interval_of_a_median_holds_it_19_times_of_20(count):
    chance = np.random.default_rng(3)
    trials, held = 200, 0
    for _ in range(trials):
        low, high = median_interval(tuple(np.exp(chance.standard_normal(count)).tolist()))
        held += low <= 1 <= high
    assert 0.9 < held / trials < 0.99


def test_equal_programs_are_not_called_different_and_others_are():
    chance = np.random.default_rng(5)
    trials = 100
    called = {
        ratio: sum(excludes_one(ratio_interval(*rounds(chance, 40, ratio))) for _ in range(trials))
        for ratio in (1.0, 1.25)
    }
    assert called[1.0] <= 0.05 * trials
    assert called[1.25] > 0.95 * trials


def test_an_interval_becomes_narrow_with_rounds_but_not_narrower_than_memory_allows():
    chance = np.random.default_rng(7)
    widths = []
    for count in (10, 100, 1000):
        low, high = ratio_interval(*rounds(chance, count, 1.5))
        assert low < 1.5 < high
        widths.append(math.log(high / low))
    assert widths[0] > 1.5 * widths[1] > 1.5 * 1.2 * widths[2]
    assert widths[2] > 2 * math.log(1.03)


def test_the_same_rounds_give_the_same_interval():
    base, times = rounds(np.random.default_rng(1), 30, 1.1)
    first = ratio_interval(base, times)
    ratio_interval.cache_clear()
    assert ratio_interval(base, times) == first


def test_of_few_rounds_nothing_is_said():
    few = replace(TIMING, samples=((2.0,) * 4, (1.0,) * 4))
    assert few.interval() is None
    assert not few.differs()
    assert (
        few.comparison() == "fast ran 2.00 times faster than naive (4 rounds: too few to be sure)"
    )
    assert few.rows[1]["ratio_low"] is None


@pytest.mark.parametrize(
    ("interval", "differs"),
    [((0.9, 1.1), False), ((1.004, 1.2), False), ((1.006, 1.2), True), ((0.8, 0.99), True)],
)
def test_a_difference_is_one_that_the_shown_interval_has(interval, differs):
    assert excludes_one(interval) is differs
    assert (not interval_text(interval).startswith("1.00")) or not differs


def test_what_is_said_of_two_programs():
    assert TIMING.comparison() == "fast is 2.00 times faster than naive (1.94 – 2.06)"
    slower = replace(TIMING, samples=TIMING.samples[::-1])
    assert slower.comparison(1) == "fast is 2.00 times slower than naive (1.94 – 2.06)"
    equal = replace(TIMING, samples=((1.0, 1.1, 0.9, 1.0, 1.0),) * 2)
    seen = "between fast and naive no difference seen: 1.00 × (0.97 – 1.03)"
    assert equal.comparison("fast") == seen
    assert replace(TIMING, samples=((0.0,) * 5,) * 2).ratio() == 1  # below what a clock tells


def test_rows_are_plain_values():
    assert TIMING.rows[0] == {
        **{"program": "naive", "median": 2.0, "first_quartile": 2.0, "third_quartile": 2.0},
        **{"ratio": 1.0, "ratio_low": 1.0, "ratio_high": 1.0, "differs": False},
        **{"memory": 64, "rounds": 5},
    }
    fast = TIMING.rows[1]
    assert list(fast) == list(TIMING.rows[0])
    assert (fast["ratio"], fast["differs"]) == (2.0, True)
    assert {type(v) for row in TIMING.rows for v in row.values()} == {str, float, int, bool}
