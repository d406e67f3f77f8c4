"""What is read back of programs that people type: what each line says, and where nothing is said.

That the lines are true is a law (`tests/laws/test_reading_laws.py`)."""

import time

import pytest

import polynb as pn
from polynb import gallery
from polynb.show.displays.static import below_stepper

TURNS = "turn by turn with the other lines"
BLUR = "param N; for i = 1 to N-2 do out[i] = ({}) / 3; done"


def lines(text, language="auto"):
    return [" ".join(x.split()) for x in pn.read_back(pn.parse(text, language)).lines]


def test_a_slip_is_seen_in_equal_terms_and_in_numbers():
    assert lines(BLUR.format("in[i-1] + in[i] + in[i+1]")) == [
        "out[i] = (in[i-1] + in[i] + in[i+1]) / 3 for 1 <= i <= N-2",
        "out[0] stays as it was",
        "with N = 6, in = 3 1 4 5 9 2: out = · 2.667 3.333 6 5.333 (· keeps what it had)",
    ]
    assert lines(BLUR.format("in[i-1] + in[i] + in[i-1]")) == [
        "out[i] = (2*in[i-1] + in[i]) / 3 for 1 <= i <= N-2",
        "out[0] stays as it was",
        "with N = 6, in = 3 1 4 5 9: out = · 2.333 2 4.333 6.333 (· keeps what it had)",
    ]
    assert lines(BLUR.format("in[i-1] + in[i] - in[i-1]"))[0].startswith("out[i] = in[i] / 3")


def test_temporaries_are_replaced_and_both_ends_are_seen():
    text = """void f(int n, double a[n], double b[n]) {
      for (int i = 1; i < n - 1; i++) { double t = a[i] * 2; b[i] = t + 1; }
    }"""
    assert lines(text, "c")[:2] == [
        "b[i] = a[i] * 2 + 1 for 1 <= i <= n-2",
        "b[0] and b[n-1] stay as they were",
    ]


SUMS = {
    "for k = 0 to N-1 do s = s + A[k]; done": "s = old s + (sum over k = 0..N-1 of A[k])",
    "s = 0; for k = 0 to N-1 do s = s - A[k]; done": "s = 0.0 - (sum over k = 0..N-1 of A[k])",
    "s = 0; for k = 0 to N-1 do s = s - A[k] - B[k]; done":
        "s = 0.0 - (sum over k = 0..N-1 of (A[k] + B[k]))",
    "s = 0; for k = 0 to N-1 do s = s + A[k] - B[k]; done":
        "s = sum over k = 0..N-1 of (A[k] - B[k])",
    "s = 1; for k = 1 to N do s = k * s; done": "s = product over k = 1..N of k",
    "s = A[0]; for k = 1 to N-1 do s = max(A[k], s); done":
        "s = max(A[0], largest over k = 1..N-1 of A[k])",
    "s = A[0]; for k = 1 to N-1 do if A[k] < s then s = A[k]; fi done":
        "s = min(A[0], smallest over k = 1..N-1 of A[k])",
    "s = 0; for k = 0 to N-1 do if A[k] > 2 then s = s + 1; fi done":
        "s = sum over k = 0..N-1 of (A[k] > 2 ? 1 : 0)",
}  # fmt: skip


@pytest.mark.parametrize("text", SUMS)
def test_what_is_accumulated_is_said_in_words(text):
    said = lines(f"param N; {text}")[0]
    assert said in (SUMS[text], SUMS[text].replace("(A[k] > 2 ? 1 : 0)", "A[k] > 2 ? 1 : 0"))


def test_a_product_of_matrices_is_a_sum_and_a_prefix_stays_a_recurrence():
    assert lines("""param N; for i = 0 to N-1 do for j = 0 to N-1 do C[i][j] = 0;
      for k = 0 to N-1 do C[i][j] = C[i][j] + A[i][k] * B[k][j]; done done done""")[0] == (
        "C[i][j] = sum over k = 0..N-1 of A[i][k] * B[k][j] for 0 <= i, j <= N-1"
    )
    assert lines("param N; s[0] = a[0]; for i = 1 to N-1 do s[i] = s[i-1] + a[i]; done") == [
        "s[0] = a[0]",
        "s[i] = s[i-1] + a[i] for 1 <= i <= N-1",
        "with N = 6, a = 3 1 4 5 9 2: s = 3 4 8 13 22 24",
    ]
    assert lines("param N; temp t; t = 0; for i = 0 to N-1 do t = t + a[i]; s[i] = t; done")[0] == (
        "s[i] = sum over i' = 0..i of a[i'] for 0 <= i <= N-1"
    )


