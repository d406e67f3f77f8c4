"""What decides whether something runs orders iterations as much as what they compute with."""

import re

import pytest

import polynb as pn

SERIAL = {
    "a flag": "int p = 0; for (int i = 0; i < n; i++) { if (p) a[i] = 1; p = a[i] == 0; }",
    "a state": """int st = 0; for (int i = 0; i < n; i++) {
        switch (st) { case 0: a[i] = 1; break; default: a[i] = 2; } st = a[i] > b[i]; }""",
    "a maximum": "double m = 0; for (int i = 0; i < n; i++) if (a[i] > m) m = a[i]; b[0] = m;",
    "an effect": "int s = 0; for (int i = 0; i < n; i++) { s && (a[i] = 2); s = a[i] > 1; }",
    "what was found": """int seen = 0; for (int i = 0; i < n; i++) {
        a[i] = seen; if (b[i] > 2) seen = 1; }""",
    "whether it was": """int seen = 0; for (int i = 0; i < n; i++) {
        if (seen) a[i] = 5; b[i] > 2 && (seen = 1); }""",
    "the last place": """int seen = 0; for (int i = 0; i < n; i++) {
        a[i] = b[seen]; if (b[i] < 2) continue; seen = i; }""",
    "a bound": """int m = 1; for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) a[i] += 1; m = (int) (a[i] * 7 + i * i) % 5 + 1; }""",
}
ENDING = {
    "a break": "for (int i = 0; i < n; i++) { if (b[i] > 5) break; a[i] = i; }",
    "a while": "int i = 0; while (b[i] < 1e9 && i < n - 1) { a[i] = b[i]; i++; }",
    "a return": "for (int i = 0; i < n; i++) { if (b[i] > 5) return; a[i] = i; }",
    "a goto": "for (int i = 0; i < n; i++) { if (b[i] > 5) goto out; a[i] = i; } out: ;",
    "an exit": "for (int i = 0; i < n; i++) { if (b[i] > 5) exit(0); a[i] = i; }",
    "a break that is skipped": "for (int i = 0; i < n; i++) { if (b[i] < 2) continue; break; }",
    "a jump over it": "for (int i = 0; i < n; i++) { if (b[i] < 2) goto on; break; on: ; }",
    "a way out of a switch": """for (int i = 0; i < n; i++) {
        switch ((int) b[i]) { case 0: case 1: break; default: return; } a[i] = 1; }""",
    "a call that ends": "for (int i = 0; i < n; i++) { a[i] = 1; if (b[i] > 2) die(); }",
    "an operator": "for (int i = 0; i < n; i++) { a[i] = 1; b[i] > 2 && (exit(0), 1); }",
    "a choice": "for (int i = 0; i < n; i++) { a[i] = 1; b[i] > 2 ? exit(0) : (void) 0; }",
    "a flag": "int go = 1, i = 0; while (go) { a[i] = 1; i++; if (b[i] > 2) go = 0; }",
    "a bound that falls": "for (int i = 0; i < n; i++) { a[i] = 1; if (b[i] > 2) n = 0; }",
    "a do": "int i = 0; do { a[i] = i; i++; } while (i < n && b[i] < 9);",
}
PARALLEL = {
    "a branch": "for (int i = 0; i < n; i++) { if (b[i] > 1) a[i] = 1; }",
    "a continue": "for (int i = 0; i < n; i++) { if (b[i] > 1) continue; a[i] = 1; }",
    "a counter": "int i = 0; while (i < n) { a[i] = b[i]; i++; }",
    "a bound in memory": "for (int i = 0; i < *size; i++) a[i] = b[i];",
    "a jump within": "for (int i = 0; i < n; i++) { if (b[i] > 1) goto next; a[i] = 1; next: ; }",
    "a counter under a branch": """for (int i = 0; i < n; i++) {
        if (b[i] > 1) { int t = 1; for (int j = 0; j < 3; j++) { a[i] += t; t = j; } } }""",
    "a loop before": """for (int i = 0; i < n; i++) { if (b[i] > 1) continue; a[i] = 1; }
        for (int i = 0; i < n; i++) { if (b[i] > 1) break; }""",
    "a search inside": """for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) { if (b[j] > i) break; a[i] = j; } }""",
}


