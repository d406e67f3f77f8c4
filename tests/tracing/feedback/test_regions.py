"""Loops around a region, and within it, where nothing else is recorded."""

from __future__ import annotations

import re

import pytest

import polynb as pn

TEXT = """\
double a[100], b[100], x;
int n = 9, k;
{functions}
int main(void) {{
  int m = 9, j = 0;
  double y = 0;
  {loops}
  return b[3] > 0;
}}
"""
REGION = "\n#pragma scop\n{}\n#pragma endscop\n"


def said(loops: str, functions: str = "") -> list[str]:
    """The verdicts on the loops of `loops`, in which `[...]` is a region, by their lines."""
    marked = re.sub(r"\[\[(.*?)\]\]", lambda m: REGION.format(m[1]), loops, flags=re.DOTALL)
    more = re.sub(r"\[\[(.*?)\]\]", lambda m: REGION.format(m[1]), functions, flags=re.DOTALL)
    found = pn.trace(TEXT.format(functions=more, loops=marked)).feedback()
    reports = [r for root in found.loops for r in root.walk()]
    return [r.verdict.split(":")[0] for r in sorted(reports, key=lambda r: r.loop.line)]


UNKNOWN = "not known to be parallel"


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < 9; i++) { [[b[i] = a[i] + y;]] y = b[i] * 2; }",
        "for (int i = 0; i < 9; i++) { [[b[i] = a[i] + y;]] y = i; }",
        "for (int i = 0; i < 9; i++) { bump(); [[b[i] = a[i] + 1;]] }",
        "for (int i = 0; i < 9; i++) { if (a[i] < 0) break; [[b[i] = a[i] + 1;]] }",
        "for (int i = 0; i < n; i++) { [[b[i] = a[i] + 1;]] k = n; }",
        "while (j < 9) { [[b[j] = a[j] + 1;]] j++; }",
    ],
)
def test_what_a_loop_does_beside_its_region_is_not_known(loop: str) -> None:
    (outer,) = said(loop, "static void bump(void) { x = x * 2 + 1; }")
    assert outer == UNKNOWN


@pytest.mark.parametrize(
    ("loops", "verdicts"),
    [
        ("for (int i = 0; i < 9; i++) { [[b[i] = a[i] + y;]] }", ["parallel"]),
        (
            "for (int i = 0; i < 9; i++)\nfor (int h = i; h < m; h++) { [[b[9 * i + h] = a[h];]] }",
            ["parallel", "parallel"],
        ),
        (  # j is seen after the loop within
            "for (int i = 0; i < 9; i++)\nfor (j = i; j < m; j++) { [[b[9 * i + j] = a[j];]] }",
            [UNKNOWN, "parallel"],
        ),
        (  # where a loop begins and ends may be handed on
            "for (int i = 0; i < 9; i++)\nfor (int h = j; h < 9; h++)"
            " { [[b[9 * i + h] = a[h]; j = a[h] > 3;]] }",
            [UNKNOWN, "parallel"],
        ),
        ("[[for (int i = 0; i < 9; i++) row(i);]]", ["parallel", "parallel"]),
    ],
)
def test_that_a_loop_counts_is_known(loops: str, verdicts: list[str]) -> None:
    row = "static void one(int i) { b[i] = a[i]; }\n"
    row += "static void row(int i) { for (int k = 0; k < 3; k++) one(9 * i + k); }"
    assert said(loops, row) == verdicts


def test_what_a_recursion_does_beside_its_region_is_not_known() -> None:
    f = "int f(int n) { if (!n) return 0; [[b[n] = a[n] + x;]] x = b[n] * 2; return f(n - 1); }"
    assert said("f(20);", f) == [UNKNOWN]


def test_calls_in_what_alone_is_recorded_are_known_as_those_elsewhere() -> None:
    text = """double a[100], b[100], t;
void bump(double x) { t = t * 2 + x; }
void row(int i) { b[i] = a[i] + 1; if (a[i] > 99) bump(a[i]); }
void rows(void) { for (int i = 0; i < 10; i++) row(i); }
int main(void) { rows(); return b[3] > 0; }"""
    for only in (None, "rows"):
        (loop,) = pn.trace(text, only=only).feedback().loops
        assert "`bump(a[i])` (line 3) is on a way that this run did not take" in loop.verdict
