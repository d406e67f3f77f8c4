"""The parts of a set are merged the same way each time, wherever memory lies."""

import random

import pytest

import polynb as pn
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


EMPTY = """
void f(int n, double a[2 * n + 1][n + 1][2 * n + 1], double b[2 * n + 1][n + 1]) {
  double x4;
  for (int i1 = 1; i1 < n - 1; i1++) {
    for (int i2 = 0; i2 < i1 + 1; i2++) {
      x4 = b[i1][i2] * b[2 * i1][i1 + 1];
      b[i1][i2] = x4 + a[i1][i1][i1] - a[i1][n - 2 - i2][i1 + i2];
      for (int i3 = 1; i3 < n; i3++) {
        if (i3 % 2 == 0) {
          a[i1 + i1][i2][i3] = a[i1 + i1][i2][i3] + a[i1][i2][i3];
        }
      }
    }
  }
  for (int i5 = 0; i5 < n; i5++) {
    for (int i6 = 1; i6 < n - 1; i6++) {
      a[i6 - 1][i5][i6] = a[i5][i6 + 1][i5] + a[i5 + 1][i6][i6 + 1];
    }
    b[i5][i5] = 0;
  }
  for (int i7 = 0; i7 < n; i7++) {
    for (int i8 = i7 + 1; i8 < n - 1; i8++) {
      for (int i9 = 1; i9 < n - 1; i9++) {
        a[i7][i8][i9] = a[i7][i8 - 1][i9] - b[i9][i8];
      }
    }
  }
}
"""


def test_of_parts_that_merging_finds_empty_an_empty_one_is_left() -> None:
    """Random nest 25466: what is written by two of its statements, in the text's order."""
    assert pn.optimise(pn.parse(EMPTY, language="c")).result.statements
