"""What loops leave behind: what is said, and advised, of the last iteration's values."""

from __future__ import annotations

import pytest

import polynb as pn

KEPT = """\
#include <stdio.h>
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12];
int main(void) {
  int v = 0;
  for (int i = 0; i < 12; i++) {
    v = a[i] * 3;
    b[i] = v;
  }
  for (int i = 0; i < 12; i++)
    b[i] = a[a[i]] + 1;
  printf("%d %d\\n", v, b[3]);
  return 0;
}
"""


def test_what_the_last_iteration_leaves_is_said_and_advised_only_where_it_is_so() -> None:
    found = pn.trace(KEPT).feedback()
    first, second = found.loops
    kept = "the last iteration's value of v (line 6) after it (line 11; OpenMP: lastprivate)"
    assert kept in first.besides
    advised = next(s for s in found.suggestions if s.lines == (5,))
    assert kept in advised.needs
    assert (second.verdict, second.besides) == (
        "parallel",
        "",
    )  # two arrays, a cell of its own each


MET = """\
int a[40], b[40];
int main(void) {
  for (int i = 0; i < 40; i++) a[i] = (i * i * 7) % 11;
  for (int i = 0; i < 40; i++)
    b[a[i]] = i;
  return 0;
}
"""


def test_cells_that_were_seen_to_be_overwritten_are_not_said_to_be_known_apart() -> None:
    loop = pn.trace(MET).feedback().loops[1]
    assert loop.parallel
    assert "it needs a copy of what b[a[i]] overwrites" in loop.besides
    apart = pn.trace(MET.replace("(i * i * 7) % 11", "(i * 7) % 40")).feedback().loops[1]
    assert "the knowledge that b[a[i]] do not meet" in apart.besides


@pytest.mark.parametrize("first", ["b", "rows[0]"])
def test_where_blocks_lie_decides_nothing(first: str) -> None:
    """What is between two rows is not theirs: in some processes another array, in others none."""
    text = """#include <stdlib.h>
    int main(void) {
      double *b, *rows[2];
      FIRST = malloc(8 * 8); SECOND = malloc(8 * 8); rows[1] = malloc(8 * 8);
      for (int k = 0; k < 2; k++) for (int j = 0; j < 8; j++) rows[k][j] = k - j;
      for (int j = 0; j < 8; j++) {
        b[j] = 0;
        for (int k = 0; k < 2; k++) b[j] += rows[k][j * j % 8];
      }
      return b[3] > 0; }"""
    second = "rows[0]" if first == "b" else "b"
    found = pn.feedback(pn.trace(text.replace("FIRST", first).replace("SECOND", second)))
    assert "the knowledge that b[j] and rows[k][j * j % 8] do not meet" in str(found)


WHOLE = """\
struct point { double x, y; } p[101], s[100];
double o[100];
long double l[101];
int main(void) {
  for (int i = 0; i < 100; i++) {
    STORE
    o[i] = LOAD;
  }
  return o[3] > 0;
}
"""


@pytest.mark.parametrize(
    ("store", "load", "overwrites"),
    [
        ("p[i] = s[i];", "p[i + 1].x", "p[i]"),
        ("p[i] = s[i];", "p[i + 1].y", "p[i]"),
        ("p[i].y = i; s[i] = p[i + 1];", "1", "p[i].y"),
        ("l[i] = i;", "((double *) &l[i + 1])[1]", "l[i]"),
    ],
)
def test_what_is_larger_than_a_word_is_overwritten_as_a_whole(
    store: str, load: str, overwrites: str
) -> None:
    (loop,) = pn.trace(WHOLE.replace("STORE", store).replace("LOAD", load)).feedback().loops
    assert loop.verdict == "parallel"
    assert f"a copy of what {overwrites} overwrites" in loop.besides
