"""Long stretches without points: cut, with what is on both sides where it was."""

import re

import pytest

import polynb as pn
from polynb.show.draw.layout import GAP, axis


def test_what_is_near_keeps_its_distance():
    found = axis([9, 3, 5, 3])
    assert found.stretches == ((3, 9, 0.0),)
    assert [found.at(v) for v in (3, 5, 9)] == [0, 2, 6]
    assert found.lines() == [(0, 6)]
    assert found.ticks(2) == [4, 6, 8]
    assert axis([]).length == 0


def test_what_is_far_is_behind_a_gap():
    found = axis([0, 1, 2, 10**18, 10**18 + 1])
    assert found.length == 2 + GAP + 1
    assert found.at(10**18 + 1) == found.length
    assert found.lines() == [(0, 2), (2 + GAP, 3 + GAP)]
    assert found.ticks(5) == [0, 10**18]
    assert found.ticks(7) == [0, 10**18]


@pytest.mark.parametrize("inner", ["", " for j = 0 to 8000000000000000000 do"])
def test_a_picture_of_a_long_loop_is_no_wider_than_others(inner):
    """Its first and its last instances were 12 pixels times their distance apart."""
    cell, done = ("t[i][j]", "done done") if inner else ("t[i]", "done")
    program = pn.parse(
        f"temp t; for i = 0 to 9000000000000000000 do{inner} {cell} = A[i]; {done} "
        f"for i = 0 to 8000000000000000000 do B[i] = t[i]{'[i]' if inner else ''}; done"
    )
    text = str(pn.propagate(program).to_svg(step=0))
    width, height = map(float, re.search(r'width="([\d.]+)" height="([\d.]+)"', text).groups())
    assert max(width, height) < 2000
    assert 8 * 10**18 in {int(n) for n in re.findall(r">(\d+)<", text)}
