"""Loops that may end by what they find, read from the text, and what feedback says of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import polynb as pn
from polynb.tracing.programs import RunCommand, trace
from polynb.tracing.programs.counting import counts
from polynb.tracing.programs.leaving import decided_by, left_by

LOOPS = [
    ("for (i = 0; i < n; i++) a[i] = i;", None),
    ("for (i = 0; i < n; i++) { if (a[i]) break; b[i] = 0; }", ("break", 1)),
    ("for (i = 0; i < n; i++)\n  if (a[i])\n    return i;\nreturn 0;", ("return", 3)),
    ("for (i = 0; i < n; i++) a[i] = 0; return 1;", None),
    ("for (i = 0; i < n; i++)\n  for (j = 0; ; j++)\n    if (a[j]) break;\nbreak;", None),
    ("for (i = 0; i < n; i++) switch (a[i]) { case 1: break; default: b[i] = 1; }", None),
    ("for (i = 0; i < n; i++) {\n  while (a[i]) { goto out; }\n}", ("goto", 2)),
    ('for (i = 0; i < n; i++) puts("return; break"); /* break */ break;', None),
    ("for (i = 0; i < n; i++) do { if (a[i]) break; } while (b[i]); return 0;", None),
    ("for (i = 0; i < n; i++) if (a[i]) b[i] = 1; else break;", ("break", 1)),
    ("for (i = 0; i < n; i++) if (a[i]) b[i] = 1; else b[i] = 2; break;", None),
    ("for (i = 0; i < n; i++) { if (a[i] > 1'000) break; c = 'x'; }", ("break", 1)),
    ("for (i = 0; i < n; i++) { int breaks = a[i]; b[i] = breaks; }", None),
    ("for (i = 0; i < n; i++) if (a[i] < 0) _exit(3);", ("_exit", 1)),
    ("for (i = 0; i < n; i++) if (a[i] < 0) quick_exit(3);", ("quick_exit", 1)),
    ("for (i = 0; i < n; i++)\n  if (a[i] < 0) siglongjmp(far, 1);", ("siglongjmp", 2)),
    ("for (i = 0; i < n; i++) { int raise = a[i]; b[i] = raise; }", None),
]


@pytest.mark.parametrize(("text", "word"), LOOPS)
def test_what_leaves_a_loop_is_read_from_its_text(text: str, word: tuple[str, int] | None) -> None:
    assert left_by(text.splitlines(), 1) == word


TESTS = [
    ("for (int i = 0; i < n; i++)", ""),
    ("for (int i = n - 1; i >= 2 * (m - 1); i -= 2)", ""),
    ("for (int i = 0; i * i <= s->n; i++)", ""),
    ("for (auto x : xs)", ""),
    ("for (int i = 0; i < n && i < 15; i++)", ""),
    ("for (int i = 0; i < n && b[0] < 15; i++)", ""),
    ("for (int i = 0; i < n && a[i] < 15; i++)", "i < n && a [ i ] < 15"),
    ("for (int i = 0; a[i] != 7; i++)", "a [ i ] != 7"),
    ("for (int i = 0; *p > i; i++)", "* p > i"),
    ("for (int i = 0; i < n && !found; i++)", "i < n && ! found"),
    ("for (int i = 0; i < size(x); i++)", "i < size ( x )"),
    ("for (struct node *p = head; p != end; p = p->next)", "p = p -> next"),
    ("for (int i = 0; ; i++)", "nothing"),
    ("for (int i = 0, k = n; i < k; i++, k -= 2)", ""),
    ("for (int i = 0, k = 1; i < n; i++, k = k * 3 % 7)", "i ++ , k = k * 3 % 7"),
    ("for (int i = 0, k = 1; i < n; i += k, k++)", "i += k , k ++"),
]


@pytest.mark.parametrize(("head", "what"), TESTS)
def test_what_decides_whether_a_for_goes_on(head: str, what: str) -> None:
    assert decided_by([f"  {head} b[i] = 1; /* a[0]; && */"], 1) == what


PROGRAM = """
#include <stdio.h>
static int a[400], b[400];
int find(int x) {
  for (int i = 0; i < 400; i++) /* search */
    if (a[i] == x) return i;
  return -1;
}
int walk(void) {
  int k = 0;
  while (a[k] != 7) { b[k] = a[k]; k++; } /* walk */
  return k;
}
int main(void) {
  for (int i = 0; i < 400; i++) a[i] = i; /* fill */
  int s = 0;
  for (int i = 0; i < 400; i++) s += b[i]; /* sum */
  printf("%d %d %d\\n", find(33), walk(), s);
  return 0;
}
"""


@pytest.mark.long
def test_only_loops_whose_end_is_known_are_called_parallel(
    written: Callable[..., RunCommand],
) -> None:
    feedback = pn.feedback(trace(written(PROGRAM)).folding())
    lines = PROGRAM.splitlines()
    said = {}
    for root in feedback.loops:
        for loop in root.walk():
            said[lines[loop.loop.line - 1].partition("/* ")[2].partition(" ")[0]] = loop.verdict
    assert said["fill"] == "parallel"
    assert said["sum"].startswith("not known to be parallel: `s` (line 17) is written in it")
    assert said["search"].startswith("not known to be parallel: `return` (line 6) may leave it")
    assert said["walk"].startswith("not known to be parallel: `k` (line 11) is written in it")
    suggested = {line for nest in feedback.nests for s in nest.suggestions for line in s.lines}
    assert suggested == {15}  # the one whose text hands nothing on


COUNTING = [
    ("for (int i = 0; i < n; i++)", "i++", 1, True),
    ("for (int i = 0; i < n; i++) s += a[i];", "i++", 1, True),
    ("for (int i = 0; i < n; i++) s += a[i];", "+=", 0, False),
    ("for (int i = 0; i < n; i++) b[k++] = 1;", "k++", 1, True),
    ("for (int i = 0; i < n; i++) if (a[i]) k++;", "k++", 1, False),
    ("for (int i = 0; i < n; i++) { if (a[i]) continue; k += 2; }", "+=", 0, False),
    ("while (k < n) { b[k] = 1; k = k + 1; }", "= k", 0, True),
    ("while (k < n) { b[k] = 1; k += b[k]; }", "+=", 0, False),
    ("for (int i = 0; i < n; i++, k = next[k]) {}", "i++", 1, False),
    ("k = next[k];", "=", 0, False),
]


@pytest.mark.parametrize(("line", "token", "after", "counting"), COUNTING)
def test_only_what_adds_a_number_in_every_iteration_counts(
    line: str, token: str, after: int, counting: bool
) -> None:
    assert counts([line], 1, line.index(token) + after + 1) is counting
