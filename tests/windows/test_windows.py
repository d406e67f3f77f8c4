"""Pipelines in strips of rows: which rows are computed when, and how many are kept."""

from dataclasses import replace

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import READERS, Target, kernel_source, lower
from polynb.show.trace.builder import trace
from polynb.source.tree import For, If, every
from polynb.windows import ComputedBefore, InStrips, NotInStrips, Windowed, algorithm, row_windows

BLUR = """
param N; assume N >= 1;
input float img[N + 4][N + 4]; temp float t[N + 4][N + 4]; output float out[N + 4][N + 4];
for x = 1 to N + 2 do for y = 0 to N + 3 do t[x][y] = img[x-1][y] + 2 * img[x+1][y]; done done
for x = 2 to N + 1 do for y = 1 to N + 2 do
  out[x][y] = t[x-1][y-1] + t[x][y] + t[x+1][y+1];
done done
"""
HALVED = """
param N; assume N >= 1;
input float img[2*N + 6]C; temp float t[2*N + 6]C, h[N + 3]C; output float out[2*N]C;
for x = 1 to 2*N + 4 do for y = 0 to 9 do t[x][y] = img[x-1][y] + img[x+1][y]; done done
for x = 1 to N + 2 do for y = 0 to 9 do h[x][y] = t[2*x-1][y] + t[2*x][y]; done done
for x = 0 to 2*N - 1 do for y = 0 to 9 do out[x][y] = h[x/2 + 1][y] + h[x/2 + 2][y]; done done
""".replace("C", "[10]")


def kept(derivation):
    return {s.array: s.rows.height for s in derivation.steps if isinstance(s, Windowed)}


def said(derivation, kind):
    return [str(s) for s in derivation.steps if isinstance(s, kind)]


def test_rows_are_computed_just_before_they_are_read():
    d = row_windows(pn.parse(BLUR), rows=8, together=1)
    (strips,) = (s for s in d.steps if isinstance(s, InStrips))
    assert (strips.parallel, strips.height) == (True, 8)
    rows = strips.rows["t"]
    assert (rows.subscript, rows.scale, rows.shift, rows.read, rows.needed) == (0, 1, -1, 2, 2)
    assert kept(d) == {"t": 3}
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"
    text = kernel_source(d.result, READERS).text
    assert "(x - 1) % 3" in text
    assert "floord" not in text


def test_a_picture_of_half_the_rows_keeps_pace():
    d = row_windows(pn.parse(HALVED), rows=4, together=1)
    (strips,) = (s for s in d.steps if isinstance(s, InStrips))
    assert {a: r.scale for a, r in strips.rows.items()} == {"t": 1, "h": 2}
    assert pn.equivalent(d.before, d.result)


def test_a_cell_is_mended_afterwards_outside_of_all_loops():
    d = row_windows(pn.parse(BLUR + "\nout[2][1] = 0;"), rows=8)
    assert said(d, InStrips)
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"


@pytest.mark.parametrize("text", [BLUR, HALVED])
def test_rows_that_are_computed_together_share_what_they_read(text):
    """Four of them in one loop, without conditions where all are there; a strip begins with whole
    groups of rows."""
    d = row_windows(pn.parse(text), rows=8)
    (strips,) = (s for s in d.steps if isinstance(s, InStrips))
    assert all(r.together == 4 and r.needed % 4 == 0 for r in strips.rows.values())
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"
    loops = kernel_source(d.result, READERS).text.split("for (int64_t y")
    assert max(loop.count("t[c0]") for loop in loops if "if" not in loop.split("}")[0]) >= 4


def test_propagation_is_told_how_many_rows_run_together():
    scop = pn.parse(BLUR)
    made = pn.propagate(scop, keep="t", windows=8, together=2)
    (strips,) = (s for s in made.steps if isinstance(s, InStrips))
    assert (strips.height, strips.rows["t"].together) == (8, 2)
    script = "propagate keep=t windows=8 together=2"
    assert str(pn.transform(scop, script).result) == str(made.result)
    other = pn.transform(scop, script.replace("=2", "=4")).result
    assert str(other) != str(made.result)


