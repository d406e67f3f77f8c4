"""Loops that have arrays private have all of each run of what is below the marks."""

import re

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.codegen.lower import Target, lower
from polynb.codegen.run_by_run import run_by_run
from polynb.schedules.bands import with_schedule
from polynb.scop.affine_from_isl import enum_name
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Mark, Private, Sequence, member
from polynb.scop.schedule_isl import to_isl
from polynb.windows import row_windows

BORDER = """
param N, M; assume N >= 1 and M >= 1;
input float img[N+4][M+4]; temp float a[N+4][M+4]; output float o[N+4][M+4];
for y = 0 to M do a[0][y] = 2; done
for x = 1 to N do for y = 0 to M do a[x][y] = img[x][y]; done done
for x = 1 to N do for y = 0 to M do o[x][y] = a[x-1][y] + a[x][y]; done done
"""
"""Row 0 is in the first strip's window only."""

COLUMN = """
param N, M; assume N >= 1 and M >= 1;
temp t[N+1][M+1]; output o[N+1][M+1];
for x = 0 to N do t[x][0] = 2; done
for x = 0 to N do for y = 1 to M do t[x][y] = img[x][y]; done done
for x = 0 to N do for y = 0 to M do o[x][y] = t[x][y] + 1; done done
"""
"""Cell by cell, t is one cell."""


def cell_by_cell(outer, inner):
    """COLUMN with a cell of its own for each x and y, which loops of these kinds run over."""
    scop = pn.parse(COLUMN)
    times = {s.name: isl.read_map("{ [x, y] -> [x, y] }") for s in scop.statements}
    times["S0"] = isl.read_map("{ [x] -> [x, 0] }")
    times = {n: m.set_tuple_name(isl.IN, n) for n, m in times.items()}
    tree = Mark(Private(("t",)), Sequence(tuple(Filter({n: None}, Leaf()) for n in times)))
    for k, kind in ((1, inner), (0, outer)):
        tree = Band({n: member(m, k) for n, m in times.items()}, tree, loops=(Loop(kind),))
    return with_schedule(scop, tree)


def text_of(scop, vectors=True):
    return lower(scop, Target(threads=2, vectors=vectors)).source.text


@pytest.mark.parametrize("together", [1, 4])
def test_a_row_of_the_first_strip_is_filled_in_the_loop_that_reads_it(together):
    text = text_of(row_windows(pn.parse(BORDER), rows=8, together=together).result)
    assert "this_thread" in text
    on_several = text[text.index("static void kernel_threads") :]
    assert "// S0" not in on_several[: on_several.index("\n}\n")]


def test_so_it_is_in_the_window_of_the_thread_that_reads_it():
    kernel = pn.compile(row_windows(pn.parse(BORDER), rows=8, together=1), threads=2)
    img = np.ones((1004, 3004), np.float32)
    for _ in range(5):
        o = kernel(N=1000, M=3000, img=img)["o"]
        assert (o[1, :3001] == 3).all()
        assert (o[2:1001, :3001] == 2).all()


def test_a_private_scalar_of_a_vector_is_set_in_the_loop_that_reads_it():
    text = text_of(cell_by_cell("parallel", "vector"), vectors=False)
    loop = re.search(
        r"simd private\(t\)\n#endif\n *for [^\n]*\{\n *if \(y == 0\) \{\n *t = 2;", text
    )
    assert loop, text


@pytest.mark.parametrize("kinds", [("parallel", "vector"), ("vector", "sequential")])
def test_loops_that_have_whole_runs_stay_as_isl_splits_them(kinds):
    """Without conditions in the inner one."""
    body = text_of(cell_by_cell(*kinds)).split("kernel_body")[1].split("\n}\n")[0]
    assert "if (" not in body
    assert "private(t)" in body


def test_whole_runs_stay_parallel():
    d = pn.propagate(pn.gallery.load("harris"), windows=True)
    text = lower(d.result, Target(threads=2)).source.text
    assert "this_thread" in text
    assert "{nthreads > 1 ? nthreads : 1, 6, C + 1}" in text  # of each array as many as threads


NESTED = """
param N, M; assume N >= 1 and M >= 1;
temp a[N+1][M+1], t[N+1][M+1]; output o[N+1][M+1];
for y = 0 to M do a[0][y] = 2; done
for x = 1 to N do for y = 0 to M do a[x][y] = img[x][y]; done done
for x = 0 to N do t[x][0] = a[x][M]; done
for x = 0 to N do for y = 1 to M do t[x][y] = a[x][M-y] + 1; done done
for x = 0 to N do for y = 0 to M do o[x][y] = t[x][y] * 2; done done
"""


