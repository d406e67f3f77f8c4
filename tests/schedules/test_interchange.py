"""The loops of a permutable band in another order."""

import pytest

import polynb as pn
from polynb import isl
from polynb.dependences import analyze
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent
from polynb.schedules import interchange, permutable_bands, tile
from polynb.schedules.parallel import choose_loops
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, walk

SKEWED = """param N; assume N >= 0; inout double A[N+2][N+2];
for i = 1 to N do for j = 1 to N do A[i][j] = A[i-1][j-1] + 1.0; done done
"""
BACKWARDS = SKEWED.replace("A[i-1][j-1]", "A[i-1][j+1]")


def band(scop):
    return next(t for t in walk(scop.schedule) if isinstance(t, Band))


def test_members_kinds_and_coincidence_move_together(programs):
    tree = programs.band(
        ["{ S0[i, j] -> [i, j, i + j] }"],
        coincident=(True, False, True),
        kinds=("parallel", "sequential", "unroll"),
    )
    scop = interchange(programs.with_schedule(parse(SKEWED), tree), (2, 0, 1))
    assert band(scop).members["S0"].is_equal(isl.Map("{ S0[i, j] -> [i + j, i, j] }"))
    assert band(scop).coincident == (True, True, False)
    assert band(scop).kinds == ("unroll", "parallel", "sequential")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)])
def test_a_matrix_product_in_any_order(programs, order):
    scop = interchange(programs.gemm(), order)
    assert equivalent(programs.gemm(), scop, ni=[1, 3], nj=[2], nk=[0, 4])
    assert equivalent(programs.gemm(), parse(str(scop)), ni=[1, 3], nj=[2], nk=[0, 4])
    every = isl.Map("{ add[i, j, k] -> [i, j, k] }")
    assert band(scop).members["add"].is_equal(every) == (order == (0, 1, 2))


def test_the_first_permutable_band_is_meant_or_one_by_its_number(programs):
    tiled = tile(programs.gemm(), 4)
    loops = interchange(tiled, (1, 0, 2), band=1)
    tiles, points = (t for t in walk(loops.schedule) if isinstance(t, Band))
    assert points.members["add"].is_equal(isl.Map("{ add[i, j, k] -> [j, i, k] }"))
    assert tiles.members["add"].is_equal(band(tiled).members["add"])
    assert equivalent(programs.gemm(), loops, ni=[5], nj=[6], nk=[9])
    first = interchange(tiled, (1, 0, 2))
    assert not band(first).members["add"].is_equal(band(tiled).members["add"])


def test_loops_that_may_not_be_interchanged(programs):
    scop = permutable_bands(parse(BACKWARDS))
    with pytest.raises(PolynbError, match="no band has two or more permutable loops"):
        interchange(scop, (1, 0))
    tree = programs.band(["{ S0[i, j] -> [i, j] }"], permutable=False)
    with pytest.raises(PolynbError, match=r"band 0 .* cannot be interchanged") as error:
        interchange(programs.with_schedule(parse(BACKWARDS), tree), (1, 0), band=0)
    assert "permutable_bands" in error.value.hint


@pytest.mark.parametrize("order", [(), (0,), (0, 0), (1, 2), (0, 1, 2), (True, 0), ("1", "0")])
def test_an_order_has_each_loop_once(programs, order):
    with pytest.raises(PolynbError, match="is no order of the loops of band 0") as error:
        interchange(programs.listing1(), order)
    assert "0 (j), 1 (i)" in error.value.reason
    assert error.value.hint == "order=[1, 0], say"


def test_a_loop_that_runs_in_vectors_only_where_it_is_stays_there():
    scop = pn.transform(permutable_bands(parse(SKEWED))).vectorize("j").result
    with pytest.raises(PolynbError, match=r"loop j of band 0 .* runs as vector where it is"):
        interchange(scop, (1, 0))
    assert interchange(scop, (0, 1)).schedule.kinds == ("sequential", "vector")


def test_a_parallel_loop_stays_inside_what_it_was_inside():
    """Though it stays where it is counted from the outermost one: i carries what j does not."""
    text = "param N; for i = 1 to N do for j = 1 to N do for k = 0 to 1 do"
    text += " A[i][j][k] = A[i-1][j-1][k] + 1; done done done"
    scop = pn.transform(permutable_bands(parse(text))).parallel("j").result
    with pytest.raises(PolynbError, match=r"loop j of band 0 .* runs as parallel where it is"):
        interchange(scop, (2, 1, 0))
    assert interchange(scop, (2, 0, 1)).schedule.kinds[2] == "parallel"


def test_a_parallel_loop_does_not_come_into_a_vector_loop():
    text = "param N; for i = 0 to N do for j = 0 to N do A[i][j] = 1; done done"
    scop = permutable_bands(pn.transform(parse(text)).parallel("i").vectorize("j").result)
    assert scop.schedule.permutable
    with pytest.raises(PolynbError, match="a parallel loop cannot be inside a vector loop"):
        interchange(scop, (1, 0))


def test_a_loop_that_is_collapsed_with_another_stays_too():
    text = """
    param N; inout double A[N][4][N][N];
    for t = 1 to N-1 do for c = 1 to 3 do for x = 0 to N-1 do for y = 0 to N-1 do
      A[t][c][x][y] = 2 * A[t-1][c-1][x][y];
    done done done done
    """
    scop = parse(text)
    marked = permutable_bands(choose_loops(scop, analyze(scop), choice="balanced")[0])
    with pytest.raises(PolynbError, match=r"loop c of band 0 .* runs as collapsed where it is"):
        interchange(marked, (1, 2, 0, 3))