def test_rows_together_fit_into_a_strip():
    d = row_windows(pn.parse(BLUR), rows=6)
    (strips,) = (s for s in d.steps if isinstance(s, InStrips))
    assert strips.rows["t"].together == 2


def test_what_runs_at_the_same_places_runs_in_one_loop():
    text = BLUR.replace("temp float t", "temp float u[N + 4][N + 4], t")
    text = text.replace("t[x][y] = img", "u[x][y] = img[x][y] * 3; t[x][y] = img")
    text = text.replace("t[x+1][y+1]", "t[x+1][y+1] + u[x-1][y] + u[x+1][y]")
    d = row_windows(pn.parse(text), rows=8, together=1)
    assert kept(d) == {"u": 3, "t": 3}
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"
    loops = kernel_source(d.result, READERS).text.split("for (int64_t y")
    assert any("// S0" in x and "// S1" in x for x in loops)


COARSE = """
param N; assume N >= 1;
input float img[16*N + 16]C; temp float h[8*N + 8]C, q[2*N + 1]C, v[8*N + 1]C;
output float out[16*N]C;
for x = 0 to 8*N + 7 do for y = 0 to 9 do h[x][y] = img[2*x][y] + img[2*x + 1][y]; done done
for x = 0 to 2*N do for y = 0 to 9 do q[x][y] = h[4*x][y] + h[4*x + 3][y]; done done
for x = 0 to 8*N do for y = 0 to 9 do v[x][y] = h[x][y] + q[x/4][y]; done done
for x = 0 to 16*N - 1 do for y = 0 to 9 do out[x][y] = v[x/2][y] + v[(x + 1)/2][y]; done done
""".replace("C", "[10]")


def test_coarse_levels_are_computed_whole():
    """A row of q is that of 8 rows of the result: strips of 4 would compute it twice."""
    few, many = (row_windows(pn.parse(COARSE), rows=n) for n in (4, 32))
    assert [s.array for s in few.steps if isinstance(s, ComputedBefore)] == ["h", "q"]
    assert set(kept(few)) == {"v"}
    assert set(kept(many)) == {"h", "q", "v"}
    for d in (few, many):
        assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"


def test_what_is_known_of_the_sizes_counts():
    """Without that N is even, the last row of t would be read that nothing has written."""
    text = BLUR.replace("N >= 1;", "N >= 2 and mod(N, 2) == 0;").replace(
        "for x = 1 to N + 2", "for x = 1 to 2*(N / 2) + 2"
    )
    assert set(kept(row_windows(pn.parse(text), rows=8))) == {"t"}


def test_nothing_is_computed_before_the_strips_that_follows_them():
    """The weights are overwritten when the strips have read them."""
    text = BLUR.replace("input float", "inout float w[N + 4]; input float", 1)
    text = text.replace("t[x][y] +", "t[x][y] * w[y] +") + "for i = 0 to N do w[i] = 0; done"
    d = row_windows(pn.parse(text))
    assert said(d, NotInStrips) == [
        "Nothing is computed in strips: S2 is computed before the strips, and follows S1, which is "
        "not."
    ]
    assert d.result is d.before


def test_groups_of_rows_of_half_a_picture_are_whole():
    text = lower(row_windows(pn.parse(HALVED), rows=8).result, Target(threads=2)).source.text
    loops = [x.split("}")[0] for x in text.split("for (int64_t y")[1:]]
    assert any(x.count("h_row") >= 2 and "if" not in x and "// S1" in x for x in loops)


def test_columns_that_are_read_twice_take_turns():
    text = BLUR.replace("t[x-1][y-1] + t[x][y] + t[x+1][y+1]", "t[x-1][y/2] + t[x+1][(y + 1)/2]")
    d = row_windows(pn.parse(text), rows=8)
    assert set(kept(d)) == {"t"}
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"
    text = lower(d.result, Target(threads=2)).source.text
    assert not any(x in text for x in ("[y / 2]", "[(y + 1) / 2]"))


