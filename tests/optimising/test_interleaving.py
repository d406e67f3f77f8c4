"""Planes side by side in memory, where data decides what all of them look up."""

import os

import numpy as np
import pytest
from numpy.typing import NDArray

import polynb as pn
from polynb.gallery.pipelines import local_laplacian
from polynb.optimising.interleaving import with_planes_interleaved
from polynb.optimising.steps import Interleaved
from polynb.scop.access import inconsistency

SIZES = {"R": 1000, "C": 1000}
LOOKUPS = """param R, C; assume R >= 3 and C >= 1; input float g[R][C], w[400];
temp float t[400], p[8][R][C], q[8][R][C]; output float o[R-2][C];
for k = 0 to 399 do t[k] = 2 * w[k]; done
for c = 0 to 7 do for x = 0 to R-1 do for y = 0 to C-1 do
  p[c][x][y] = t[min(max(int32(g[x][y] * 100.0f), 5), 150) - 20*c + 200] + c;
done done done
for c = 0 to 7 do for x = 1 to R-2 do for y = 0 to C-1 do
  q[c][x][y] = p[c][x-1][y] - p[c][x+1][y];
done done done
for x = 1 to R-2 do for y = 0 to C-1 do
  o[x-1][y] = q[min(max(int32(g[x][y] * 7.0f), 0), 7)][x][y] + q[3][x][y];
done done
"""


def interleaved(scop: pn.Scop) -> tuple[pn.Scop, list]:
    found, work = [], with_planes_interleaved(scop, SIZES)
    while True:
        try:
            found.append(next(work))
        except StopIteration as end:
            return end.value, found


def data(R: int, C: int) -> dict[str, NDArray[np.float32] | int]:
    draw = np.random.default_rng(3)
    g, w = draw.random((R, C), np.float32) * 3 - 1, draw.random(400, np.float32)
    return {"g": g, "w": w, "R": R, "C": C}


def test_planes_that_look_up_the_same_place_are_side_by_side() -> None:
    before = pn.parse(LOOKUPS)
    new, (step,) = interleaved(before)
    assert isinstance(step, Interleaved)
    assert (step.arrays, step.count, step.tables) == (("p", "q"), 8, ("t_of_planes",))
    assert "The 8 planes of p and q are side by side in memory" in str(step)
    assert inconsistency(new) is None
    text = "".join(str(new).split())
    assert "p[x][y][c]=t_of_planes[min(max(int32(g[x][y]*100.0f),5),150)-5][c]+c;" in text
    assert "t_of_planes[r][c]=t[r-20*c+205];" in text
    assert "+q[x][y][3];" in text
    assert str(pn.prove(before, new)) == "the same: proved for every R and C"


@pytest.mark.parametrize(("R", "C"), [(3, 1), (7, 5), (40, 33)])
def test_the_same_bits(R: int, C: int) -> None:
    before = pn.parse(LOOKUPS)
    given = data(R, C)
    kernels = [pn.compile(p) for p in (before, interleaved(before)[0])]
    first, second = (k(**given)["o"] for k in kernels)
    assert np.array_equal(first, second)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("5), 150)", "5), 170000)"),  # a table too large for a cache
        (", 5), 150)", ", 5) % 150, 150)"),  # from where on is not known
        ("for k = 0 to 399", "for k = 0 to 300"),  # entries that nobody has written
        ("temp float t[400], p", "temp float t[400]; output float p"),  # needed afterwards
        ("q[c][x][y] = p[c]", "q[7-c][x][y] = p[c]"),  # no plane of its own
        ("c = 0 to 7 do for x = 0", "c = 1 to 7 do for x = 0"),  # not from the first one on
        ("temp float t[400], p[8]", "temp float t[400]; temp int16 p[8]"),  # half a vector
        ("g[x][y] * 100.0f", "g[x][y] * c"),  # other places for each
        ("- 20*c + 200", "+ 200"),  # one entry for all
        ("q[3][x][y];", "q[min(max(int32(p[2][x][y]), 0), 7)][x][y];"),  # one plane picks another
        ("int32(g[x][y] * 100.0f)", "int32(x > 0 ? p[5][x-1][y] : 0)"),
        ("for x = 1 to R-2 do for y = 0 to C-1 do\n  o", "for k = 0 to 399 do t[k] = 1; done\n"
         "for x = 1 to R-2 do for y = 0 to C-1 do\n  o"),  # the table changes
    ],
)  # fmt: skip
def test_no_others(old: str, new: str) -> None:
    assert old in LOOKUPS
    scop = pn.parse(LOOKUPS.replace(old, new))
    made, steps = interleaved(scop)
    assert made is scop
    assert not steps


def test_of_a_plane_that_needs_the_one_before() -> None:
    text = LOOKUPS.replace("200] + c;", "200] + (c > 0 and x < R-1 ? p[c-1][x+1][y] : 0);")
    scop = pn.parse(text)
    assert interleaved(scop)[0] is scop


@pytest.mark.skipif("POLYNB_LARGE" not in os.environ, reason="takes long: with POLYNB_LARGE only")
@pytest.mark.long
def test_local_laplacian() -> None:
    """With what is kept for a strip of a row, which is there for each plane then."""
    scop = pn.parse(local_laplacian.program(levels=3))
    made = pn.optimise(scop)
    (step,) = (s for s in made.steps if isinstance(s, Interleaved))
    assert step.arrays == ("P1", "P2")
    assert pn.prove(scop, made.result, seconds=600).answer == "the same"