def outermost(body):
    text = f"""#include <stdlib.h>
int S = 9, *size = &S; void die(void) {{ exit(0); }}
void f(int n, double a[n], double b[n]) {{ {body} }}
int main() {{ double a[12], b[12]; for (int k = 0; k < 12; k++) {{ a[k] = k % 3; b[k] = k % 4; }}
  f(12, a, b); }}"""
    report = pn.feedback(pn.trace(text))
    return next(x for x in report.loops if x.loop.function == "f")


@pytest.mark.parametrize("body", SERIAL.values(), ids=SERIAL)
def test_what_is_asked_for_flows(body):
    loop = outermost(body)
    assert not loop.parallel
    assert loop.verdict.startswith("not parallel: carries")


@pytest.mark.parametrize("body", ENDING.values(), ids=ENDING)
def test_a_loop_that_ends_by_what_it_finds_is_not_parallel(body):
    loop = outermost(body)
    assert not loop.parallel
    assert re.search(r"\(line [34]\) decides whether it goes on", loop.verdict)


@pytest.mark.parametrize("body", PARALLEL.values(), ids=PARALLEL)
def test_other_conditions_order_nothing(body):
    assert outermost(body).verdict == "parallel"


def test_an_inner_loop_that_ends_early_stays_inside():
    nest = outermost(PARALLEL["a search inside"])
    (inner,) = nest.children
    assert "decides" in inner.verdict
    text = (
        "void f(int n, double a[n][n], double b[n]) { for (int i = 0; i < n; i++) "
        "for (int j = 0; j < n; j++) { if (a[i][j] > 1.2) break; b[i] += a[i][j]; } }"
    )
    report = pn.feedback(pn.trace(text, n=8))
    assert all(n.bands == ((0, 0), (1, 1)) for n in report.nests)
    assert not any(s.transformation in ("interchange", "tile") for s in report.suggestions)


def test_calls_that_call_themselves_have_an_order_and_those_around_need_none():
    text = """int g(int a, int b) { return b ? g(b, a % b) : a; }
void f(int n, int o[n]) { for (int i = 0; i < n; i++) o[i] = g(i * 7 + 30, i * 3 + 12); }
int main() { int o[9]; f(9, o); return o[3] == 99; }"""
    (loop,) = pn.feedback(pn.trace(text)).loops
    assert loop.parallel
    assert loop.children[0].verdict == "not parallel: each call of g is made by an earlier one"


def test_flags_do_not_keep_a_nest_from_being_searched():
    nest = """int s = 1; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        if (b[i] > 2) s = 3; a[j] = a[j] + b[i] + s; }"""
    assert not outermost(nest).parallel


def test_conditions_are_no_instructions_of_the_paper():
    text = "void f(int n, double a[n]) { for (int i = 0; i < n; i++) if (a[i] > 0.5) a[i] = 1; }"
    folding = pn.trace(text, n=6)
    assert [c.text for c in folding.conditions.values()] == ["i < n", "a[i] > 0.5"]
    assert not folding.conditions.keys() & folding.instructions.keys()
    assert all("C" not in name for pair in folding.dependences for name in pair)
    assert [f.entries for f in folding.tested.values()] == [1, 6]  # a bound is asked for once


def test_a_recursion_says_that_calls_make_calls() -> None:
    """And not that a condition of a loop in it decides whether it goes on."""
    text = """int fib(int n) { int s = 0; for (int k = 0; k < n; k++) s += k;
      if (n < 2) return s;
      return s + fib(n - 1) + fib(n - 2); }
    int main() { return fib(9) == 0; }"""
    (recursion,) = (x for x in pn.feedback(pn.trace(text)).loops if x.loop.recursion)
    assert recursion.verdict == "not parallel: each call of fib is made by an earlier one"