def test_even_and_odd_columns_are_written_in_one_loop():
    """Each alone leaves every other cell of a line for a second pass (pyramid blending: 1.3 times
    as fast as written, and 1.4 in one loop)."""
    one = "out[x][y] = t[x-1][y-1] + t[x][y] + t[x+1][y+1];"
    even, odd = one.replace("+ t[x][y]", "+ t[x][y/2]"), one.replace("+ t[x][y]", "- t[x][y/2]")
    text = BLUR.replace(one, f"if mod(y, 2) == 0 then even: {even} else odd: {odd} fi")
    d = row_windows(pn.parse(text), rows=8, together=1)
    assert set(kept(d)) == {"t"}
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"
    assert pn.equivalent(d.before, d.result)
    loops = kernel_source(d.result, READERS).text.split("for (int64_t t")
    assert any("// even" in x and "// odd" in x for x in loops)


def test_rows_are_looked_up_in_front_of_the_loop():
    text = lower(row_windows(pn.parse(BLUR), rows=8).result, Target(threads=2)).source.text
    assert "float *const t_row_5 = t[(x + 1) % 6];" in text
    vectors = [loop.split("}")[0] for loop in text.split("for (int64_t y")[1:]]
    assert not any("%" in loop for loop in vectors if "if" not in loop)


def test_each_thread_has_a_window_of_its_own():
    d = row_windows(pn.parse(BLUR), rows=8, together=1)
    text = lower(d.result, Target(threads=2)).source.text
    assert "float t[restrict 3][N + 4]" in text  # no strip among its subscripts
    assert "t + this_thread() * (3)" in text
    assert "nthreads > 1 ? nthreads : 1, 3, N + 4}" in text
    assert "this_thread" not in lower(d.result, Target(threads=1)).source.text


def test_a_border_s_own_loop_is_no_obstacle():
    border = "for y = 0 to N + 3 do t[0][y] = 0; done for y = 0 to N + 3 do t[N+3][y] = 1; done"
    text = BLUR.replace("for x = 1 to N + 2", f"{border} for x = 1 to N + 2", 1)
    text = text.replace("for x = 2 to N + 1 do for y = 1", "for x = 1 to N + 2 do for y = 1")
    d = row_windows(pn.parse(text), rows=3)
    assert kept(d) == {"t": 3}
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"


@pytest.mark.parametrize(
    ("changed", "to", "why"),
    [
        ("t[x][y] = img", "t[x][y] = t[x-1][y] + img", "its values are computed from each other"),
        ("t[x-1][y-1]", "t[y][x]", "its rows do not keep pace with those of the results"),
        ("t[x-1][y-1]", "t[2*N + 3 - x - N][y-1]", "its rows do not keep pace"),
        ("for x = 1 to N + 2", "for x = 2 to N + 2", "cells of it are read that nothing has"),
    ],
)
def test_what_does_not_keep_pace_is_computed_before(changed, to, why):
    d = row_windows(pn.parse(BLUR.replace(changed, to, 1)))
    assert why in said(d, ComputedBefore)[0]
    assert said(d, NotInStrips) == [
        "Nothing is computed in strips: no temporary keeps pace with the results."
    ]
    assert d.result is d.before


@pytest.mark.parametrize("wrong", ["height", "needed", "shift"])
def test_a_plan_that_is_wrong_is_refused(monkeypatch, wrong):
    """What is planned is not believed: orders are checked, and when rows that share a place are
    accessed."""

    def planned(dependences, height, together):
        (plan,) = all_planned(dependences, height, together)
        rows = plan.rows["t"]
        other = {
            "height": replace(rows, read=rows.read - 1),
            "needed": replace(rows, needed=rows.needed - 1),
            "shift": replace(rows, shift=rows.shift + 1),
        }[wrong]
        return (replace(plan, rows={**plan.rows, "t": other}),)

    all_planned = algorithm.all_planned
    monkeypatch.setattr(algorithm, "all_planned", planned)
    d = row_windows(pn.parse(BLUR), rows=4, together=1)
    assert said(d, NotInStrips)
    assert d.result is d.before


def test_a_budget_that_is_used_up_leaves_the_program_as_it_is():
    d = row_windows(pn.parse(BLUR), max_operations=1_000)
    assert said(d, NotInStrips) == [
        "Nothing is computed in strips: the analysis used up its 1000 operations."
    ]
    assert d.result is d.before


