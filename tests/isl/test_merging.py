"""The parts of a set are merged the same way each time, wherever memory lies."""

import random

import pytest

from polynb import isl

LEFT_TO_CHANCE = (
    "[N, M] -> { [i, j] : (j <= i <= N and i mod 2 = 0) or "
    "(2 <= i <= 10 and 0 <= j <= M + 1 and (i + 1) mod 2 = 0) or "
    "(0 <= i <= 10 and 0 <= j <= M and (i + 1) mod 2 = 0) }"
)
"""isl by itself gives one of two texts for it, each about every second time."""


def scattered(x):
    """What comes of merging it, with memory in other places each time."""
    kept = [
        isl.Set(f"{{ [i] : 0 <= i <= {k} and i mod 3 = 1 }}") for k in range(random.randint(1, 30))
    ]
    random.shuffle(kept)
    del kept[::2]
    return str(isl.coalesced(x))


@pytest.mark.parametrize("kind", [isl.Set, isl.UnionSet, isl.Map, isl.UnionMap])
def test_parts_are_merged_the_same_way_each_time(kind) -> None:
    text = LEFT_TO_CHANCE.replace("[i, j]", "[i] -> [j]" if "Map" in kind.__name__ else "S[i, j]")
    x = kind(text)
    assert len({scattered(x) for _ in range(40)}) == 1
    assert isl.coalesced(x).is_equal(x)


def test_strides_that_fill_each_other_are_merged() -> None:
    parts = " or ".join(f"(i mod 4 = {k} and 0 <= i <= N)" for k in range(4))
    s = isl.read_set(f"[N] -> {{ [i] : {parts} }}")
    assert isl.coalesced(s).n_basic_set() <= 2
    assert isl.coalesced(s).is_equal(isl.read_set("[N] -> { [i] : 0 <= i <= N }"))
