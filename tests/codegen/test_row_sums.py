"""Sums of neighbours, row by row, where rounding may differ."""

import random
import re

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import Target, lower
from polynb.codegen.row_sums import with_row_sums

PROGRAM = """
param N; assume N >= 1;
input {type} A[N + 4][N + 4], B[N + 4][N + 4]; output {type} out[N + 4][N + 4];
for x = 2 to N + 1 do for y = 2 to N + 1 do S: out[x][y] = {sum}; done done
"""


def program(text, kind="float"):
    return pn.parse(PROGRAM.format(sum=text, type=kind))


def written(text, kind="float"):
    source = lower(program(text, kind), Target(rounds=True)).source.text
    (sum_,) = re.findall(r" = ([^=;]*);  // S", source)
    return " ".join(sum_.split())


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("A[x-1][y] + A[x][y] + A[x-1][y+1] + A[x][y+1]",
         "A[x - 1][y] + A[x - 1][y + 1] + (A[x][y] + A[x][y + 1])"),
        ("A[x][y+1] - A[x][y-1] + 2*(A[x+1][y+1] - A[x+1][y-1])",
         "-(A[x][y - 1] - A[x][y + 1]) - 2.0f * (A[x + 1][y - 1] - A[x + 1][y + 1])"),
        ("0.5f * (A[x][y] + B[x][y]) + 0.25f * (A[x][y+1] + B[x][y-1])",
         "0.5f * (A[x][y] + 0.5f * A[x][y + 1]) + 0.25f * (B[x][y - 1] + 2.0f * B[x][y])"),
        ("A[x][y] * 2 + A[x][y+1] * 2 + A[x+1][y] * 0.5f + A[x+1][y+1] * 0.5f",
         "2.0f * (A[x][y] + A[x][y + 1]) + 0.5f * (A[x + 1][y] + A[x + 1][y + 1])"),
        ("sqrtf(A[x-1][y] + A[x][y] + A[x-1][y+1] + A[x][y+1])",
         "sqrtf(A[x - 1][y] + A[x - 1][y + 1] + (A[x][y] + A[x][y + 1]))"),
    ],
)  # fmt: skip
def test_cells_of_a_row_are_added_up_first(text, rows):
    assert written(text) == rows


def test_a_factor_is_taken_out_where_that_rounds_nothing():
    row = "0.6*A[x][y] + {0}*A[x][y+1] + 0.6*A[x+1][y] + {0}*A[x+1][y+1]"
    assert written(row.format("1.2"), "double").startswith("0.6 * (A[x][y] + 2.0 * A[x][y + 1])")
    row = "2.0*A[x][y] + {0}*A[x][y+1] + A[x+1][y] + A[x+1][y+1]"
    assert written(row.format("2.001953125"), "double").startswith("2.0 * (A[x][y] + 1.0009765625 ")
    assert written(row.format("2.0009765625"), "double").startswith("2.0 * A[x][y] + 2.0009765625 ")
    row = "0.6*A[x][y] + {0}*A[x][y+1] + 0.6*A[x+1][y] + {0}*A[x+1][y+1]"
    # 1.8 / 0.6 is 3, and three times 0.6 is not 1.8
    assert written(row.format("1.8"), "double").startswith("0.6 * A[x][y] + 1.8 * A[x][y + 1] + (")


@pytest.mark.parametrize(
    "text",
    [
        "A[x][y-1] + A[x][y] + A[x][y+1]",  # one row
        "A[x-1][y] + A[x][y] + A[x+1][y]",  # one cell a row
        "A[x-1][y] + A[x][y] * B[x][y]",  # no sum of cells
        "A[x-1][y] + A[x][y] + A[x-1][y+1] + sqrt(A[x][y])",
        "A[x-1][y] + A[x-1][y+1] + A[x][y] + A[x+1][y]",  # one row of several cells
        "0 * (A[x][y] + A[x][y+1]) + A[x+1][y] + A[x+1][y+1]",
        "A[x*y][y] + B[x*y][y] + A[x*x][y+1] + B[x*x][y+1]",  # which rows these are is not known
        "A[x-1][y] + A[x-1][x] + A[x][y] + A[x][x]",  # no two of them are neighbours
    ],
)
def test_what_shares_nothing_stays_as_it_is(text):
    scop = program(text)
    assert with_row_sums(scop) is scop


def test_whole_numbers_and_exact_results_keep_their_order():
    text = "A[x-1][y] + A[x][y] + A[x-1][y+1] + A[x][y+1]"
    assert with_row_sums(whole := program(text, "int32")) is whole
    exact = lower(program(text), Target()).source.text
    assert "A[x - 1][y] + A[x][y] + A[x - 1][y + 1]" in exact


@pytest.mark.parametrize("factor", ["0.25", "1.0"])
def test_what_is_added_up_in_double_stays_so(factor):
    """3e38 four times is more than a float holds; 2^24 and three ones are one more in a float."""
    text = " + ".join(f"{factor} * A[{x}][{y}]" for x in ("x-1", "x") for y in ("y", "y+1"))
    scop = pn.parse(PROGRAM.format(sum=text, type="float").replace("output float", "output double"))
    assert with_row_sums(scop) is scop


def a_sum(draw, cells):
    if cells == 1:
        array, dx, dy = draw.choice("AB"), draw.choice((-1, 0, 1)), draw.choice((-1, 0, 1))
        return f"{array}[x + {dx}][y + {dy}]".replace("+ -", "- ")
    left = draw.randint(1, cells - 1)
    text = f"({a_sum(draw, left)} {draw.choice('+-')} {a_sum(draw, cells - left)})"
    return draw.choice((text, text, f"{draw.randint(2, 4)} * {text}", f"(-{text})", f"{text} * 2"))


@pytest.mark.parametrize("seed", range(8))
def test_the_same_sums(seed):
    """Of whole numbers, of which no sum is rounded."""
    draw = random.Random(seed)
    values = np.random.default_rng(seed).integers(-9, 9, (2, 12, 12)).astype(np.float64)
    scop = program(f"{a_sum(draw, 9)} + {a_sum(draw, 3)} * {a_sum(draw, 4)}", "double")
    (exact, fast) = (pn.compile(scop, fast_math=f) for f in (False, True))
    found = [k(N=8, A=values[0], B=values[1])["out"][2:10, 2:10] for k in (exact, fast)]
    assert np.array_equal(*found)
