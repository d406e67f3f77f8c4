"""Counters whose address is taken: a loop that nobody reaches it in by that has it for itself."""

from __future__ import annotations

import pytest

import polynb as pn

HEAD = "int a[40], o, *keep;\nvoid bump(int *p) { *p += 1; }\nvoid hold(int *p) { keep = p; }\n"
APART = {
    "of another variable": "{ int i = 3; keep = &i; } int i;\nfor (i = 0; i < 20; i++) a[i] += 2;",
    "for a call": "int i; bump(&i);\nfor (i = 0; i < 20; i++) a[i] += 2;",
    "by the library": 'int i; sscanf("7", "%d", &i);\nfor (i = 0; i < 20; i++) a[i] += 2;',
    "later": "int i;\nfor (i = 0; i < 20; i++) a[i] += 2;\nhold(&i); *keep += 1;",
}
REACHED = {
    "before": "int i; keep = &i;\nfor (i = 0; i < 20; i++) { a[i] += 2; *keep += 1; }",
    "by a call": "int i; hold(&i);\nfor (i = 0; i < 20; i++) { a[i] += 2; *keep += 1; }",
    "in it": "int i;\nfor (i = 0; i < 20; i++) { a[i] += 2; bump(&i); }",
    "in a later round": "int i; keep = &o; for (int k = 0; k < 2; k++) {\n"
    "for (i = 0; i < 20; i++) { a[i] += 2; *keep += 1; }\nkeep = &i; }",
    "when it is static": "for (int k = 0; k < 2; k++) o = again();",
}
AGAIN = "int again(void) { static int i;\nfor (i = 0; i < 20; i++) a[i] += keep ? ++*keep : 1;\n"


def traced(body: str) -> dict[int, str]:
    """What is said of each loop of `main`, by its line there."""
    again = f"{AGAIN}keep = &i; return 0; }}\n" if "again" in body else ""
    text = f"#include <stdio.h>\n{HEAD}{again}int main(void) {{ {body}\nreturn a[3] & 1; }}\n"
    loops = pn.trace(text).feedback().loops
    first = text[: text.index("for (i = 0")].count("\n") + 1
    return {r.loop.line - first: r.verdict for root in loops for r in root.walk()}


@pytest.mark.parametrize("name", APART)
def test_a_loop_has_a_counter_for_itself_that_nobody_reaches_in_it(name):
    assert traced(APART[name])[0] == "parallel"


@pytest.mark.parametrize("name", REACHED)
def test_a_loop_whose_counter_is_reached_by_its_address_is_not_parallel(name):
    assert traced(REACHED[name])[0].startswith("not parallel")


def test_what_is_left_in_a_counter_is_read_by_its_address():
    body = (
        "int i = 0; for (int k = 0; k < 4; k++) { bump(&i); a[k] = i;\n"
        "for (i = 0; i < 9; i++) a[i + 9] = k; }"
    )
    found = traced(body)
    assert found[0] == "parallel"
    assert found[-1].startswith("not parallel: carries")