def marked(kind, inner):
    """NESTED with rows of `a` private to each x, and of those cells of t to each y."""
    scop = pn.parse(NESTED)
    loops = {"S0": "0, y", "S1": "x, y", "S2": "x, 0", "S3": "x, y", "S4": "x, y"}
    own = {n: ", ".join(s.iterators) for n, s in scop.by_name.items()}
    times = {n: isl.read_map(f"{{ {n}[{own[n]}] -> [{t}] }}") for n, t in loops.items()}

    def band(names, k, how, child):
        return Band({n: member(times[n], k) for n in names}, child, loops=(Loop(how),))

    def sequence(*parts):
        return Sequence(tuple(Filter(dict.fromkeys(n), child) for n, child in parts))

    cells = sequence(*((n, Leaf()) for n in (["S2"], ["S3"], ["S4"])))
    rows = sequence(
        (["S0"], band(["S0"], 1, inner, Leaf())),
        (["S1"], band(["S1"], 1, inner, Leaf())),
        (["S2", "S3", "S4"], band(["S2", "S3", "S4"], 1, inner, Mark(Private(("t",)), cells))),
    )
    tree = band(times, 0, kind, Mark(Private(("a",)), rows))
    return scop, with_schedule(scop, tree)


@pytest.mark.parametrize(
    ("kinds", "pragmas"),
    [
        (("parallel", "sequential"), ["parallel"]),
        (("sequential", "vector"), ["simd", "simd", "simd"]),
        (("parallel", "vector"), []),  # only one of both would have whole runs
    ],
)
def test_marks_inside_of_others(kinds, pragmas):
    scop, nested = marked(*kinds)
    assert re.findall(r"#pragma omp (\w+)", nested.to_c()) == pragmas
    assert pn.equivalent(scop, pn.parse(str(nested)))


def outline(node):
    """A tree of isl's, by the kinds of its nodes, marks by what they say."""
    kind = enum_name(node.get_type())
    inside = [outline(node.child(k)) for k in range(node.n_children())]
    kind = str(node.mark_get_id().get_name()) if kind == "mark" else kind
    return f"{kind}({', '.join(inside)})" if inside else kind


CELLS = "sequence(filter(leaf), filter(leaf), filter(leaf))"
ROWS = f"sequence(filter(band(leaf)), filter(band(leaf)), filter(band(private@t({CELLS}))))"


@pytest.mark.parametrize(("around", "below"), [(0, ROWS), (1, CELLS)])
def test_what_is_below_marks_that_have_so_many_around_is_an_extension(around, below):
    """And all else is as it was."""
    scop, nested = marked("parallel", "sequential")
    schedule = to_isl(nested.schedule, {s.name: s.domain for s in scop.statements})
    before = f"domain(loops@0:parallel(band(private@a({ROWS}))))"
    assert outline(schedule.get_root()) == before
    extension = f"extension(sequence(filter({below}), filter(leaf)))"
    after = run_by_run(schedule, around)
    assert outline(after.get_root()) == before.replace(below, extension)


HALVES = """{domain: "{ S[i, j] : 0 <= i < 9 and 0 <= j < 9 }", child: {sequence: [
  {filter: "{ S[i, j] : i < 5 }", child: {schedule: "[{ S[i, j] -> [(i)] }]",
    child: {mark: "private@t", child: {schedule: "[{ S[i, j] -> [(j)] }]"}}}},
  {filter: "{ S[i, j] : i >= 5 }", child: {schedule: "[{ S[i, j] -> [(j)] }]",
    child: {mark: "private@t", child: {schedule: "[{ S[i, j] -> [(i)] }]"}}}}]}}"""


def test_runs_of_parts_of_a_statement_are_at_the_times_of_their_part():
    """The one has a loop over i, the other over j."""
    after = run_by_run(isl.Schedule(HALVES), 0)
    assert outline(after.get_root()).count("extension") == 2
    runs = {str(x).replace("@run", "R") for x in isl.sets(after.get_domain())}
    assert runs == {"{ R0[i0] : 0 <= i0 <= 4 }", "{ R1[i0] : 0 <= i0 <= 8 }"}
