"""Syntax tree -> Scop."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.scop import arrays
from tests.run.interpreter import run as interpreted


def domain(scop: pn.Scop, name: str) -> isl.Set:
    return scop.by_name[name].domain


def test_a_size_that_is_not_declared_is_told_to_be_a_parameter() -> None:
    with pytest.raises(pn.PolynbError, match="upper bound is not affine: N") as caught:
        pn.parse("for i = 0 to N do A[i] = 1; done")
    assert caught.value.span is not None
    assert caught.value.span.text == "N"
    assert "`param N;`" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("given", "options", "message", "hint"),
    [
        (3, {}, "a program's text is needed, not int", "pn.parse"),
        (None, {}, "a program's text is needed, not None", "pn.parse"),
        (b"A[0] = 1;", {}, "not bytes", "decode"),
        (Path("a.scop"), {}, "not PosixPath", "read_text"),
        (pn.parse("A[0] = 1;"), {}, "not Scop", "a program already"),
        ("A[0] = 1;", {"temp": 3}, "temp must be names of arrays, not 3", "tmp, s"),
        ("A[0] = 1;", {"temp": ["A", 3]}, "temp must hold names of arrays, not 3", "tmp, s"),
        ("A[0] = 1;", {"assume": 3}, "assume must be a text, not 3", "N >= 2"),
    ],
)
def test_what_is_no_program_is_refused(
    given: object, options: dict, message: str, hint: str
) -> None:
    with pytest.raises(pn.PolynbError, match=message) as caught:
        pn.parse(given, **options)
    assert hint in str(caught.value.hint)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("if i == M then A[i] = 1; fi", True),
        ("if i > 2 && (N - i < M || i == 3) then A[i] = 1; fi", True),
        ("A[i + M] = 1;", True),
        ("A[i] = B[M];", True),
        ("A[i] = M * B[i];", False),
        ("if B[i] < M then A[i] = 1; fi", False),
        ("if M > 0.5 then A[i] = 1; fi", False),
    ],
)
def test_a_scalar_that_may_be_a_parameter_is_told_so(body: str, told: bool) -> None:
    scop = pn.parse(f"param N; for i = 0 to N do {body} done")
    assert ("if it is a size, declare it: `param M;`" in scop.arrays["M"].why) == told
    assert (
        "param M"
        not in pn.parse(f"param N; for i = 0 to N do {body} done", temp="M").arrays["M"].why
    )  # it was declared


@pytest.mark.parametrize(
    ("declared", "hint"),
    [
        ("A[N*M]", "`A[N][M]`, and `A[i][j]` for `A[i*M + j]`"),
        ("A[(N+1)*(M+2)]", "`A[N + 1][M + 2]`, and `A[i][j]` for `A[i*(M + 2) + j]`"),
        ("A[N*N*M]", "`A[N][N][M]`"),
        ("A[N*N+1]", "sums of parameters and constants, such as `A[2*N + 1]`"),
        ("A[N*N][M]", "sums of parameters and constants, such as `A[2*N + 1]`"),
    ],
)
def test_a_product_of_parameters_is_proposed_as_several_dimensions(
    declared: str, hint: str
) -> None:
    with pytest.raises(pn.PolynbError, match="extent must be an affine") as caught:
        pn.parse(
            f"param N, M; output double {declared}; A[0]{'[0]' * (declared.count('[') - 1)} = 1;"
        )
    assert caught.value.hint == hint


def test_a_product_of_arguments_is_proposed_as_several_dimensions_in_c() -> None:
    c = "void f(int n, double A[n*n]) { for (int i = 0; i < n; i++) A[i*n+i] = 1; }"
    with pytest.raises(pn.PolynbError) as caught:
        pn.parse(c, "c")
    assert caught.value.hint == "`A[n][n]`, and `A[i][j]` for `A[i*n + j]`"


def test_temporaries_are_named_in_one_text_or_several() -> None:
    text = "param N; for i = 0 to N do tmp[i] = A[i]; s = tmp[i]; B[i] = s; done"
    assert pn.parse(text, temp="tmp, s").temporaries == ("tmp", "s")
    assert pn.parse(text, temp=["tmp", "s"]).temporaries == ("tmp", "s")


def test_domains_and_schedules_of_figure_1() -> None:
    scop = pn.gallery.load("fig1")
    assert [s.name for s in scop.statements] == ["S0", "S1", "S2", "S3", "S4"]
    expected = "[N] -> { S4[i] : 1 <= i <= N - 1 }"
    assert domain(scop, "S4").is_equal(isl.read_set(expected))
    assert {s.schedule.dim(isl.OUT) for s in scop.statements} == {3}
    assert scop.arrays["s"].extents == ()
    assert [scop.arrays[a].role for a in ("in", "out", "tmp")] == ["input", "output", "temp"]


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for i = 3 to N by 2 do A[i] = 0; done", "0 < i <= N and (i - 1) mod 2 = 0 and i >= 3"),
        ("for i = N to 3 by -2 do A[i] = 0; done", "3 <= i <= N and (N - i) mod 2 = 0"),
        ("for i = max(0, M) to min(N, 9) do A[i] = 0; done", "i >= 0 and M <= i <= N and i <= 9"),
        ("for i = 0 to N/2 do A[i] = 0; done", "0 <= 2i <= N"),
        (
            "for i = 0 to N do if i % 3 == 1 || i == N then A[i] = 0; fi done",
            "0 <= i <= N and ((i mod 3) = 1 or i = N)",
        ),
        ("for i = 0 to N do if !(i == M) then A[i] = 0; fi done", "0 <= i <= N and i != M"),
    ],
)
def test_domains(loop: str, expected: str) -> None:
    scop = pn.parse(f"param N, M; {loop}")
    assert domain(scop, "S0").is_equal(isl.read_set(f"[N, M] -> {{ S0[i] : {expected} }}"))


def test_requires_holds_what_must_hold_for_the_accesses() -> None:
    scop = pn.parse("param N, M; input A[N]; for i = 0 to M do B[i] = A[i]; done")
    assert scop.requires.is_equal(isl.read_set("[N, M] -> { : M < N or M < 0 }"))
    assert pn.parse("param N; for i = 0 to N do B[i] = A[i]; done").requires.is_equal(
        isl.read_set("[N] -> { : }")
    )


@pytest.mark.parametrize(
    ("text", "caret"),
    [
        ("param N; for i = 0 to N do B[i] = A[i-1-i]; done", "A[i-1-i]"),
        ("param N; input A[N]; for i = 0 to N do B[i] = A[i+N]; done", "A[i+N]"),
        ("param N; assume N >= 1; output B[3]; for i = 0 to N+3 do B[i] = 1; done", "B[i]"),
    ],
)
def test_out_of_bounds_for_every_value_is_an_error(text: str, caret: str) -> None:
    with pytest.raises(pn.PolynbError, match="out of bounds") as caught:
        pn.parse(text)
    assert caught.value.span is not None
    assert caught.value.span.text == caret
    assert caught.value.reason is not None


@pytest.mark.parametrize(
    ("text", "caret"),
    [
        ("param N; for i = 0 to N*N do A[i] = 0; done", "N*N"),
        ("param N; for i = 0 to N do for j = 0 to i*i do A[j] = 0; done done", "i*i"),
        ("param N; for i = 0 to A[0] do B[i] = 0; done", "A[0]"),
        ("param N; assume N * N >= 2; A[0] = N;", "N * N"),
    ],
)
def test_bounds_must_be_affine(text: str, caret: str) -> None:
    with pytest.raises(pn.PolynbError, match="not affine") as caught:
        pn.parse(text)
    assert caught.value.span is not None
    assert caught.value.span.text == caret


def test_data_dependent_accesses_are_over_approximated() -> None:
    scop = pn.parse("param N; for i = 0 to N do h[idx[i]] = h[idx[i]] + 1; done")
    (s,) = scop.statements
    assert not s.write.must
    assert [r.must for r in s.reads] == [False, True, True]
    assert s.write.relation.is_equal(isl.read_map("[N] -> { S0[i] -> h[x] : 0 <= i <= N }"))
    assert scop.arrays["h"].extents == (None,)
    assert scop.arrays["h"].live_in


def test_an_affine_conjunct_restricts_the_domain_the_rest_is_a_guard() -> None:
    scop = pn.parse("param N, M; for i = 0 to N do if i <= M && a[i] > 0 then b[i] = 1; fi done")
    (s,) = scop.statements
    assert s.domain.is_equal(isl.read_set("[N, M] -> { S0[i] : 0 <= i <= N and i <= M }"))
    assert s.guard is not None


def test_roles() -> None:
    scop = pn.parse(
        "param N; temp t; for i = 1 to N do t = a[i]; b[i] = t; c[i] = c[i-1] + t; done"
    )
    roles = {n: a.role for n, a in scop.arrays.items()}
    assert roles == {"t": "temp", "a": "input", "b": "output", "c": "inout"}
    assert scop.temporaries == ("t",)
    read_first = pn.parse("param N; temp t; for i = 0 to N do b[i] = t[i]; t[i] = 1; done")
    assert read_first.arrays["t"].live_in


def test_an_input_must_not_be_written() -> None:
    with pytest.raises(pn.PolynbError, match="input and is written") as caught:
        pn.parse("param N; input A; for i = 0 to N do A[i] = 0; done")
    assert caught.value.span is not None
    assert caught.value.span.text == "A[i]"


def test_assumptions_must_be_possible() -> None:
    with pytest.raises(pn.PolynbError, match="no parameter values"):
        pn.parse("param N; assume N > 2 && N < 2; A[0] = N;")


def test_c_division_truncates() -> None:
    scop = pn.parse(
        "void f(int n, double A[n], double B[n]) {"
        " for (int i = 0; i < n; i++) A[i] = B[(i - 3) / 2 + 2]; }"
    )
    (s,) = scop.statements
    relation = s.reads[0].relation
    assert isl.pairs(relation, {"n": 6}) == [
        ((0,), (1,)),
        ((1,), (1,)),
        ((2,), (2,)),
        ((3,), (2,)),
        ((4,), (2,)),
        ((5,), (3,)),
    ]


def test_a_scop_pickles() -> None:
    scop = pn.gallery.load("harris")
    again = pickle.loads(pickle.dumps(scop))
    for a, b in zip(scop.statements, again.statements, strict=True):
        assert a.domain.is_equal(b.domain)
        assert a.schedule.is_equal(b.schedule)
    assert str(again) == str(scop)


def test_temp_and_assume_from_outside() -> None:
    text = "param N; for i = 0 to N do t[i] = 1; B[i] = t[i]; done"
    scop = pn.parse(text, temp=["t"], assume="N >= 3")
    assert scop.arrays["t"].role == "temp"
    assert scop.context.is_equal(isl.read_set("[N] -> { : N >= 3 }"))
    with pytest.raises(pn.PolynbError, match="no array 'q'"):
        pn.parse(text, temp=["q"])


def test_a_temporary_that_data_decides_to_write_is_no_argument() -> None:
    text = """void f(int n, double A[n], double B[n]) {
      for (int i = 0; i < n; i++) {
        B[i] = 0;
        if (A[i] > 0) { double t = 2 * A[i]; B[i] = t; }
      }
    }"""
    scop = pn.parse(text)
    assert not scop.arrays["t"].live_in
    result = pn.compile(scop, threads=1)(n=3, A=np.array([1.0, -1.0, 2.0]))
    assert result["B"].tolist() == [2.0, 0.0, 4.0]


def test_a_temporary_histogram() -> None:
    text = """param N; input int32 x[N]; temp int32 h[16]; output int32 out[16];
    for b = 0 to 15 do h[b] = 0; done
    for i = 0 to N-1 do h[x[i]] = h[x[i]] + 1; done
    for b = 0 to 15 do out[b] = h[b]; done"""
    scop = pn.parse(text)
    assert not scop.arrays["h"].live_in
    x = np.array([3, 3, 15, 0], dtype="int32")
    result = pn.compile(pn.propagate(scop), threads=1)(N=4, x=x)
    assert result["out"].tolist() == np.bincount(x, minlength=16).tolist()


def test_accesses_that_a_condition_guards_may_be_out_of_bounds_elsewhere() -> None:
    scop = pn.parse("param N; for i = 0 to N do B[i] = i > 0 ? A[i-1] : 0; done")
    assert scop.requires.is_equal(isl.read_set("[N] -> { : }"))
    result = pn.compile(scop, threads=1)(N=2, A=np.array([3.0, 4.0]))
    assert result["B"].tolist() == [0.0, 3.0, 4.0]


def test_extents_with_too_many_cases_are_left_open() -> None:
    names = [f"P{k}" for k in range(14)]
    loops = " ".join(f"for i = 0 to {p} do A[i] = 1; done" for p in names)
    scop = pn.parse(f"param {', '.join(names)}; {loops}")
    assert scop.arrays["A"].extents == (None,)


CHOSEN_FIRST = {
    "only read": "for i = 0 to N-1 do o[i] = t[idx[i]]; done",
    "read, then written": "for i = 0 to N-1 do t[idx[i]] = t[idx[i]] * 2; done "
    "for i = 0 to N-1 do o[i] = t[i]; done",
    "read in a condition": "for i = 0 to N-1 do o[i] = 0; if t[idx[i]] > 1 then o[i] = 1; fi "
    "t[i] = a[i]; done",
}


@pytest.mark.parametrize("body", CHOSEN_FIRST.values(), ids=CHOSEN_FIRST)
def test_a_temporary_whose_first_read_data_chooses_is_an_argument(body: str) -> None:
    text = "param N; input int32 idx[N]; input a[N]; output o[N]; temp t[N];\n" + body
    scop = pn.parse(text)
    assert scop.arrays["t"].live_in
    assert "double t[" in scop.to_c().partition("{")[0]  # in the function's signature
    arrays = {
        "idx": np.array([2, 0, 2, 1], dtype="int32"),
        "a": np.arange(4.0),
        "t": np.array([0.5, 1.5, 2.5, 3.5]),
    }
    arrays = {name: a for name, a in arrays.items() if name in scop.arrays}
    others = {n: a for n, a in arrays.items() if n != "t"}
    expected = interpreted(scop, arrays, N=4)["o"].tolist()
    assert any(expected)
    for program in (scop, pn.propagate(scop), pn.reorder(scop)):
        kernel = pn.compile(program, threads=1)
        assert kernel(arrays, N=4)["o"].tolist() == expected
        with pytest.raises(pn.PolynbError, match="needs t"):
            kernel(others, N=4)
    assert pn.measure([scop], N=4, **others).data.endswith(", seeded random for t")


def test_a_temporary_of_which_data_chooses_what_was_written_is_no_argument() -> None:
    text = """param N; input int32 idx[N]; input a[N]; output o[N]; temp t[N];
    for i = 0 to N-1 do t[idx[i]] = a[i]; o[i] = t[idx[i]]; done"""
    assert not pn.parse(text).arrays["t"].live_in


ONLY_INSIDE = {
    "cells": "for (int i = 0; i < m; i++) A[i] = t[i];",
    "a cell": "A[0] = t[1];",
    "cells that data chooses": "for (int i = 0; i < m; i++) A[i] = t[A[i] & 3];",
    "cells where data is so": "for (int i = 0; i < m; i++) A[i] = A[i] < 0 ? t[i + 3] : A[i];",
}


@pytest.mark.parametrize("body", ONLY_INSIDE.values(), ids=ONLY_INSIDE)
def test_a_temporary_that_is_read_unwritten_only_out_of_bounds_is_no_argument(body: str) -> None:
    text = f"""void f(int n, int m, int A[n + 4]) {{
      int t[n + 4];
      for (int i = 0; i < n + 4; i++) t[i] = 2 * A[i];
      {body}
    }}"""
    scop = pn.parse(text)
    assert not scop.arrays["t"].live_in
    result = pn.compile(scop, threads=1)(
        n=0, A=np.arange(4, dtype="int32"), **({"m": 1} if "m" in scop.parameters else {})
    )
    assert result["A"].tolist() == ([2, 1, 2, 3] if body == ONLY_INSIDE["a cell"] else [0, 1, 2, 3])


def test_an_array_is_looked_at_once_however_often_it_is_read(monkeypatch) -> None:
    seen, array_of = [], arrays.array_of
    each = lambda name, *more: seen.append(name) or array_of(name, *more)  # noqa: E731
    monkeypatch.setattr(arrays, "array_of", each)
    pn.parse(f"B = {' + '.join(f'A[{i}]' for i in range(50))};")
    assert seen == ["A", "B"]


def test_a_result_is_no_input_for_sizes_that_a_kernel_refuses():
    """For N = -1 the last line reads a cell that is not there, which nothing has written."""
    scop = pn.parse("param N; for i = 0 to N do c[i] = y[i]; done p = c[N];")
    c = scop.arrays["c"]
    assert (c.role, c.live_in) == ("output", False)
    assert "before it is written" not in c.why
    assert pn.parse("param N; for i = 1 to N do c[i] = y[i]; done p = c[N];").arrays["c"].live_in