def test_where_a_formula_would_be_too_long_temporary_arrays_have_their_own():
    assert lines("""param N; temp t; for i = 0 to N do
      if i == 0 then t[i] = (2 * in[i] + in[i+1]) / weight[i];
      else t[i] = (in[i-1] + 3 * in[i]) / weight[i+1]; fi done
      for i = 1 to N-1 do out[i] = t[i-1] + t[i] + t[i+1]; done""")[:3] == [
        "t[0] = (2*in[0] + in[1]) / weight[0]",
        "t[i] = (in[i-1] + 3*in[i]) / weight[i+1] for 1 <= i <= N",
        "out[i] = t[i-1] + t[i] + t[i+1] for 1 <= i <= N-1",
    ]


def test_a_sum_that_begins_again_is_one_for_each():
    text = """void dense(int n, int m, double W[m][n], double x[n], double y[m]) {
      for (int i = 0; i < m; i++) {
        double s = 1;
        for (int j = 0; j < n; j++) s += W[i][j] * x[j];
        y[i] = s > 0 ? s : 0;
      }
    }"""
    assert lines(text, "c")[0] == (
        "y[i] = max(1.0 + (sum over j = 0..n-1 of W[i][j] * x[j]), 0) for 0 <= i <= m-1"
    )


def test_a_condition_that_its_branch_changes_is_not_taken_for_what_it_was():
    text = """void f(int n, double A[n], double out[2]) {
      for (int i = 0; i < n; i++)
        if (out[0] < A[i]) { out[0] = A[i]; out[1] = out[1] + out[0]; }
    }"""
    first, second, third = lines(text, "c")[:3]
    assert first == f"p0 becomes out[0] < A[i], {TURNS} for 0 <= i <= n-1"
    assert second == f"out[0] becomes A[i] if out[0] < A[i], {TURNS} for 0 <= i <= n-1"
    assert third == f"out[1] becomes out[1] + out[0] if p0, {TURNS} for 0 <= i <= n-1"


def test_what_is_long_or_read_twice_gets_the_name_of_its_temporary():
    text = """void covariance(int n, double x[n], double y[n], double out[1]) {
      double sx = 0, sy = 0, c = 0;
      for (int i = 0; i < n; i++) { sx += x[i]; sy += y[i]; }
      double mx = sx / n, my = sy / n;
      for (int i = 0; i < n; i++) c += (x[i] - mx) * (y[i] - my);
      out[0] = c / (n - 1);
    }"""
    assert lines(text, "c")[:3] == [
        "out[0] = (sum over i = 0..n-1 of (x[i] - mx) * (y[i] - my)) / (n - 1)",
        "where mx = (sum over i' = 0..n-1 of x[i']) / n",
        "where my = (sum over i' = 0..n-1 of y[i']) / n",
    ]


def test_the_largest_that_forgets_itself_is_the_last_one():
    said = lines("""param N; lo = a[0]; hi = a[0]; for i = 1 to N-1 do
      lo = min(lo, a[i]); hi = max(lo, a[i]); done""")
    assert said[1] == "hi = max(lo, a[N-1])"


def test_branches_are_one_choice():
    assert lines("""param N; for i = 0 to N-1 do
      if x[i] > 128 then out[i] = 255; else out[i] = 0; fi done""")[0] == (
        "out[i] = x[i] > 128 ? 255 : 0 for 0 <= i <= N-1"
    )


def test_where_values_go_round_the_steps_are_said():
    said = lines("""param N, T; for t = 1 to T do for i = 1 to N-2 do
      A[i] = (A[i-1] + A[i] + A[i+1]) / 3; done done""")
    assert said[0] == (
        "A[i] becomes (A[i-1] + A[i] + A[i+1]) / 3, in turn for 1 <= t <= T, 1 <= i <= N-2"
    )
    assert said[1] == "A[0] and A[N-1] stay as they were"


