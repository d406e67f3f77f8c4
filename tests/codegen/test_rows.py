"""Rows of arrays that are looked up in front of vector loops."""

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import Target, lower

PROGRAM = """
param N; assume N >= 1;
input float A[3][N]; output float out[N][N];
for x = 0 to N - 1 do for y = 0 to N - 1 do out[x][y] = A[ROW][y]; done done
"""


@pytest.mark.parametrize(("row", "looked_up"), [("mod(x, 3)", True), ("mod(y, 3)", False)])
def test_only_rows_that_stay_the_same(row, looked_up):
    scop = pn.transform(pn.parse(PROGRAM.replace("ROW", row)), "vectorize y").result
    kernel = pn.compile(scop, threads=1)
    assert ("A_row" in kernel.source) == looked_up
    a = np.arange(21, dtype=np.float32).reshape(3, 7)
    x, y = np.indices((7, 7))
    wanted = a[(x if looked_up else y) % 3, y]
    assert np.array_equal(kernel(N=7, A=a)["out"], wanted)


@pytest.mark.parametrize(
    ("row", "assumed", "guard"),
    [
        ("floord(x, 2)", "N >= 1", True),
        ("floord(x, 2)", "N >= 1 and M >= 1", False),
        ("mod(x, 3)", "N >= 1", False),  # a row of a window always exists
        ("mod(x, 4)", "N >= 1", True),
    ],
)
def test_a_row_is_only_looked_up_where_there_are_columns(row, assumed, guard):
    """Without any, it may be out of bounds."""
    text = PROGRAM.replace("[3][N]", "[3][M]").replace("y = 0 to N", "y = 0 to M")
    text = text.replace("[N][N]", "[N][M]").replace("ROW", row)
    scop = pn.parse(text.replace("param N; assume N >= 1", f"param N, M; assume {assumed}"))
    source = lower(pn.transform(scop, "vectorize y").result, Target()).source.text
    assert "const float *const A_row = A[" in source
    assert ("if (0 < M) {\n      const float *const A_row = A[" in source) == guard
