"""What gcc 12 computes wrongly where it makes masks, it makes none for; vectors all the same."""

import sys
from pathlib import Path

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import Target, lower
from polynb.run.compilers import FEW_MASKS, NO_MASKS, find

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))
from random_pipelines import random_pipeline

HEAD = "param N; assume N >= 1; input float a[4*N+4], b[4*N+4]; output float o[4*N+4], p[4*N+4];"
SIDE_BY_SIDE = {
    "stores": """for t = 0 to N do
      o[2*t] = a[2*t] > 1 ? b[2*t] : 2; o[2*t+1] = a[2*t] > 1 ? b[2*t+1] : 2; done""",
    "with both branches": """for t = 0 to N do
      o[2*t] = 0.5f * (2*a[2*t]) > 1 ? 0.5f * (2*a[2*t]) + 2*b[2*t] : 2*b[2*t+2];
      o[2*t+1] = 0.5f * (2*a[2*t]) > 1 ? 0.5f * (2*a[2*t]) + 2*b[2*t+1] : 2*b[2*t+3]; done""",
    "three": """for t = 0 to N do
      o[3*t] = a[3*t] > 1 ? b[3*t] : 2; o[3*t+1] = a[3*t] > 1 ? b[3*t+1] : 2;
      o[3*t+2] = a[3*t] > 1 ? b[3*t+2] : 2; done""",
    "in steps": """for y = 0 to 2*N by 2 do
      o[y] = a[y] > 1 ? b[y] : 2; o[y+1] = a[y] > 1 ? b[y+1] : 2; done""",
    "in a short loop": """for t = 0 to N do for c = 0 to 2 do
      o[3*t+c] = a[3*t] > 1 ? b[3*t+c] : 2; done done""",
    "under one condition": """for t = 0 to N do if a[2*t] > 1 then
      o[2*t] = b[2*t]; o[2*t+1] = b[2*t+1]; else o[2*t] = 2; o[2*t+1] = 2; fi done""",
    "sums": """o[0] = 0; o[1] = 0; for t = 0 to N do
      o[0] = o[0] + (a[2*t] > 1 ? b[2*t] : 3); o[1] = o[1] + (a[2*t] > 1 ? b[2*t+1] : 7); done""",
}
APART = [
    "for y = 0 to N do o[y] = a[2*y] > 1 ? b[2*y] : b[2*y+1]; done",
    "for y = 0 to N do o[y] = a[y] > 1 ? b[y] : 2; p[y] = a[y] > 1 ? b[y+1] : 2; done",
    "for t = 0 to N do o[2*t] = b[2*t]; o[2*t+1] = b[2*t+1]; done",
    "for t = 0 to N do o[2*t] = a[2*t] > 1 ? 1 : 2; o[2*t+1] = a[2*t] > 1 ? 2 : 1; done",
    "for x = 0 to N do for t = 0 to N do if x >= 3 then o[2*t] = b[2*t]; o[2*t+1] = b[t]; fi"
    " done done",
]


@pytest.fixture
def gcc() -> None:
    if find(None).name != "gcc":
        pytest.skip("only gcc is asked")


def kept(scop: pn.Scop) -> bool:
    return not lower(scop, Target()).source.groups


@pytest.mark.parametrize("body", SIDE_BY_SIDE.values(), ids=SIDE_BY_SIDE)
@pytest.mark.parametrize("flags", ["", "-fcode-hoisting", "-fno-thread-jumps"])
def test_values_side_by_side_that_conditions_choose(body: str, flags: str) -> None:
    """Which of these gcc gets wrong depends on what its other passes leave."""
    scop = pn.parse(HEAD + body)
    assert not kept(scop)
    if flags and not pn.compile(scop, threads=1).compiler.startswith("gcc"):
        pytest.skip("flags of gcc")
    rng = np.random.default_rng(0)
    kernel, plain = (pn.compile(scop, threads=1, flags=f) for f in (flags, "-O0"))
    for n in (1, 7, 64, 200):
        given = {"a": 2 * rng.random(4 * n + 4), "b": rng.integers(0, 9, 4 * n + 4)}
        arrays = {name: x.astype("f4") for name, x in given.items()}
        assert np.array_equal(kernel(arrays, N=n).o, plain(arrays, N=n).o)


@pytest.mark.long
def test_a_random_pipeline_of_which_gcc_12_made_something_else() -> None:
    text = """param N; assume N >= 1; input float a[2][4*N+11][4*N+11];
    temp float s[2][2*N+5][2*N+5], t[2][4*N+8][4*N+8]; output float o[2][4*N+7][4*N+7];
    for c = 0 to 1 do for x = 0 to 2*N+4 do for y = 0 to 2*N+4 do
      s[c][x][y] = 2*a[c][2*x+1][2*y]; done done done
    for c = 0 to 1 do for y = 2 to 4*N+7 do t[c][2][y] = 1; done done
    for c = 0 to 1 do for x = 3 to 4*N+7 do for y = 2 to 4*N+7 do
      t[c][x][y] = 0.5f*s[c][x/2+1][y/2] > 1
        ? 0.5f*s[c][x/2+1][y/2] + 0.5f*s[c][x/2-1][y/2+1] + 2*a[c][x+1][y] + 2*a[c][x+1][y]
          + 2*a[c][x][y] : 2*a[c][x][y]; done done done
    for c = 0 to 1 do for x = 2 to 4*N+6 do for y = 2 to 4*N+6 do
      o[c][x][y] = max(0.5f*t[c][x][y+1], 0.5f*t[c][x][y+1]); done done done"""
    scop = pn.parse(text)
    a = 2 * np.random.default_rng(0).random((2, 131, 131), "f4")
    in_rows = pn.propagate(scop, windows=32).result
    assert not kept(in_rows)
    found = pn.compile(in_rows, threads=1)(N=30, a=a).o
    assert np.array_equal(found, pn.compile(scop, threads=1, flags="-O0")(N=30, a=a).o)


@pytest.mark.parametrize("seed", [20049, 20287, 20396, 20479])
@pytest.mark.long
def test_loops_have_vectors_without_masks(seed: int, gcc: None) -> None:
    """Otherwise they are 0.3 to 0.6 times as fast as written, and so they are 1.7 to 3.6 times."""
    in_rows = pn.propagate(pn.parse(random_pipeline(seed)), windows=32).result
    assert not kept(in_rows)
    assert {*FEW_MASKS} <= {*pn.compile(in_rows, threads=1).flags}


@pytest.mark.parametrize(
    ("body", "flags"),
    [("under one condition", "-fcode-hoisting"), ("stores", "-fthread-jumps -O0")],
)
def test_where_gcc_may_make_masks_all_the_same(body: str, flags: str, gcc: None) -> None:
    """It makes them, or says nothing: then it is not known."""
    kernel = pn.compile(pn.parse(HEAD + SIDE_BY_SIDE[body]), threads=1, flags=flags)
    assert {*NO_MASKS} <= {*kernel.flags}
    assert not {*FEW_MASKS} & {*kernel.flags}
    assert kernel.library.exists()


@pytest.mark.parametrize("body", APART)
def test_other_loops_have_masks(body: str) -> None:
    assert kept(pn.parse(HEAD + body))