def test_sizes_that_are_special_cases_are_said():
    assert lines("param N, M; for i = 0 to N do if i <= M then A[i] = 1; fi done")[0] == (
        "A[i] = 1 for 0 <= i <= min(N,M)"
    )
    assert lines("param N, M; if N <= M then A[0] = 1; fi")[0] == "A[0] = 1 if M >= N"


def test_numbers_are_c_s():
    halves = "for (int i = 0; i < n; i++) b[i] = (a[i] - 4) / 2;"
    said = lines(f"void f(int n, int a[n], int b[n]) {{ {halves} }}", "c")
    assert said[0] == "b[i] = whole part of ((a[i] - 4) / 2) for 0 <= i <= n-1"
    assert said[-1].endswith("b = 0 -1 0 0 2 -1")
    said = lines(f"void f(int n, double a[n], int b[n]) {{ {halves} }}", "c")
    assert said[0] == "b[i] = int32((a[i] - 4) / 2) for 0 <= i <= n-1"
    assert lines("""param N; input int32 a[N]; output int32 h[9]; for b = 0 to 8 do h[b] = 0; done
      for i = 0 to N-1 do h[a[i]] = h[a[i]] + 1; done""")[-1].endswith("h = 1 3 1 1 0 0 0 0 0")
    assert not pn.read_back(pn.parse("param N; for i = 0 to N do b[i] = f(a[i]); done")).tried


MEAN = """void mean(int n, int a[n], double r[1]) {{
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  r[0] = {};
}}"""


def test_what_is_divided_as_integers_is_a_whole_part():
    assert lines(MEAN.format("s / n"), "c")[0] == (
        "r[0] = whole part of ((sum over i = 0..n-1 of a[i]) / n)"
    )
    assert "whole" not in lines(MEAN.format("(double)s / n"), "c")[0]
    assert "whole" not in lines("param N; for i = 0 to N do b[i] = a[i] / 2; done")[0]
    turns = "int s = 9; for (int i = 0; i < n; i++) { s = s / a[i]; r[i] = s; s = s * s; }"
    text = f"void f(int n, int a[n], int r[n]) {{ {turns} }}"
    assert lines(text, "c")[1].startswith("s becomes whole part of (s / a[i]), turn by turn")


LIFE = """void life(int n, int a[n][n], int b[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      int c = a[i-1][j-1] + a[i-1][j] + a[i-1][j+1] + a[i][j-1] + a[i][j+1]
            + a[i+1][j-1] + a[i+1][j] + a[i+1][j+1];
      b[i][j] = c == 3 || (c == 2 && a[i][j]);
    }
}"""


def tried(text, language="auto"):
    """What is given, and what is left."""
    trial = pn.read_back(pn.parse(text, language)).tried
    return tuple({g.name: g.rows for g in x} for x in (trial.given, trial.left))


def numbers(text):
    """All that is left, in a row."""
    return [c for rows in tried(text)[1].values() for r in rows for c in r]


def test_the_game_of_life_is_said_and_tried_on_cells_that_live_or_not():
    assert lines(LIFE, "c")[0] == "b[i][j] = c == 3 || c == 2 && a[i][j] for 1 <= i, j <= n-2"
    given, left = tried(LIFE, "c")
    assert {c for r in given["a"] for c in r} == {"0", "1"}
    assert {c for r in left["b"] for c in r} == {"0", "1", "·"}


def test_it_is_said_that_there_is_no_short_formula():
    long = " + ".join(f"in[i+{k}] * w{k}" for k in range(12))
    assert lines(f"param N; for i = 0 to N do out[i] = {long}; done")[0] == "out: no short formula"


