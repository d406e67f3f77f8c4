"""Texts in the SCoP language: printed, parsed again, printed again."""

import ctypes

import numpy as np
import pytest
from cases import beside

from polynb.codegen import to_c, to_text
from polynb.dependences import analyze
from polynb.schedules.parallel import choose_loops
from polynb.scop.parsing import parse
from polynb.windows import row_windows

CASES = beside(__file__)

PROGRAMS = CASES["programs"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_printed_as_it_was_written(name):
    scop = parse(PROGRAMS[name], "scop")
    text = to_text(scop)
    assert to_text(parse(text, "scop")) == text


def test_what_came_from_c_is_printed_in_the_order_of_its_schedule():
    scop = parse("void f(int n, double b[n]) { for (int i = 0; i < n; i++) "
                 "if (i % 2 == 0) b[i] = 2.0f; else b[i] = 1; }")  # fmt: skip
    assert to_text(scop).endswith(
        "for i = 0 to n-1 by 2 do\n  b[i] = 2.0f; // S0\n  if i <= n-2 then\n"
        "    b[i+1] = 1; // S1\n  fi\ndone"
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_scanned_program_is_parsed_to_the_same_model(name):
    scop = parse(PROGRAMS[name], "scop")
    marked = choose_loops(scop, analyze(scop), choice="outermost")[0]
    text = to_text(marked)
    again = parse(text, "scop")
    assert to_text(again) == text.replace(" // parallel", "")
    assert again.parameters == scop.parameters
    assert again.assumed.is_equal(scop.assumed)
    for n, array in scop.arrays.items():
        other = again.arrays[n]
        assert (other.type, other.role, other.live_in) == (array.type, array.role, array.live_in)
    for kind in ("reads", "writes"):
        before, after = (
            getattr(s.isl, kind).range().intersect_params(s.assumed) for s in (scop, again)
        )
        assert before.is_equal(after)


def test_statements_keep_their_labels_and_assumptions_come_first():
    scop = parse(PROGRAMS["figure 1"], "scop")
    lines = to_text(choose_loops(scop, analyze(scop), choice="outermost")[0]).splitlines()
    assert lines[:3] == ["param N;", "assume N >= 3;", "temp tmp, s;"]
    assert [x.split("// ")[1] for x in lines if "// S" in x] == ["S0", "S1", "S3", "S2", "S4"]


def test_str_of_a_scop_is_its_text():
    scop = parse(PROGRAMS["guards, functions, lets"], "scop")
    assert str(scop) == to_text(scop)


def test_in_c_a_number_that_is_read_is_passed_as_it_is():
    text = to_c(parse("param N; input x; output B[N+1]; for i = 0 to N do B[i] = x; done", "scop"))
    assert "double x," in text


WINDOW = """param N, M; assume N >= 1 and M >= 1;
input float a[N+2][M]; temp float b[N+2][M]; output float o[N][M];
for x = 0 to N + 1 do for y = 0 to M - 1 do b[x][y] = 2 * a[x][y]; done done
for x = 0 to N - 1 do for y = 0 to M - 1 do o[x][y] = b[x][y] + b[x+2][y]; done done"""


def test_in_c_each_strip_allocates_its_window(compile_c):
    text = to_c(row_windows(parse(WINDOW, "scop"), rows=8, together=1).result)
    assert "float b" not in text
    assert text.count("float (*b)[M] = malloc(sizeof(float[3][M]));") == 1
    assert "private(" not in text
    a = np.random.default_rng(0).random((32, 7), np.float32)
    o = np.zeros((30, 7), np.float32)
    kernel = ctypes.CDLL(str(compile_c(text))).kernel
    kernel(*map(ctypes.c_int64, (30, 7)), a.ctypes, o.ctypes)
    assert np.array_equal(o, 2 * a[:30] + 2 * a[2:])
