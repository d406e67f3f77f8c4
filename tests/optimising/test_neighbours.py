"""Iterations side by side: what they have in common, and what comes of it."""

from dataclasses import replace

import pytest

import polynb as pn
from polynb.optimising.neighbours import with_neighbours_together
from polynb.optimising.steps import SideBySide
from polynb.schedules.bands import with_schedule
from polynb.scop.access import inconsistency
from polynb.scop.schedule import Band, Mark, Private, Sequence

SIZES = {"R": 1000, "C": 8000}
ROWS = """param R, C; assume R >= 1 and C >= 1;
input float g[4*R+2][C], f[100]; output float o[R+2][C], n[R][C];
for x = 0 to R-1 do for y = 0 to C-1 do above: n[x][y] = 2 * g[x][y]; done done
for x = 1 to R do for y = 0 to C-1 do
  o[x][y] = f[min(max(int32(g[2*x-2][y]), 0), 99)] + f[min(max(int32(g[2*x-1][y]), 0), 99)]
    + f[min(max(int32(g[2*x][y]), 0), 99)] + f[min(max(int32(g[2*x+1][y]), 0), 99)];
done done
"""
PLANES = """param R, C; assume R >= 1 and C >= 1;
input float g[R][C+2], w[3]; output float o[3][R][C];
for x = 0 to R-1 do for c = 0 to 2 do for y = 0 to C-1 do
  o[c][x][y] = w[c] + g[x][y] * g[x][y] / (1 + g[x][y]);
done done done
"""
TILES = """param R, C; assume R >= 1 and C >= 1;
input float g[R][64*C]; output float o[R][64*C];
for x = 0 to R-1 do for t = 0 to C-1 do for y = 64*t to 64*t+63 do
  o[x][y] = g[x][y] * g[x][y] / (1 + g[x][y]);
done done done
"""
MANY = """param R, C; assume R >= 1 and C >= 1;
input float g[R][C], w[16]; output float o[16][R][C], p[16][R][C];
for x = 0 to R-1 do for c = 0 to 15 do for y = 0 to C-1 do
  o[c][x][y] = w[c] + g[x][y] * g[x][y] / (1 + g[x][y]);
  p[c][x][y] = w[c] - g[x][y] * g[x][y] / (2 + g[x][y]);
done done done
"""
STRIPS = """param R, C; assume R >= 1 and C >= 1;
input float g[2*R+4][C+4]; temp float h[R+1][C+4]; output float o[R+1][C];
for x = 1 to R do for y = 0 to C+3 do
  h[x][y] = g[2*x-2][y] / (g[2*x-1][y] + 3 * g[2*x][y] + g[2*x+1][y]);
done done
for x = 1 to R do for y = 0 to C-1 do
  o[x][y] = h[x][y] + 3 * h[x][y+1] + 3 * h[x][y+2] + h[x][y+3];
done done
"""


HANDED_ON = """param R, C; assume R >= 1 and C >= 1;
input float g[2*R+2][C]; temp float h[C]; output float o[R+1][C];
for y = 0 to C-1 do h[y] = 0; done
for x = 1 to R do
  for y = 0 to C-1 do o[x][y] = h[y]; done
  for y = 0 to C-1 do h[y] = g[2*x-2][y] / (g[2*x-1][y] + 3 * g[2*x][y] + g[2*x+1][y]); done
done
"""


def together(scop: pn.Scop) -> tuple[pn.Scop, list[SideBySide]]:
    found = []
    work = with_neighbours_together(scop, SIZES)
    while True:
        try:
            found.append(next(work))
        except StopIteration as end:
            return end.value, found


def same(text: str, new: pn.Scop) -> bool:
    assert inconsistency(new) is None
    verdict = pn.prove(pn.parse(text), new)
    assert str(verdict) == "the same: proved for every R and C"
    return bool(pn.run.equivalent(pn.parse(text), new, {"R": 11, "C": 5}))


def test_rows_that_are_made_of_the_same_rows() -> None:
    """Of 16 rows of look-ups that four rows read, ten are others: 1.6 times less, but for sums."""
    new, (step,) = together(pn.parse(ROWS))
    assert (step.loop, step.count, step.statements) == ("x", 4, ("S0",))
    assert 1.45 < step.gain < 1.6
    assert "4 iterations of x run side by side in the innermost loops of S0" in str(step)
    assert "o[x + 3][y]" in new.to_c()
    assert same(ROWS, new)


def test_all_planes_of_a_picture_that_are_computed_from_one_plane() -> None:
    new, (step,) = together(pn.parse(PLANES))
    assert (step.loop, step.count) == ("c", 3)
    text = new.to_c()
    assert text.index("o[0][x][y]") < text.index("o[1][x][y]") < text.index("o[2][x][y]")
    assert same(PLANES, new)


def test_some_of_many_planes() -> None:
    text = PLANES.replace("[3]", "[30]").replace("c = 0 to 2", "c = 0 to 29")
    new, (step,) = together(pn.parse(text))
    assert (step.loop, step.count) == ("c", 4)
    assert "for (int64_t c = 28; c <= 29; c++)" in new.to_c()  # in no whole block
    assert same(text, new)


def test_what_is_private_to_a_row_has_a_place_for_each_of_the_rows() -> None:
    strips = pn.propagate(pn.parse(STRIPS), recurrences="strips").result
    buffers = {n: a for n, a in strips.arrays.items() if n not in pn.parse(STRIPS).arrays}
    new, (step,) = together(strips)
    assert (step.loop, step.count) == ("x", 4)
    assert buffers
    for name, array in buffers.items():
        assert len(new.arrays[name].extents) == len(array.extents) + 1
        assert f"{name}[(x - 1) % 4]" in new.to_c()
    assert same(STRIPS, new)


def test_not_what_is_said_to_be_private_and_is_not() -> None:
    scop = pn.parse(HANDED_ON)
    assert isinstance(scop.schedule, Sequence)
    first, second = scop.schedule.children
    rows = second.child
    assert isinstance(rows, Band)
    mark = Mark(Private(("h",)), rows.child)
    marked = replace(second, child=replace(rows, child=mark))
    assert not together(with_schedule(scop, Sequence((first, marked))))[1]


@pytest.mark.parametrize(
    ("text", "old", "other"),
    [
        (ROWS, "g[2*x", "g[4*x"),  # no row is read by two
        (ROWS, "for x = 1 to R do", "for x = 1 to 2*R by 2 do"),  # not beside each other
        (ROWS, "for x = 1 to R do for y", "for x = 1 to 1 do for y"),  # one row
        (ROWS, "int32(g[2*x+1][y])", "int32(o[x-1][C-1-y])"),  # from the row before
        (PLANES, "g[x][y]", "g[x][y+c]"),  # other columns for each
        (TILES, "", ""),  # other columns for each
        (MANY, "", ""),  # 32 statements side by side
        (ROWS, "for y = 0 to C-1 do\n  o", "for y = 0 to 0 do\n  o"),  # hardly anything of all
    ],
)
def test_no_others(text: str, old: str, other: str) -> None:
    assert old in text
    changed = text.replace(old, other)
    scop = pn.parse(changed)
    new, steps = together(scop)
    assert not steps
    assert new.to_c() == scop.to_c()
