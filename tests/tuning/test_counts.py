"""The counts of Table 1."""

import pytest

import polynb as pn
from polynb.evaluation.paper import PAPER
from polynb.tuning import Counts, counts


@pytest.mark.parametrize("name", ["unsharp_mask", "harris"])
def test_the_papers_counts_after_propagation(name):
    assert counts(pn.propagate(pn.gallery.load(name))) == PAPER[name].propagated


def test_harris_has_the_papers_counts_as_written():
    assert counts(pn.gallery.load("harris")) == PAPER["harris"].naive


def test_only_arrays_of_parametric_size_count():
    scop = pn.parse("""param N; input double A[N][3], table[7]; temp double t, u[3], v[N+1];
    for i = 0 to N - 1 do
      t = A[i][0];
      for k = 0 to 2 do u[k] = A[i][k] * table[k]; done
      v[i] = u[0] + t + t;
      B[i] = v[i];
    done""")
    assert counts(scop) == Counts(arrays=3, loops=2, statements=4, accesses=2 + 3 + 4 + 2)


def test_loops_in_both_branches_count():
    scop = pn.parse("""param N, M;
    for i = 0 to N do
      if M > 3 then for j = 0 to N do A[i][j] = 1; done
      else for j = 0 to M do for k = 0 to N do C[i][j][k] = 1; done done fi
    done""")
    assert counts(scop).loops >= 4
