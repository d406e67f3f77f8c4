"""A scheduler may leave a band without a loop, around statements that no loop is around."""

from dataclasses import replace

import pytest

import polynb as pn
from polynb import isl
from polynb.scop.schedule import Band

TEXT = """
param N;
for j = 0 to N do
  for k = 0 to N do
    A[j][k] = B[k][j]; // R
  done
done
t = A[N][N] * 2; // S
"""
EMPTY = {"R": isl.Map("{ R[j, k] -> [] }"), "S": isl.Map("{ S[] -> [] }")}


@pytest.mark.parametrize(
    "move",
    [
        lambda scop: pn.transform(scop).interchange("j", "k"),
        lambda scop: pn.transform(scop).skew("k", by="j"),
        lambda scop: pn.transform(scop).reverse("j"),
    ],
)
def test_moves_go_past_a_band_without_a_loop(move):
    scop = pn.parse(TEXT)
    around = replace(scop, schedule=Band(EMPTY, scop.schedule, loops=()))
    assert move(around).result.to_c() == move(scop).result.to_c()
