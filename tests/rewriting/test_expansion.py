"""Instances that run several times."""

from dataclasses import replace

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.rewriting import expand
from polynb.run.oracle import equivalent
from polynb.scop.access import inconsistency, with_relation, with_relations
from polynb.scop.model import Array

TEXT = """param N; assume N >= 4; temp t[N + 1];
for i = 0 to N do t[i] = A[i] * 2; done
for i = 1 to N do B[i] = t[i-1] + t[i]; done"""
STRIPS = "{ S0[i] -> S0[c, i] : 4c <= i <= 4c + 4 }"


def test_copies_compute_the_same():
    scop = pn.parse(TEXT)
    twice = expand(scop, STRIPS)
    assert equivalent(scop, twice)
    assert twice.by_name["S0"].iterators == ("c0", "i")
    assert inconsistency(twice) is None
    assert "for c0 = floord(i-1,4) to floord(i,4) do" in str(twice)
    assert equivalent(scop, pn.parse(str(twice)))


def test_they_really_run():
    scop = pn.parse(TEXT)
    twice = expand(scop, "{ S0[i] -> S0[c, i] : 0 <= c < 3 }")
    points = isl.points(twice.by_name["S0"].domain, {"N": 4})
    assert len(points) == 15
    a = np.arange(5.0)
    assert np.array_equal(pn.compile(twice)(N=4, A=a)["B"], pn.compile(scop)(N=4, A=a)["B"])


def test_live_out_cells_and_several_statements():
    scop = pn.parse("param N; for i = 0 to N do for j = 0 to i do B[i][j] = A[j]; done C[i] = A[i];"
                    " done")  # fmt: skip
    twice = expand(scop, "{ S0[i, j] -> S0[c, d, i, j] : 0 <= c, d < 2 and c <= i;"
                         " S1[i] -> S1[c, i] : i <= c <= i + 1 }")  # fmt: skip
    assert twice.by_name["S0"].iterators == ("c0", "c1", "i", "j")
    assert equivalent(scop, twice)
    once = expand(scop, "{ S1[i] -> S1[7, i] }")
    assert equivalent(scop, once)
    assert str(once) == str(scop)


def test_strips_that_overlap():
    """Each strip of 4 computes what it needs of t in cells of its own: producers run twice at the
    edges of strips, and the strips are independent of each other."""
    scop = pn.parse(TEXT)
    both = expand(scop, "{ S0[i] -> S0[c, i] : 4c <= i <= 4c + 4 and c >= 0;"
                        " S1[i] -> S1[c, i] : 4c + 1 <= i <= 4c + 4 }")  # fmt: skip
    s, t = both.statements
    s = with_relation(s, s.write, isl.read_map("{ S0[c, i] -> b[c, i - 4c] }"), scop.assumed)
    reads = {
        id(r): isl.read_map(f"{{ S1[c, i] -> b[c, i - 4c - {k}] }}")
        for r, k in zip(t.reads, (1, 0), strict=True)
    }
    t = with_relations(t, reads, scop.assumed)
    extents = (isl.PwAff("[N] -> { [floor(N/4) + 1] }"), isl.PwAff("[N] -> { [5] }"))
    arrays = {**both.arrays, "b": Array("b", both.arrays["t"].type, extents, "temp", sized=True)}
    apart = replace(both, statements=(s, t), arrays=arrays)
    assert inconsistency(apart) is None
    assert equivalent(scop, apart)
    order = "[N] -> { S0[c, i] -> [c, 0, i]; S1[c, i] -> [c, 1, i] }"
    assert pn.check(apart, order)


@pytest.mark.parametrize(
    ("copies", "message"),
    [
        ("{ S0[i] -> S0[c, i] : 0 <= c < i }", r"S0\(\d+\), N = \d+ has no copy"),
        ("{ S0[i] -> S0[c, i] : c >= 0 }", "nothing bounds the number of copies"),
        ("{ S0[i] -> S0[i, c] : 0 <= c < 2 }", "no copies of the instances of S0"),
        ("{ S0[i] -> S1[c, i] : 0 <= c < 2 }", "no copies of the instances of S0"),
        ("{ S0[i] -> S0[i] }", "no copies of the instances of S0"),
        ("{ Q[i] -> Q[0, i] }", "unknown statement Q"),
        ("{ S0[i", "copies, line 1"),
        (3, "the copies"),
    ],
)
def test_what_are_no_copies(copies, message):
    with pytest.raises(PolynbError, match=message):
        expand(pn.parse(TEXT), copies)


def test_what_overwrites_what_it_reads_runs_once():
    scop = pn.parse("param N; for i = 0 to N do A[i] = A[i] + A[0]; done")
    with pytest.raises(PolynbError, match=r"S0\(\d+\), N = \d+ cannot run several times") as caught:
        expand(scop, "{ S0[i] -> S0[c, i] : 0 <= c < 2 }")
    assert "reads the cell of A that it writes" in caught.value.reason
    assert equivalent(scop, expand(scop, "{ S0[i] -> S0[2*i, i] }"))
    other = pn.parse("param N; for i = 0 to N do A[i + 1] = A[i] + 1; done")
    assert equivalent(other, expand(other, "{ S0[i] -> S0[c, i] : 0 <= c < 2 }"))
