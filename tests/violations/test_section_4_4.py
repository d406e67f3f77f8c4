"""The paper's example (section 4.4): matrix multiplication after PRE, interchanged."""

import pytest

import polynb as pn
from polynb import isl
from polynb.legality import memory_based
from polynb.run.oracle import equivalent
from polynb.violations import array_dataflow, images, intervals, violated_ranges

from .pre import INTERCHANGED, ORIGINAL, distributed, k_outermost

PHI = "phi_out_of_ssa"
S1_S2 = "[N] -> { S1[i,j] -> S2[i,j,0] : 0 <= i < N and 0 <= j < N }"
S6_S2 = "[N] -> { S6[i,j,k] -> S2[i,j,k+1] : 0 <= i < N and 0 <= j < N and 0 <= k < N - 1 }"


@pytest.fixture(scope="module")
def scop():
    return pn.gallery.load("matmul_pre")


def test_theta(scop):
    """The order of the text is the paper's, and S1, S2 and S6 have its times."""
    for statement in scop.statements:
        assert statement.schedule.dim(isl.OUT) == 5
    assert not pn.check(scop, ORIGINAL).ignored
    assert pn.check(scop, ORIGINAL)
    for time in ("S1[i,j] -> [0,i,0,j,0", "S2[i,j,k] -> [0,i,0,j,1,k,1]", "[0,i,0,j,1,k,8]"):
        assert time in ORIGINAL


def test_both_lambda_sets(scop):
    for flow in (None, array_dataflow(scop)):
        found = {(x.write, x.read): x.relation for x in intervals(scop, flow)[PHI]}
        assert set(found) == {("S1", "S2"), ("S6", "S2")}
        assert found["S1", "S2"].is_equal(isl.Map(S1_S2))
        assert found["S6", "S2"].is_equal(isl.Map(S6_S2))


def test_live_range_instances_of_the_set_l(scop):
    """The tuples that the paper lists, N = 4."""
    known = {(x.write, x.read): isl.pairs(x.relation, {"N": 4}) for x in intervals(scop)[PHI]}
    assert ((0, 0), (0, 0, 0)) in known["S1", "S2"]
    assert ((0, 1), (0, 1, 0)) in known["S1", "S2"]
    for pair in (((0, 0, 0), (0, 0, 1)), ((0, 0, 1), (0, 0, 2)), ((0, 0, 2), (0, 0, 3))):
        assert pair in known["S6", "S2"]


def test_both_image_polyhedra(scop):
    """As printed; the fifth dimension of t, and the sixth and seventh, are padded with zeros."""
    image = images(scop, INTERCHANGED)[PHI].range()
    first = """[N] -> { [[t1,t2,t3,t4,t5,t6,t7] -> [u1,u2,u3,u4,u5,u6,u7]] :
        t1 = u1 = 0 and t2 = u2 and t3 = u3 = 0 and t4 = u4 and t5 = 0 and u5 = 1
        and u6 = 0 and u7 = 1 and 0 <= t2 < N and 0 <= t4 < N and t6 = t7 = 0 }"""
    second = """[N] -> { [[t1,t2,t3,t4,t5,t6,t7] -> [u1,u2,u3,u4,u5,u6,u7]] :
        t1 = u1 = 0 and t2 = u2 and t3 = u3 = 0 and t4 = u4 and t5 = u5 = 1
        and u6 = t6 + 1 and t7 = 8 and u7 = 1 and 0 <= t2 < N and 0 <= t4 < N
        and 0 <= t6 < N - 1 }"""
    assert image.is_equal(isl.Set(first).union(isl.Set(second)))


def test_the_interchange_is_legal_though_a_memory_based_check_rejects_it(scop):
    found = violated_ranges(scop, INTERCHANGED)
    assert not found
    assert found.legal
    assert pn.check(scop, INTERCHANGED)
    verdict = memory_based(scop, INTERCHANGED)
    assert not verdict
    assert {"anti", "output"} <= {c.kind for c in verdict.conflicts}
    assert any(
        c.kind == "output" and c.witness.statements == ("S1", "S1") for c in verdict.conflicts
    )  # the dependence δ WAW of S1 on itself, which section 3 is about
    assert memory_based(scop, ORIGINAL)
    # The paper's parallel formula leaves out identical ranges, and so comes out as it says.
    assert not violated_ranges(scop, INTERCHANGED, "paper", parallel=True)


@pytest.mark.parametrize("schedule", [distributed(), k_outermost()], ids=["distributed", "k"])
def test_two_illegal_schedules_have_a_true_witness(scop, schedule):
    found = violated_ranges(scop, schedule)
    assert not found.flow
    assert PHI in found.arrays
    assert not found.legal
    assert not pn.check(scop, schedule)
    for mode, parallel in (("paper", False), ("paper", True)):
        assert PHI in violated_ranges(scop, schedule, mode, parallel).arrays
    for pair in found.pairs:
        assert_true(pair, scop, schedule)
        assert pair.exact
    at_three = found.vio[PHI].intersect_params(isl.Set("[N] -> { : N = 3 }"))
    assert not at_three.is_empty()


def assert_true(pair, scop, schedule):
    """By hand: both ranges are of flow through one cell, and the new times interleave."""
    times, w = pair.times, pair.instances
    assert times["write"] < times["other write"]
    flow = isl.union_map(e.relation for e in pn.analyze(scop).flow_edges if e.array == pair.array)
    for write, read in (("write", "read"), ("other write", "other read")):
        if read in w:
            one = isl.UnionMap(f"{{ {text(w[write])} -> {text(w[read])} }}")
            values = " and ".join(f"{n} = {v}" for n, v in pair.parameters.items())
            at = flow.intersect_params(isl.Set(f"[N] -> {{ : {values} }}"))
            assert not at.intersect(one).is_empty()
    if "read" in w:
        assert times["other write"] < times["read"]


def text(instance):
    return f"{instance.statement}[{', '.join(map(str, instance.point))}]"


def test_the_figures_compute_the_same(scop):
    first, second = pn.gallery.load("matmul_fig1"), pn.gallery.load("matmul_fig2")
    assert equivalent(second, scop, {"N": [1, 2, 3]})
    # 0 + x is not x, symbolically: Figure 1 begins with a store of 0 too, and agrees.
    assert equivalent(first, second, {"N": [1, 2, 3]})


def test_figure_1_may_be_interchanged_and_figure_2_not_by_memory():
    order = "{{ {0} }}"
    first = pn.gallery.load("matmul_fig1")
    swapped = order.format("S1[i,j] -> [j,i,0,0]; S2[i,j,k] -> [j,i,1,k]")
    assert memory_based(first, swapped)
    second = pn.gallery.load("matmul_fig2")
    swapped = order.format("T1[i,j] -> [j,i,0,0]; T2[i,j,k] -> [j,i,1,k]; T3[i,j] -> [j,i,2,0]")
    assert not memory_based(second, swapped)
    assert pn.check(second, swapped)
    assert not violated_ranges(second, swapped)
