"""The outermost loop without carried dependences is parallel."""

from dataclasses import dataclass, replace

import islpy
import numpy as np
import pytest

import polynb as pn
from polynb import gallery, isl
from polynb.codegen.lower import Target, kernel_source
from polynb.dependences import analyze
from polynb.dependences.model import Edge
from polynb.errors import PolynbError
from polynb.run.kernel import compile
from polynb.schedules.parallel import choose_loops
from polynb.schedules.privatizing import privatize
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, Leaf, Loop, Mark, walk
from polynb.windows import row_windows


@dataclass(frozen=True)
class Given:
    edges: list[Edge]

    def edges_through(self, arrays):
        return [e for e in self.edges if e.array in arrays]


@pytest.mark.parametrize(("size", "asked"), [("R >= 40", False), ("R = 20", True)])
def test_inside_of_a_loop_that_is_parallel_already_nothing_is_asked(size, asked, monkeypatch):
    """Of the window of a strip; but where there is one strip only, whose loop is none."""
    scop = parse(
        "param R, C; assume R >= 3; assume C >= 40; input a[R][C]; output o[R][C]; temp t[R][C];"
        "for i = 0 to R-1 do for j = 0 to C-1 do t[i][j] = a[i][j] * a[i][C-1-j]; done done\n"
        "for i = 1 to R-2 do for j = 0 to C-1 do o[i][j] = t[i-1][j] + t[i+1][j]; done done"
    )
    scop = row_windows(scop, rows=32).result
    sizes = isl.read_set(f"[R, C] -> {{ : {size} }}")
    scop = replace(scop, context=scop.context.intersect(sizes))
    assert scop.arrays["t"].dimensions == 3
    every, seen = analyze(scop), []
    monkeypatch.setattr(type(every), "flow", lambda self, name: seen.append(name) or flow(name))
    flow = {a: every._flow(a) for a in scop.arrays}.__getitem__
    tree, verdicts = choose_loops(scop, every)
    assert ("t" in seen) is asked
    monkeypatch.setattr("polynb.schedules.parallel._settled", lambda scop: set())
    with_all, expected = choose_loops(scop, every)
    assert verdicts == expected
    assert loops_of(tree) == loops_of(with_all)


def loops_of(scop):
    return [
        x.kinds if isinstance(x, Band) else str(x)
        for x in walk(scop.schedule)
        if isinstance(x, Band | Mark)
    ]


def given(**kinds):
    """Dependences of S on itself, by kind."""
    found = []
    for kind, text in kinds.items():
        for m in isl.maps(islpy.UnionMap(text)):
            found.append(Edge(kind, "A", "S", "S", m))
    return Given(found)


def kinds(scop):
    return [b.kinds for b in walk(scop.schedule) if isinstance(b, Band)]


SQUARE = """
param N; assume N >= 3;
for i = 1 to N do for j = 1 to N do
  A[i][j] = 1.0;  // S
done done
"""


def test_without_dependences_the_outermost_loop_is_parallel():
    assert kinds(choose_loops(parse(SQUARE), given(), choice="outermost")[0]) == [
        ("parallel",),
        ("sequential",),
    ]


def test_a_dependence_of_the_outer_loop_leaves_the_inner_one():
    outer = given(raw="{ S[i, j] -> S[i + 1, j + 1] }")
    assert kinds(choose_loops(parse(SQUARE), outer, choice="outermost")[0]) == [
        ("sequential",),
        ("parallel",),
    ]


def test_each_kind_of_dependence_counts():
    for kind in ("raw", "war", "waw"):
        both = given(**{kind: "{ S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }"})
        assert kinds(choose_loops(parse(SQUARE), both, choice="outermost")[0]) == [
            ("sequential",),
            ("sequential",),
        ]


def test_a_dependence_inside_an_iteration_is_no_obstacle():
    inner = given(raw="{ S[i, j] -> S[i, j + 1] }", war="{ S[i, j] -> S[i, j] }")
    assert kinds(choose_loops(parse(SQUARE), inner, choice="outermost")[0]) == [
        ("parallel",),
        ("sequential",),
    ]


def test_dependences_outside_the_assumptions_do_not_count():
    never = given(raw="[N] -> { S[i, j] -> S[i + 1, j] : N = 2 }")
    assert kinds(choose_loops(parse(SQUARE), never, choice="outermost")[0]) == [
        ("parallel",),
        ("sequential",),
    ]


def test_members_of_one_band_are_loops_one_after_the_other():
    scop = parse(SQUARE)
    band = Band(
        {"S": islpy.Map("{ S[i, j] -> [0, i, j] }")},
        Leaf(),
        loops=(Loop(),) * 3,
    )
    scop = replace(scop, schedule=band)
    outer = given(waw="{ S[i, j] -> S[i + 1, j] }")
    assert kinds(choose_loops(scop, outer, choice="outermost")[0]) == [
        ("sequential", "sequential", "parallel")
    ]
    # The first member has a single value: running it in parallel would be no gain.
    assert kinds(choose_loops(scop, given(), choice="outermost")[0]) == [
        ("sequential", "parallel", "sequential")
    ]


