"""How loops run: parallel and vector loops carry no dependence, and reach the C."""

from dataclasses import replace

import numpy as np
import pytest

import polynb as pn
from polynb import transform
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent
from polynb.schedules import permutable_bands, privatize, tile
from polynb.schedules.bands import all_bands, with_schedule
from polynb.scop.parsing import parse
from polynb.scop.schedule import Mark, Private

ROWS = """param N; assume N >= 0; inout double A[N+2][N+2];
for i = 1 to N do for j = 1 to N do A[i][j] = A[i-1][j] * 0.5 + A[i][j]; done done
"""
COPY = """param N; assume N >= 0; input double A[N+1]; output double B[N+1]; temp double t;
for i = 0 to N do
  t = A[i] * 2.0;
  B[i] = t * t;
done
"""


def test_a_loop_that_carries_nothing_may_run_as_one_likes():
    scop = transform(parse(ROWS)).vectorize("j").result
    assert "#pragma omp simd" in scop.to_c()
    assert "#pragma omp parallel for" in transform(parse(ROWS)).parallel("j").result.to_c()
    assert equivalent(parse(ROWS), scop, N=[0, 1, 5])


@pytest.mark.parametrize(
    ("move", "how"), [("parallel", "in parallel"), ("vectorize", "in vectors")]
)
def test_a_loop_that_carries_a_dependence_may_not(move, how):
    with pytest.raises(PolynbError, match=f"`{move} i` is illegal") as error:
        getattr(transform(parse(ROWS)), move)("i").result  # noqa: B018
    assert error.value.reason == (
        f"i cannot run {how}: S0(2, 1) depends on S0(1, 1) through A, in another iteration, N = 2"
    )


def test_an_inner_loop_is_judged_within_the_loops_around():
    diagonal = parse(ROWS.replace("A[i-1][j]", "A[i-1][j-1]"))
    both = transform(permutable_bands(diagonal))
    assert both.parallel("j").result.schedule.kinds == ("sequential", "parallel")
    assert not both.parallel("i").legal


def test_private_temporaries_are_no_obstacle():
    chain = transform(parse(COPY)).parallel("i")
    assert not chain.legal
    assert "`privatize t` first" in chain.steps[-1].way_out
    for move in ("parallel", "vectorize"):
        text = getattr(transform(privatize(parse(COPY))), move)("i").result.to_c()
        assert "private(t)" in text


def test_a_wrong_private_mark_is_an_obstacle():
    kept = parse(COPY.replace("B[i] = t * t;", "").replace("t = A", "t = t + A"))
    nest = kept.schedule
    scop = with_schedule(kept, replace(nest, child=Mark(Private(("t",)), nest.child)))
    assert not transform(scop).parallel("i").legal


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.usefixtures("gcc")
def test_vector_loops_reach_the_compiler_with_openmp_and_without(threads):
    scop = transform(privatize(parse(COPY))).vectorize("i").result
    k = pn.compile(scop, threads=threads, compiler="gcc")
    assert "#pragma omp simd private(t)" in k.source
    assert ("OPENMP_SIMD" in " ".join(k.flags)) == ("-fopenmp" not in k.flags)
    a = np.random.default_rng(0).random(1001)
    assert np.array_equal(k(A=a, N=1000).B, pn.compile(parse(COPY), threads=1)(A=a, N=1000).B)


@pytest.mark.usefixtures("openmp")
def test_loops_around_a_vector_loop_run_in_parallel_and_those_inside_do_not():
    text = """param N; output double A[N+1][N+1];
    for i = 0 to N do for j = 0 to N do A[i][j] = 1; done done"""
    outer = pn.compile(transform(parse(text)).vectorize("i").result, threads=2)
    assert [x.parallel for x in outer.loops] == [False, False]
    assert outer.loops[1].why == "as it is inside a loop that runs in vectors"
    inner = pn.compile(transform(parse(text)).vectorize("j").result, threads=2)
    assert inner.loops[0].parallel
    assert "omp simd" in inner.source


@pytest.mark.usefixtures("openmp")
def test_a_parallel_loop_that_was_asked_for_stays_the_only_one():
    text = """param N; output double A[N+1][N+1];
    for i = 0 to N do for j = 0 to N do A[i][j] = 1; done done"""
    k = pn.compile(transform(parse(text)).parallel("j").result, threads=2)
    assert [x.parallel for x in k.loops] == [False, True]
    assert k.loops[0].why == "as a loop inside is parallel"
    assert k.source.count("omp parallel") == 1


def test_loops_in_one_another():
    scop = parse(ROWS.replace("A[i-1][j] * 0.5 +", "2.0 *"))
    for nested in (permutable_bands(scop), scop):
        chain = transform(nested)
        both = chain.parallel("i").vectorize("j").result
        assert [x.kind for b in all_bands(both.schedule) for x in b.loops] == ["parallel", "vector"]
        for outer, inner, said in [
            ("parallel", "parallel", "a parallel loop cannot be inside a parallel loop"),
            ("vectorize", "vectorize", "a vector loop cannot be inside a vector loop"),
            ("vectorize", "parallel", "a parallel loop cannot be inside a vector loop"),
        ]:
            with pytest.raises(PolynbError, match=said):
                getattr(getattr(chain, outer)("i"), inner)("j")


def test_unrolled_point_loops():
    scop = tile(permutable_bands(parse(ROWS)), (1, 4), separate=True)
    unrolled = transform(scop).unroll("j").result
    assert all(f"A[i][j+{k}] = " in str(unrolled) for k in (1, 2, 3))
    assert equivalent(parse(ROWS), parse(str(unrolled)), N=[0, 3, 4, 9])
    with pytest.raises(PolynbError, match=r"loop j of band 1 .* cannot be unrolled") as error:
        transform(parse(ROWS)).unroll("j")
    assert "as many iterations as the parameters say" in error.value.reason