@pytest.mark.parametrize(
    ("text", "right", "slip"),
    [
        ("for i = 0 to N do p[i] = ar[i] * bi[i] + ai[i] * br[i]; done", "br[i]", "bi[i]"),
        ("for i = 0 to N do p[i] = ar[i] * bi[i] + ai[i] * br[i]; done", "+", "-"),
        ("temp t; for i = 1 to N do t[i] = (a[i-1] + a[i] + a[i+1]) / 3; done "
         "for i = 2 to N-1 do b[i] = t[i+1] - t[i-1]; done", "a[i-1]", "a[i+1]"),
        ("for i = 1 to N-1 do b[i] = a[i-1] - 2*a[i] + a[i+1]; done", "a[i-1]", "a[i]"),
        ("for i = 1 to N do for j = 1 to N do v[i][j] = u[i-1][j] - u[i][j-1]; done done",
         "u[i-1][j]", "u[j][i-1]"),
        ("for i = 0 to N do for j = 0 to N do c[i][j] = a[i][j] + a[j][i] * s; done done",
         "a[j][i]", "a[i][j]"),
        ("for i = 0 to N do x[i] = c * x[i] - s * y[i]; done", "c", "s"),
        ("s = 0; for i = 0 to N do s = s + w[i] * x[i]; done", "x[i]", "w[i]"),
        ("for i = 0 to N do b[i] = a[i]; done", "a[i]", "a[N-i]"),
    ],
)  # fmt: skip
def test_the_numbers_of_a_slip_are_others(text, right, slip):
    assert numbers(f"param N; {text}") != numbers(f"param N; {text.replace(right, slip, 1)}")


def test_inputs_are_on_both_sides_of_what_they_are_compared_with():
    for limit, cells in {
        "128": ["126", "124", "127", "128", "132", "125"],
        "0": ["-2", "-4", "-1", "0", "4", "-3"],
        "0.5": ["0.3", "0.1", "0.4", "0.5", "0.9", "0.2"],
        "4": ["3", "1", "4", "5", "9", "2"],
    }.items():
        given, left = tried(f"param N; for i = 1 to N do b[i-1] = x[i-1] > {limit} ? 1 : 0; done")
        assert [*given["x"][0]] == cells
        assert {*left["b"][0]} == {"0", "1"}


def test_a_cell_that_no_condition_writes_keeps_what_it_had():
    text = """param N; for i = 1 to N do
      if x[i] > x[i-1] then up[i] = 1; else up[i-1] = 0; fi done"""
    given, left = tried(text)
    assert [*given["x"][0]] == ["3", "1", "4", "5", "9", "2", "6"]
    assert [*left["up"][0]] == ["0", "·", "1", "1", "0", "·", "1"]
    assert lines(text)[-1].endswith("(· keeps what it had)")


def test_where_nothing_short_can_be_said_nothing_is():
    harris = pn.read_back(gallery.load("harris"))
    assert not harris.formulas
    long = " + ".join(f"in[i+{k}] * w{k}" for k in range(12))
    back = pn.read_back(pn.parse(f"param N; for i = 0 to N do out[i] = {long}; done"))
    assert not back.formulas
    assert back.tried
    assert str(pn.ReadBack()).startswith("There is no short way")
    assert not pn.ReadBack()


def test_reading_takes_no_time():
    scop = pn.parse(BLUR.format("in[i-1] + in[i] + in[i+1]"))
    pn.read_back(scop)
    start = time.process_time()
    pn.read_back(scop)
    assert time.process_time() - start < 0.1


def test_it_is_shown_of_what_was_typed_and_of_nothing_else():
    typed = pn.parse(BLUR.format("in[i-1] + in[i] + in[i+1]"))
    for shown in (typed, pn.propagate(typed)):
        found = shown._repr_mimebundle_()
        for text in found.values():
            assert "out[0] stays as it was" in text
            assert "Is this what you meant?" in text
    fig1 = gallery.load("fig1")
    for other in (fig1, pn.propagate(fig1), pn.optimise(typed).result):
        if other is not typed:
            assert "Is this what you meant?" not in other._repr_mimebundle_()["text/plain"]


@pytest.mark.parametrize("shown", [lambda scop: scop, pn.propagate], ids=["scop", "propagate"])
def test_what_is_asked_is_at_the_end_below_a_stepper(shown):
    text = str(below_stepper(shown(pn.parse(BLUR.format("in[i-1] + in[i] + in[i-1]")))))
    behind = text.index("Is this what you meant?"), text.index("is another name or cell meant?")
    assert behind == tuple(sorted(behind))
    assert "<table" not in text[behind[0] :]


def test_what_stays_at_odd_sizes_only_is_not_said_to_stay():
    text = """void f(int n, double b[n]) {
      for (int i = 0; i + 1 < n; i += 2) { b[i] = 1; b[i+1] = 2; }
    }"""
    assert not any("stay" in line for line in lines(text, "c"))