def test_a_loop_that_is_parallel_already_stays_the_only_one():
    scop = parse(SQUARE)
    scop = replace(scop, schedule=replace(scop.schedule, loops=(Loop("parallel"),)))
    assert kinds(choose_loops(scop, given(), choice="outermost")[0]) == [
        ("parallel",),
        ("sequential",),
    ]


def test_figure1_naive():
    """The scalar s serialises the first loop, the second one is free (CC'18, section 1)."""
    scop = gallery.load("fig1")
    marked = choose_loops(scop, analyze(scop), choice="outermost")[0]
    assert kinds(marked) == [("sequential",), ("parallel",)]
    assert marked.program is None


def test_parallel_kernels_compute_the_same():
    scop = parse("""
    param N, M; assume N >= 1; assume M >= 1; input A; inout B; temp tmp;
    for i = 0 to N do for j = 0 to M do tmp[i][j] = A[i][j] * 2.0; done done
    for i = 1 to N do for j = 1 to M do B[i][j] = tmp[i-1][j] + B[i][j-1]; done done
    """)
    marked = choose_loops(scop, analyze(scop), choice="outermost")[0]
    assert kinds(marked) == [("parallel",), ("sequential",), ("parallel",), ("sequential",)]
    assert kernel_source(marked).text.count("#pragma omp parallel for num_threads") == 2
    assert kernel_source(marked, Target(threads=1)).text.count("#pragma") == 0
    a, b = np.random.default_rng(0).random((2, 31, 18))
    expected = b.copy()
    for j in range(1, 18):
        expected[1:, j] = a[:-1, j] * 2.0 + expected[1:, j - 1]
    for threads in (1, 2, 3):
        kernel = compile(marked, threads=threads, parallel="outermost")
        assert np.array_equal(kernel(N=30, M=17, A=a, B=b)["B"], expected)


# -- which one (CC'18, section 5.2) ------------------------------------------------------------


CHANNELS = """
param R, C;
for c = 0 to 2 do for x = 1 to R do for y = 1 to C do
  B[c][x][y] = A[c][x][y] + 1.0;
done done done
"""


def choose(text, **options):
    scop = parse(text, "scop")
    return choose_loops(scop, analyze(scop), **options)


def parallel(text, **options):
    return [v.name for v in choose(text, **options)[1] if v.parallel]


def test_three_channels_on_two_threads_run_by_rows():
    assert parallel(CHANNELS, threads=2) == ["x"]
    assert parallel(CHANNELS, threads=3) == ["c"]
    assert parallel(CHANNELS, threads=2, choice="outermost") == ["c"]
    assert parallel(CHANNELS, threads=2, choice="trip-count") == ["x"]
    paper, _ = choose(CHANNELS, threads=2, choice="trip-count")
    assert kinds(paper) == [("sequential",), ("parallel",), ("sequential",)]
    assert parallel(CHANNELS, threads=2, choice="none") == []
    marked, (channels, rows) = choose(CHANNELS, threads=2)
    assert kinds(marked) == [("collapsed",), ("parallel",), ("sequential",)]
    assert (channels.trips, channels.possible, rows.trips) == (3, True, None)
    assert str(channels) == (
        "c (3 iterations): sequential, too few for 2 threads, which are busier with a loop "
        "inside, collapsed with the loop inside where both form a rectangle"
    )


def test_a_loop_of_few_iterations_is_collapsed_with_the_one_inside():
    marked, (channels, rows) = choose(CHANNELS.replace("c = 0 to 2", "c = 0 to 1"), threads=2)
    assert kinds(marked) == [("parallel",), ("collapsed",), ("sequential",)]
    assert (channels.parallel, rows.parallel) == (True, False)
    assert channels.why.endswith("collapsed with the loop inside where both form a rectangle")
    assert rows.why == "collapsed with the loop outside where both form a rectangle"
    many, verdicts = choose(CHANNELS.replace("c = 0 to 2", "c = 0 to 15"), threads=2)
    assert kinds(many) == [("parallel",), ("sequential",), ("sequential",)]
    assert [v.why for v in verdicts] == ["as it carries no dependence"]


def test_a_loop_is_not_collapsed_across_one_that_carries_a_dependence():
    between = """
    param N;
    for c = 0 to 1 do for t = 1 to N do for x = 0 to N do for y = 0 to N do
      A[c][t][x][y] = A[c][t-1][x][y];
    done done done done
    """
    marked, verdicts = choose(between, threads=2)
    assert [v.name for v in verdicts if v.parallel] == ["c"]
    assert not any("collapsed" in kind for kind in kinds(marked))


@pytest.mark.usefixtures("openmp")
@pytest.mark.parametrize(
    ("choice", "schedule"),
    [("balanced", "guided"), ("trip-count", "static"), ("outermost", "static")],
)
def test_how_iterations_are_shared_out(choice, schedule):
    source = compile(parse(CHANNELS), threads=2, parallel=choice).source
    assert [f"schedule({schedule})" in x for x in source.splitlines() if "#pragma" in x] == [True]


