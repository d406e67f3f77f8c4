"""Instances in the order they run: the rounds are those of nested loops, and the picture moves."""

import re

import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.show import draw_order
from polynb.show.draw.running import rounds

TRIANGLE = pn.parse("""param N;
for i = 0 to N do
  for j = 0 to i do
    A[i][j] = 2 * B[j]; // S
  done
done""")
TWO = pn.parse("""param N;  temp t;
for i = 0 to N do
  t[i] = A[i]; // S
done
for i = 0 to N do
  B[i] = t[i]; // T
done""")


def text(x):
    return [" ".join(map(str, together)) for together in x]


def test_rounds_are_those_of_the_loops():
    by_rows = [f"S({i}, {j})" for i in range(4) for j in range(i + 1)]
    assert text(rounds(TRIANGLE, TRIANGLE, {"N": 3})) == by_rows
    by_columns = [f"S({i}, {j})" for j in range(4) for i in range(j, 4)]
    assert text(rounds(TRIANGLE, "{ S[i, j] -> [j, i] }", {"N": 3})) == by_columns
    fused = [f"{s}({i})" for i in range(3) for s in "ST"]
    assert text(rounds(TWO, "{ S[i] -> [i, 0]; T[i] -> [i, 1] }", {"N": 2})) == fused


def test_what_has_one_time_is_one_round():
    found = rounds(TRIANGLE, "{ S[i, j] -> [i + j] }", {"N": 2})
    assert text(found) == ["S(0, 0)", "S(1, 0)", "S(1, 1) S(2, 0)", "S(2, 1)", "S(2, 2)"]


def test_the_picture_moves_and_says_as_text_what_runs():
    drawn = draw_order(TWO, {"as written": TWO, "at once": "{ S[i] -> [0]; T[i] -> [1] }"}, N=1)
    assert repr(drawn) == "as written: S(0); S(1); T(0); T(1)\nat once: S(0), S(1); T(0), T(1)"
    svg = str(drawn.svg)
    assert re.findall(r'class="ran r(\d)"', svg) == ["0", "1", "2", "3", "0", "1"]
    assert svg.count('href="#dot"') == svg.count('href="#ring"') == 4 + 4
    assert "@keyframes r3" in svg
    assert "@media (prefers-reduced-motion:reduce){.ran,.now{animation:none}}" in svg
    bundle = drawn._repr_mimebundle_()
    assert bundle["text/plain"] == repr(drawn)
    assert "Drawn for N = 1." in bundle["text/html"]


def test_a_deeper_space_is_drawn_over_two_dimensions():
    product = pn.gallery.load("matmul_fig2")
    drawn = draw_order(product, {"as written": product}, N=2)
    assert "T2 has 3 dimensions: drawn over" in drawn.note
    assert repr(drawn).count("T2(") == 8


def test_wrong_calls_are_told():
    with pytest.raises(PolynbError, match="no order to draw"):
        draw_order(TWO, {})
    with pytest.raises(PolynbError, match="too many to be watched"):
        draw_order(TRIANGLE, {"as written": TRIANGLE}, N=40)
    with pytest.raises(PolynbError):
        draw_order(TRIANGLE, {"as written": TRIANGLE}, M=4)