def test_strips_that_read_what_the_next_one_overwrites_run_one_after_the_other():
    text = BLUR.replace("output", "inout").replace("out[x][y] =", "out[x][y] = out[x+1][y] +")
    d = row_windows(pn.parse(text), rows=3)
    (strips,) = (s for s in d.steps if isinstance(s, InStrips))
    assert not strips.parallel
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"


def test_what_is_cheap_is_propagated_and_the_rest_is_kept_in_windows():
    d = pn.propagate(pn.gallery.load("unsharp_mask"), windows=True)
    assert kept(d) == {"blurx": 4}
    assert set(d.result.temporaries) == {"blurx"}
    assert d.why("blurx").endswith("blurx is a window of 4 rows: no more are needed at a time.")


def test_rows_that_are_two_at_a_time_are_written_out_without_conditions():
    """Steps of two rows are full where every other row is there: no more are to come."""
    text = """
    param N; assume N >= 20; temp t;
    for i = 0 to N do for j = 0 to N do t[2*i][j] = A[i][j] * 2.0; t[2*i+1][j] = A[i][j]; done done
    for i = 1 to N-1 do for j = 0 to N do B[i][j] = t[2*i-1][j] + t[2*i+1][j]; done done
    """
    program = pn.parse(str(pn.propagate(pn.parse(text), windows=True, keep=["t"]).result)).program
    loops = [s for s in every(program.body) if isinstance(s, For) and s.step == 2]
    assert any(not any(isinstance(x, If) for x in every(s.body)) for s in loops)


@pytest.mark.long
def test_each_step_turns_the_program_into_what_it_is_by_then():
    found = trace(pn.propagate(pn.gallery.load("unsharp_mask"), windows=8))
    strips, window = (f for f in found["steps"] if f["kind"] in ("InStrips", "Windowed"))
    before, own, rows = (
        "".join(str(line) for line in found["programs"][k]["lines"])
        for k in (strips["program"], strips["other"], window["other"])
    )
    assert "c0" not in before
    assert "blurx[c0][c][x][y]" in own
    assert "blurx[c0][c][mod(x,4)][y]" in rows


@pytest.mark.long
def test_kernels_compute_the_same_bits_at_all_sizes():
    naive = pn.gallery.load("unsharp_mask")
    kernels = [pn.compile(p) for p in (naive, pn.propagate(naive, windows=8))]
    for R in (1, 2, 3, 31, 32, 33, 67):
        img = np.random.default_rng(R).random((3, R + 4, 14), dtype=np.float32)
        first, second = (k(R=R, C=10, img=img, weight=3.0, threshold=0.01) for k in kernels)
        inside = np.s_[:, 2 : R + 2, 2:12]
        assert np.array_equal(first["mask"][inside], second["mask"][inside]), R


def test_where_nothing_is_computed_in_strips_propagation_goes_on_as_without_windows():
    """The bilateral grid keeps arrays for windows, which its histogram does not allow."""
    scop = pn.gallery.load("bilateral_grid")
    tried, default = pn.propagate(scop, windows=True), pn.propagate(scop)
    assert said(tried, NotInStrips)
    assert str(tried.result) == str(default.result)
    assert set(default.result.temporaries) < set(scop.temporaries)


BEFORE = """
param N; assume N >= 1;
input float img[16*N + 17][N + 9]; temp float w[16*N + 17][N], h[8*N + 8][N], q[2*N + 1][N];
temp float v[8*N + 1][N]; output float out[16*N][N];
for x = 0 to 16*N + 15 do for y = 0 to N - 1 do w[x][y] = img[x][y] + 2 * img[x+1][y+9]; done done
for x = 0 to 8*N + 7 do for y = 0 to N - 1 do h[x][y] = w[2*x][y] + w[2*x + 1][y]; done done
for x = 0 to 2*N do for y = 0 to N - 1 do q[x][y] = h[4*x][y] + h[4*x + 3][y]; done done
for x = 0 to 8*N do for y = 0 to N - 1 do v[x][y] = h[x][y] + q[x/4][y]; done done
for x = 0 to 16*N - 1 do for y = 0 to N - 1 do out[x][y] = v[x/2][y] + v[(x + 1)/2][y]; done done
"""


