"""What more memory is said to cost: for the sizes that people have, in their words."""

import pytest

import polynb as pn
from polynb.schedules.expanding import all_dimensions, expanded
from polynb.violations.memory_cost import Cells

PRODUCT = """param ni, nj, nk; {0}
input A[ni][nk]; input B[nk][nj]; output C[ni][nj]; temp t;
for i = 0 to ni-1 do for j = 0 to nj-1 do
  t = 0.0;
  for k = 0 to nk-1 do t = t + A[i][k] * B[k][j]; done
  C[i][j] = t;
done done"""


@pytest.mark.parametrize(
    ("assumed", "cells"),
    [
        ("", "2 * ni * nj * nk"),
        ("assume nk >= 100;", "2 * ni * nj * nk"),
        ("assume ni == 20, nj == 30, nk == 10;", "12000"),
        ("assume nk == 10;", "20 * ni * nj"),
        ("assume nk <= 0;", "ni * nj"),
    ],
)
def test_cells_of_an_expansion(assumed, cells) -> None:
    scop = pn.parse(PRODUCT.format(assumed))
    made = expanded(scop, {"t": all_dimensions(scop, "t")})
    assert str(Cells.of(made, "t")) == cells
    assert str(Cells.of(scop, "t")) == "1"


@pytest.mark.parametrize(("iterations", "cells"), [("max(N, 1)", "N"), ("max(N, 2)", "max(2, N)")])
def test_sizes_are_taken_to_be_1_and_more(iterations, cells) -> None:
    scop = pn.parse(f"param N; output A; for i = 0 to {iterations} - 1 do A[i] = 1.0; done")
    assert str(Cells.of(scop, "A")) == cells


def test_a_sum_alone_needs_no_parentheses() -> None:
    scop = pn.parse("param N; output A; for i = 0 to N do A[i] = 1.0; done")
    assert str(Cells.of(scop, "A")) == "N + 1"