def test_steps_that_take_turns_say_so():
    text = """void f(int n, double s[1], double a[n], double b[n]) {
      for (int i = 0; i < n; i++) { s[0] += a[i]; s[0] *= b[i]; }
    }"""
    assert lines(text, "c")[0] == (
        "s[0] becomes s[0] + a[i], turn by turn with the other lines for 0 <= i <= n-1"
    )


def test_what_rounding_or_a_nan_may_leave_of_nothing_is_kept():
    text = "void f(int n, double b[n], double a[n], double M) {"
    text += " for (int i = 0; i < n; i++) b[i] = (a[i] + M) - M; }"
    assert lines(text, "c")[0] == "b[i] = a[i] + M - M for 0 <= i <= n-1"


def test_a_sum_of_sums_is_in_parentheses():
    text = "void f(int n, double s[1], double a[n]) {"
    text += " s[0] = 0; for (int i = 0; i < n; i++) s[0] += a[i] - 3; }"
    assert lines(text, "c")[0] == "s[0] = sum over i = 0..n-1 of (a[i] - 3)"


def test_sizes_in_the_text_may_be_large():
    start = time.process_time()
    back = pn.read_back(pn.parse("for i = 0 to 1000000 do A[i] = A[i] + i; done"))
    assert back.tried is None
    assert time.process_time() - start < 2


def test_an_array_without_a_short_formula_is_named():
    long = " + ".join(f"sin(A[i] * {k}.25)" for k in range(2, 12))
    text = "void f(int n, double A[n], double o[n]) { for (int i = 0; i < n; i++) o[i] = A[i];"
    text += f" for (int i = 0; i < n; i++) A[i] = {long}; }}"
    assert "A: no short formula" in lines(text, "c")


def test_what_a_function_makes_of_its_result_is_said():
    text = """double mean(int n, double a[n]) {{
      double s = 0;
      for (int i = 0; i < n; i++) s += a[i];
      return {};
    }}"""
    assert lines(text.format("s /  n"), "c") == [
        "s = sum over i = 0..n-1 of a[i]",
        "it returns s / n",
        "with n = 6, a = 3 1 4 5 9 2: s = 24",
    ]
    assert not any("returns" in line for line in lines(text.format("s"), "c"))


@pytest.mark.parametrize(
    ("loops", "turns"),
    [
        ("for i = N-1 to 0 by -1 do {} done", "i from N-1 down to 0"),
        ("for i = 0 to N-1 do {} done", "0 <= i <= N-1"),
        ("for i = N-1 to 0 by -2 do {} done", "1-mod(N,2) <= i <= N-1 by 2, counted down"),
        ("for t = 0 to M do for i = N to 1 by -1 do {} done done",
         "0 <= t <= M, i from N down to 1"),
    ],
)  # fmt: skip
def test_turns_say_in_which_direction_they_are_taken(loops, turns):
    text = f"param N, M; y = c[N]; {loops.format('y = y*x + c[i];')}"
    assert lines(text)[1] == f"y becomes y * x + c[i], in turn for {turns}"


INSIDE = "param {}; for i = R to N-R-1 do o[i] = a[i]; done"


@pytest.mark.parametrize("sizes", ["N, R", "R, N"])
def test_a_program_is_tried_where_its_statements_run(sizes):
    said = pn.read_back(pn.parse(INSIDE.format(sizes))).tried
    assert said.sizes == {"N": 6, "R": 2}
    assert str(said).endswith("a = 3 1 4 5: o = · · 4 5 (· keeps what it had)")
    far = pn.read_back(pn.parse("param N; for i = 9 to N do o[i] = a[i]; done")).tried
    assert far.sizes == {"N": 9}


def test_what_has_no_cells_where_a_program_is_tried_is_not_shown():
    text = INSIDE.format("N, R") + " for i = N to R do p[i] = 1; done"  # never both
    program = pn.parse(text)
    assert lines(text)[-1] == ("with N = 6, R = 7: p = · · · · · · 1 1 (· keeps what it had)")
    assert "p = · · · · · · 1 1" in program._repr_mimebundle_()["text/plain"]
