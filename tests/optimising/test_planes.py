"""Planes that are computed from one picture, row by row."""

import pytest

import polynb as pn
from polynb.optimising.planes import with_planes_together
from polynb.optimising.steps import PlanesTogether

SIZES = {"R": 1000, "C": 1000}
SHARED = """param R, C; assume R >= 1 and C >= 1; input float g[R+1][C]; input float w[3];
temp float p[3][R][C]; output float o[3][R][C];
for c = 0 to 2 do for x = 0 to R-1 do for y = 0 to C-1 do
  p[c][x][y] = w[c] * g[x][y] + g[x+1][y];
done done done
for c = 0 to 2 do for x = 0 to R-1 do for y = 0 to C-1 do
  o[c][x][y] = 2 * p[c][x][y];
done done done
"""


def rows_first(text: str) -> tuple[pn.Scop, list]:
    found = []
    work = with_planes_together(pn.parse(text), SIZES)
    while True:
        try:
            found.append(next(work))
        except StopIteration as end:
            return end.value, found


def test_rows_of_all_planes_are_computed_from_a_row_of_what_they_share() -> None:
    new, (step,) = rows_first(SHARED)
    assert isinstance(step, PlanesTogether)
    assert (step.plane, step.row, step.arrays) == ("c", "x", ("g",))
    assert step.bytes == 2 * 1001 * 1000 * 4
    assert "The loop x is around c in S0" in str(step)
    text = new.to_c()
    assert text.index("x = 0") < text.index("c = 0")
    assert str(pn.prove(pn.parse(SHARED), new)) == "the same: proved for every R and C"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("g[x][y] + g[x+1][y]", "g[0][y] + g[0][y]"),  # one row for all rows
        ("input float g[R+1][C]", "input uint8 g[R+1][C]"),  # in a cache it stays anyway
        ("g[x][y] + g[x+1][y]", "g[(x+c)/2][y]"),  # other rows for each
        ("c = 0 to 2 do for x = 0 to R-1 do for y = 0 to C-1 do\n  p", "x = 0 to R-1 do "
         "for c = 0 to 2 do for y = 0 to C-1 do\n  p"),  # as it is to be
        ("w[c] * g[x][y]", "(c > 0 ? p[c-1][R-1-x][y] : g[x][y])"),  # from the plane before
    ],
)  # fmt: skip
def test_no_others(old: str, new: str) -> None:
    assert old in SHARED
    assert not rows_first(SHARED.replace(old, new))[1]


def test_not_planes_as_many_as_there_are_rows() -> None:
    text = SHARED.replace("[3]", "[R]").replace("c = 0 to 2", "c = 0 to R-1")
    assert not rows_first(text)[1]


LAST_WRITES = """param R, C; assume R >= 4 and C >= 1;
input float a[R][C]; temp float t[R+4][C]; output float o[R+4][C];
for c = 0 to 2 do for x = 0 to R-1 do for y = 0 to C-1 do
  t[x + 2*c][y] = a[x][y] + c;
done done done
"""
READ = "for x = 0 to R+3 do for y = 0 to C-1 do o[x][y] = t[x][y]; done done"


def test_what_a_later_nest_reads_is_written_last_by_the_same_plane() -> None:
    """A temporary is one of the whole program, and not of the nest that writes it."""
    assert not rows_first(LAST_WRITES + READ)[1]
    assert rows_first(LAST_WRITES)[1]  # nobody reads it