@pytest.mark.usefixtures("openmp")
@pytest.mark.parametrize("channels", [2, 3])
def test_a_collapsed_kernel_computes_the_same(channels):
    text = """
    param N; input double A[4][N][N]; output double B[4][N][N];
    for c = 0 to M do
      for x = 0 to N-1 do for y = 0 to N-1 do B[c][x][y] = 2 * A[c][x][y]; done done
    done
    """
    kernel = compile(parse(text.replace("M", str(channels - 1))), threads=2)
    pragmas = [line for line in kernel.source.splitlines() if "#pragma" in line]
    assert ["collapse(2)" in line for line in pragmas] == [True]
    a = np.random.default_rng(0).random((4, 37, 37))
    b = kernel(A=a, N=37)["B"]
    assert np.array_equal(b[:channels], 2 * a[:channels])
    assert not b[channels:].any()


def test_only_a_loop_that_is_all_of_another_is_collapsed_with_it():
    both = """
    param N;
    for c = 0 to 1 do
      for x = 1 to N do A[c][x] = 1.0; done
      for x = 1 to N do for y = 0 to N do B[c][x][y] = A[c][x]; done done
    done
    """
    marked, _ = choose(both, threads=2)
    assert kinds(marked)[0] == ("parallel",)
    assert not any("collapsed" in k for k in kinds(marked))


def test_sizes_say_how_often_a_loop_runs():
    assert parallel(CHANNELS, threads=8, sizes={"R": 3, "C": 800}) == ["y"]
    assert parallel(CHANNELS, threads=8, sizes={"R": 3, "C": 2}) == ["c"]
    _, (_, rows, columns) = choose(CHANNELS, threads=8, sizes={"R": 3, "C": 800})
    assert (rows.trips, columns.trips) == (3, 800)


def test_the_context_bounds_iterations():
    few = CHANNELS.replace("param R, C;", "param R, C; assume R <= 4;")
    assert parallel(few, threads=16) == ["y"]


def test_every_nest_inside_counts():
    both = """
    param N;
    for c = 0 to 2 do
      for x = 1 to N do A[c][x] = 1.0; done
      B[c][0] = 0.0;
      for x = 1 to N do B[c][x] = B[c][x-1] + A[c][x]; done
    done
    """
    assert parallel(both, threads=2) == ["c"]  # the last nest would run on one thread
    _, verdicts = choose(both.replace("B[c][x]", "B[0][x]").replace("B[c]", "B[0]"), threads=2)
    assert [v.name for v in verdicts if v.parallel] == ["x"]
    assert verdicts[0].why.endswith("through B")


def test_strided_and_skewed_loops_are_counted():
    text = "param N; for i = 0 to 6 by 3 do for j = i to i+4 do A[i][j] = 1.0; done done"
    assert [v.trips for v in choose(text, choice="none")[1]] == [3, 5]


def test_writes_that_data_places_are_parallel_where_the_user_declares_it():
    text = "param N; input int32 p[N+1]; for i = 0 to N do A[p[i]] = B[i]; done"
    assert parallel(text) == []
    assert parallel(text, independent=["A"]) == ["i"]
    # What the declaration does not cover still stops the loop.
    histogram = text.replace("= B[i]", "= A[p[i]] + B[i]")
    assert parallel(histogram, independent=["A"]) == []
    with pytest.raises(PolynbError, match="no array 'C'"):
        parallel(text, independent=["C"])
    with pytest.raises(PolynbError, match="parallel='inner'"):
        parallel(text, choice="inner")


# -- why not -----------------------------------------------------------------------------------


PRIVATE = """
param N; temp t[16];
for i = 0 to N do
  for j = 0 to 15 do t[j] = A[i][j]; done
  for k = 0 to N do for l = 0 to 15 do B[i][k][l] = t[l] + k; done done
done
"""


def whys(scop, **options):
    return {v.name: v.why for v in choose_loops(scop, analyze(scop), **options)[1]}


def test_each_loop_has_its_reason():
    scop = privatize(parse(PRIVATE), ["t"])
    assert whys(scop) == {"i": "as it carries no dependence"}
    assert set(whys(scop, choice="none").values()) == {"none is asked for"}
    shared = parse(PRIVATE)
    assert whys(shared)["i"] == "as S0 depends on S1 through t"
    assert whys(shared)["j"] == "as it has too little work, again and again, to wake threads for"
    vector = "as it is inside a loop that runs in vectors"
    assert whys(pn.transform(scop).vectorize("i").result) == {
        "i": "as the schedule says",
        **dict.fromkeys("jkl", vector),
    }


def test_no_loop_around_a_parallel_one_is_parallel_even_if_it_is_large():
    """The loop along k, inside the mark, was, as it may be large."""
    scop = pn.transform(privatize(parse(PRIVATE), ["t"])).parallel("l").result
    marked, verdicts = choose_loops(scop, analyze(scop))
    assert [v.name for v in verdicts if v.parallel] == ["l"]
    assert kinds(marked)[2:] == [("sequential",), ("parallel",)]
    why = {v.name: v.why for v in verdicts}
    assert why["k"] == "as a loop inside is parallel"
    assert why["j"] == "as it is too small: a part of an iteration with temporaries of its own"
