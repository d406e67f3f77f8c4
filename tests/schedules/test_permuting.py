"""Loops that may be interchanged as they are."""

import pytest

from polynb.run.oracle import equivalent
from polynb.schedules import permutable_bands, privatize
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, walk

NEST = """param N; assume N >= 0; inout double A[N+3][N+3];
for i = 1 to N do for j = 1 to N do A[i][j] = A[{}] + 1.0; done done
"""


def bands(scop):
    found = (t for t in walk(scop.schedule) if isinstance(t, Band))
    return [(t.permutable, t.coincident) for t in found]


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ("i][j", [(True, (True, True))]),
        ("i-1][j", [(True, (False, True))]),
        ("i][j-1", [(True, (True, False))]),
        ("i-1][j-1", [(True, (False, False))]),
        ("i+1][j+2", [(True, (False, False))]),  # what is read is overwritten later
        ("i-1][j+1", [(True, (False,)), (True, (True,))]),
    ],
)
def test_distances_decide(read, expected):
    scop = parse(NEST.format(read))
    found = permutable_bands(scop)
    assert bands(found) == expected
    assert equivalent(scop, found, N=[0, 1, 4])


def test_a_scalar_stops_permuting_unless_it_is_private():
    text = """param N; input double A[N][N]; output double B[N][N]; temp double t;
    for i = 0 to N-1 do for j = 0 to N-1 do t = A[i][j]; B[j][i] = t; done done"""
    scop = parse(text)
    assert bands(permutable_bands(scop)) == [(True, (False,)), (True, (False,))]
    assert bands(permutable_bands(privatize(scop))) == [(True, (True, True))]


def test_what_the_loops_around_carry_is_no_obstacle_inside():
    text = NEST.format("i-1][j+1").replace("for j", "for k = 1 to N do for j")
    text = text.replace("done done", "done done done").replace("A[N+3][N+3]", "A[N+3][N+3][N+3]")
    text = text.replace("A[i][j]", "A[i][k][j]").replace("A[i-1][j+1]", "A[i-1][k-1][j+1]")
    found = permutable_bands(parse(text))
    assert bands(found) == [(True, (False, False)), (True, (True,))]


def test_permutable_bands_stay_and_loops_keep_their_kinds(programs):
    scop = programs.gemm()
    assert permutable_bands(scop).schedule.members.keys() == scop.schedule.members.keys()
    assert bands(permutable_bands(scop)) == [(True, (True, True, False))]
    inner = programs.band(["{ S0[i, j] -> [j] }"], permutable=False, kinds=("vector",))
    tree = programs.band(["{ S0[i, j] -> [i] }"], inner, permutable=False, kinds=("parallel",))
    found = permutable_bands(programs.with_schedule(parse(NEST.format("i][j")), tree))
    assert found.schedule.kinds == ("parallel", "vector")
