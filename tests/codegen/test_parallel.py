"""The outermost loop without carried dependences is parallel."""

from dataclasses import dataclass, replace

import islpy
import numpy as np

from polynb.codegen.kernel import kernel_source
from polynb.codegen.parallel import mark_parallel
from polynb.dependences import analyze
from polynb.scop.build import build
from polynb.scop.schedule import Band, Leaf, walk


@dataclass(frozen=True)
class Given:
    raw: islpy.UnionMap
    war: islpy.UnionMap
    waw: islpy.UnionMap


def given(raw="{ }", war="{ }", waw="{ }"):
    return Given(islpy.UnionMap(raw), islpy.UnionMap(war), islpy.UnionMap(waw))


def kinds(scop):
    return [b.loops for b in walk(scop.schedule) if isinstance(b, Band)]


def square(make):
    i, j, n, a = make.it("i"), make.it("j"), make.par("N"), make.arr("A")
    nest = make.loop(i, 1, n, make.loop(j, 1, n, make.assign(a[i, j], 1.0, "S")))
    return make.scop("N", nest, assume=[n >= 3])


def test_without_dependences_the_outermost_loop_is_parallel(make):
    assert kinds(mark_parallel(square(make), given())) == [("parallel",), ("sequential",)]


def test_a_dependence_of_the_outer_loop_leaves_the_inner_one(make):
    outer = given(raw="{ S[i, j] -> S[i + 1, j + 1] }")
    assert kinds(mark_parallel(square(make), outer)) == [("sequential",), ("parallel",)]


def test_each_kind_of_dependence_counts(make):
    for kind in ("raw", "war", "waw"):
        both = given(**{kind: "{ S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }"})
        assert kinds(mark_parallel(square(make), both)) == [("sequential",), ("sequential",)]


def test_a_dependence_inside_an_iteration_is_no_obstacle(make):
    inner = given(raw="{ S[i, j] -> S[i, j + 1] }", war="{ S[i, j] -> S[i, j] }")
    assert kinds(mark_parallel(square(make), inner)) == [("parallel",), ("sequential",)]


def test_dependences_outside_the_assumptions_do_not_count(make):
    never = given(raw="[N] -> { S[i, j] -> S[i + 1, j] : N = 2 }")
    assert kinds(mark_parallel(square(make), never)) == [("parallel",), ("sequential",)]


def test_members_of_one_band_are_loops_one_after_the_other(make):
    scop = square(make)
    band = Band(
        {"S": islpy.Map("{ S[i, j] -> [0, i, j] }")},
        Leaf(),
        coincident=(False,) * 3,
        loops=("sequential",) * 3,
    )
    scop = replace(scop, schedule=band)
    outer = given(waw="{ S[i, j] -> S[i + 1, j] }")
    assert kinds(mark_parallel(scop, outer)) == [("sequential", "sequential", "parallel")]
    # The first member has a single value: running it in parallel would be no gain.
    assert kinds(mark_parallel(scop, given())) == [("sequential", "parallel", "sequential")]


def test_a_loop_that_is_parallel_already_stays_the_only_one(make):
    scop = square(make)
    scop = replace(scop, schedule=replace(scop.schedule, loops=("parallel",)))
    assert kinds(mark_parallel(scop, given())) == [("parallel",), ("sequential",)]


def test_figure1_naive(figure1):
    """The scalar s serialises the first loop, the second one is free (CC'18, section 1)."""
    scop = build(figure1)
    marked = mark_parallel(scop, analyze(scop))
    assert kinds(marked) == [("sequential",), ("parallel",)]
    assert marked.program is None


def test_parallel_kernels_compute_the_same(make, compiled, direct):
    i, j, n, m = make.it("i"), make.it("j"), make.par("N"), make.par("M")
    a, b, tmp = make.arr("A"), make.arr("B"), make.arr("tmp")
    scop = make.scop(
        "N M",
        make.declare("temp tmp"),
        make.loop(i, 0, n, make.loop(j, 0, m, make.assign(tmp[i, j], a[i, j] * 2.0))),
        make.loop(i, 1, n, make.loop(j, 1, m, make.assign(b[i, j], tmp[i - 1, j] + b[i, j - 1]))),
        assume=[n >= 1, m >= 1],
    )
    marked = mark_parallel(scop, analyze(scop))
    assert kinds(marked) == [("parallel",), ("sequential",), ("parallel",), ("sequential",)]
    source = kernel_source(marked)
    assert source.text.count("#pragma omp parallel for num_threads") == 2
    assert kernel_source(marked, threads=False).text.count("#pragma") == 0
    generator = np.random.default_rng(0)
    memory = {
        "A": generator.random((31, 18)),
        "B": generator.random((31, 18)),
        "tmp": np.zeros((31, 18)),
    }
    expected = direct(scop, {"N": 30, "M": 17}, memory)["B"]
    for flags in (("-fopenmp",), ()):
        for threads in (1, 2, 0):
            result = compiled(source, *flags)({"N": 30, "M": 17}, memory, threads)
            assert np.array_equal(result["B"], expected)