@pytest.mark.long
def test_what_is_computed_before_is_a_pipeline_too():
    """All of w went through memory, only to be read by h."""
    d = row_windows(pn.parse(BEFORE), rows=4, together=1)
    assert kept(d) == {"v": 2, "w": 2}
    assert [s.array for s in d.steps if isinstance(s, ComputedBefore)] == ["h", "q"]
    assert said(d, InStrips)[1].startswith("h is computed in strips of 4 rows, in parallel, with")
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"
    kernels = [pn.compile(p) for p in (d.before, d.result)]
    for n in (1, 2, 3, 8):
        img = np.random.default_rng(n).random((16 * n + 17, n + 9), dtype=np.float32)
        first, second = (k(N=n, img=img)["out"] for k in kernels)
        assert np.array_equal(first, second), n


def test_its_rows_are_counted_without_what_is_computed_before_it():
    """Those of u would be two at a time if each stood for two of h, which is there by then."""
    text = BEFORE.replace("q[2*N + 1][N];", "q[2*N + 1][N], u[4*N + 4][N];")
    halved = "for x = 0 to 4*N + 3 do for y = 0 to N - 1 do u[x][y] = h[2*x][y] + h[2*x+1][y]; "
    text = text.replace("for x = 0 to 2*N do", f"{halved}done done\nfor x = 0 to 2*N do")
    text = text.replace("h[4*x][y] + h[4*x + 3][y]", "u[2*x][y] + u[2*x + 1][y]")
    d = row_windows(pn.parse(text), rows=4)
    strips = [s for s in d.steps if isinstance(s, InStrips)]
    assert [s.results for s in strips] == [(), ("q",), ("h",)]
    assert [r.together // r.scale for s in strips[1:] for r in s.rows.values()] == [4, 4]
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"


def test_pictures_that_stay_in_a_cache_need_no_strips_before():
    few = BEFORE.replace("[N]", "[2]").replace("y = 0 to N - 1", "y = 0 to 1")
    assert set(kept(row_windows(pn.parse(few), rows=4))) == {"v"}


def test_strips_before_do_not_overwrite_what_is_read_after_them_now():
    """q waits for h, and then the old h is there no more: nothing runs in strips before."""
    text = BEFORE.replace("input float img", "inout float h[8*N + 8][N]; input float img")
    text = text.replace("h[8*N + 8][N], q", "p[8*N + 8][N], q").replace(
        "h[4*x][y] +", "p[4*x][y] +"
    )
    old = "for x = 0 to 8*N + 7 do for y = 0 to N - 1 do p[x][y] = h[x][y]; done done\n"
    text = text.replace("for x = 0 to 16*N + 15", f"{old}for x = 0 to 16*N + 15", 1)
    d = row_windows(pn.parse(text), rows=4)
    assert set(kept(d)) == {"v"}
    assert str(pn.prove(d.before, d.result)) == "the same: proved for every N"


def test_strips_before_are_checked_with_what_is_read_of_them_afterwards():
    """The last value of h counts there, though h is a temporary."""
    scop = pn.parse(BEFORE)
    part = algorithm._only(scop, [s.name for s in scop.statements if s.write.array in ("w", "h")])
    assert {n for n, a in part.arrays.items() if a.live_out} >= {"h"}
    assert not part.arrays["w"].live_out


BORDER_FIRST = """param N; assume N >= 2;
input float img[N+2][N+2]; temp float t[N+1][N+1]; output float out[N+1][N+1];
for x = 0 to N do out[0][x] = 0; done
for y = 0 to N do for x = 0 to N do t[y][x] = img[y][x] + img[y+1][x+1]; done done
for y = 1 to N do for x = 0 to N do out[y][x] = t[y-1][x] + t[y][x]; done done"""


def test_a_result_whose_border_is_first_keeps_pace():
    program = pn.parse(BORDER_FIRST)
    d = row_windows(program, rows=8)
    assert [s.array for s in d.steps if isinstance(s, Windowed)] == ["t"]
    assert str(pn.prove(program, d.result)).startswith("the same: proved")
