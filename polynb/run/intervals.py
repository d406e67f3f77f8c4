"""How sure a ratio of run times is: a 95 % interval, by the bootstrap over paired rounds."""

from __future__ import annotations

import functools
import math
import statistics
from typing import Final

import numpy as np

FEWEST: Final = 5  # rounds, with which all of them lie on one side of the truth 1 time of 16
CONFIDENCE: Final = 0.95
PLACEMENT: Final = 0.03
"""Two kernels of one program differ by about so much for as long as they live, by where the memory
of each happens to lie, which no number of rounds shows. (54 such pairs on a busy server with two
processors: the rounds alone told 16 of them apart; with this it was 6, of which 5 took about a
microsecond.)"""
_TICK: Final = 1e-9  # seconds: no clock tells less
_SEED: Final = 0
_RESAMPLES: Final = (200, 2000)
_WORK: Final = 2_000_000  # numbers drawn for one interval, if that leaves enough resamples
_MEMORY: Final = 500_000  # of them at once

Interval = tuple[float, float]


def ratio_of(base: tuple[float, ...], times: tuple[float, ...]) -> float:
    """How many times faster than `base`: the median of the ratios of paired rounds."""
    return statistics.median(_ratios(base, times))


@functools.lru_cache(maxsize=64)
def ratio_interval(base: tuple[float, ...], times: tuple[float, ...]) -> Interval | None:
    """Where the ratio is, 19 times of 20; None with fewer than FEWEST rounds, which say too little.

    The interval of the rounds, and the share of PLACEMENT, which is independent of it: the
    distances to the median, as logarithms, add up as squares.
    """
    found = median_interval(_ratios(base, times))
    if found is None:
        return None
    middle = ratio_of(base, times)
    share = math.log(1 + PLACEMENT)
    below = math.hypot(math.log(middle / found[0]), share)
    above = math.hypot(math.log(found[1] / middle), share)
    return middle * math.exp(-below), middle * math.exp(above)


def median_interval(values: tuple[float, ...]) -> Interval | None:
    """The percentile interval of the median over resamples of the values, seeded: the same values
    give the same interval."""
    if len(values) < FEWEST:
        return None
    fewest, most = _RESAMPLES
    resamples = min(max(_WORK // len(values), fewest), most)
    chance = np.random.default_rng(_SEED)
    held = np.asarray(values)
    at_once = max(_MEMORY // len(held), 1)
    medians: list[float] = []
    while len(medians) < resamples:
        drawn = (min(at_once, resamples - len(medians)), len(held))
        medians += np.median(held[chance.integers(0, len(held), drawn)], axis=1).tolist()
    low, high = np.quantile(medians, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def excludes_one(interval: Interval | None) -> bool:
    """Whether a difference was seen: 1 is outside of the interval, also of what is shown of it."""
    return interval is not None and (round(interval[0], 2) > 1 or round(interval[1], 2) < 1)


def interval_text(interval: Interval | None) -> str:
    """`0.97 – 1.08`, nothing if there is none."""
    return "" if interval is None else f"{interval[0]:.2f} – {interval[1]:.2f}"


def _ratios(base: tuple[float, ...], times: tuple[float, ...]) -> tuple[float, ...]:
    pairs = zip(base, times, strict=True)
    return tuple(max(b, _TICK) / max(t, _TICK) for b, t in pairs)
