"""Cells of small rows that data picks are looked up in lanes, the same ones as one by one."""

import numpy as np
import pytest

import polynb as pn

TABLE = """param N; assume N >= 0; input int32 d[N+40]; input {type} t[{cells}];
output {type} o[N+40];
for y = {first} to N do o[y+20] = {value}; done"""
ROWS = """param N; assume N >= 0; input int32 d[N+40]; input float t[(N+60)/8+1][{cells}];
output float o[N+40];
for y = 3 to N do o[y] = {value}; done"""


def in_lanes(text: str) -> tuple[bool, pn.Kernel]:
    kernel = pn.compile(pn.parse(text), threads=1)
    return "SHUFFLES" in kernel.source, kernel


@pytest.mark.parametrize("cells", [8, 9, 12, 15, 16])
@pytest.mark.parametrize("kind", ["float", "int32"])
def test_cells_of_a_table(cells: int, kind: str) -> None:
    value = "t[d[y+20]] + 2*t[d[y+19]]"
    found, kernel = in_lanes(TABLE.format(type=kind, cells=cells, first=-5, value=value))
    assert found
    rng = np.random.default_rng(cells)
    t = rng.integers(-99, 99, cells).astype("f4" if kind == "float" else "i4")
    for n in (*range(-6, 20), 100):
        n = max(n, 0)
        d = rng.integers(0, cells, n + 40).astype("i4")
        got = kernel(N=n, d=d, t=t).o
        y = np.arange(-5, n + 1)
        assert np.array_equal(got[y + 20], t[d[y + 20]] + 2 * t[d[y + 19]])


@pytest.mark.parametrize("offset", [0, 1, 5, 8, 13])
def test_rows_that_change_where_a_quotient_does(offset: int) -> None:
    row = f"(y+{offset})/8"
    value = f"t[{row}][d[y]] + (y+{offset}) % 8 * t[{row}+1][d[y]+1] + (y+{offset}) % 16"
    found, kernel = in_lanes(ROWS.format(cells=12, value=value))
    assert found
    rng = np.random.default_rng(offset)
    for n in (0, 3, 7, 8, 10, 11, 12, 23, 24, 200):
        d = rng.integers(0, 11, n + 40).astype("i4")
        t = rng.integers(-99, 99, ((n + 60) // 8 + 1, 12)).astype("f4")
        got = kernel(N=n, d=d, t=t).o
        y = np.arange(3, n + 1)
        r, at = (y + offset) // 8, (y + offset) % 8
        wanted = t[r, d[y]] + at * t[r + 1, d[y] + 1] + (y + offset) % 16
        assert np.array_equal(got[y], wanted.astype("f4"))


def test_a_cell_that_another_one_picks() -> None:
    text = TABLE.format(type="int32", cells=8, first=0, value="t[t[d[y]]] + t[d[y]]")
    found, kernel = in_lanes(text)
    assert found
    assert kernel.source.count("look_up(") == 2 + 1  # the function itself
    t = np.random.default_rng(1).permutation(8).astype("i4")
    d = np.arange(73, dtype="i4") % 8
    got = kernel(N=33, d=d, t=t).o
    assert np.array_equal(got[20:54], (t[t[d]] + t[d])[:34])


@pytest.mark.parametrize(
    "text",
    [
        TABLE.format(type="float", cells=7, first=0, value="t[d[y]]"),
        TABLE.format(type="float", cells=17, first=0, value="t[d[y]]"),
        TABLE.format(type="double", cells=12, first=0, value="t[d[y]]"),
        TABLE.format(type="float", cells=12, first=0, value="t[3]"),
        # it may not be there where nobody asks for it
        TABLE.format(type="float", cells=12, first=0, value="d[y] > 0 ? t[d[y]] : 0"),
        ROWS.format(cells=12, value="t[y/4][d[y]]"),
        ROWS.format(cells=12, value="t[(2*y)/16][d[y]] + t[y/8+d[0]][d[y]]"),
        # a row of another array, of which that is not known
        """param N, M; input int32 d[N]; input float t[N][12], u[M][12]; output float o[N];
        for y = 0 to N-1 do o[y] = t[y/8][d[y]] > 0 ? u[y/16][d[y]] : 0; done""".replace(
            "t[y/8]", "t[d[0]]"
        ),
        # what an iteration before wrote
        """param N; inout int32 d[N+1]; input float t[12];
        for y = 0 to N-1 do d[y+1] = int32(t[d[y]]); done""",
    ],
)
def test_what_is_not_looked_up_in_lanes(text: str) -> None:
    found, _ = in_lanes(text)
    assert not found


def test_cells_that_are_written_by_several_iterations_have_the_last_value() -> None:
    text = """param N; input int32 d[N]; input float t[12]; output float o[N];
    for y = 0 to N-1 do o[y % 3] = t[d[y]]; done"""
    found, kernel = in_lanes(text)
    assert found
    d, t = np.random.default_rng(3).integers(0, 12, 45).astype("i4"), np.arange(12, dtype="f4")
    got = kernel(d=d, t=t).o
    assert np.array_equal(got[:3], t[d[-3:]])


def test_other_compilers_are_told_of_vectors_as_ever() -> None:
    scop = pn.parse(TABLE.format(type="float", cells=12, first=0, value="t[d[y]]"))
    source = pn.compile(pn.transform(scop, "vector S0.y"), threads=1).source
    said = source[source.index("#ifndef SHUFFLES") :]
    assert said.index("#pragma omp simd") < said.index("for (int64_t y") < said.index("look_up(")


def test_a_guarded_cell_that_is_there_since_one_of_an_array_as_large_is() -> None:
    text = """param N; input int32 d[N]; input float t[N][12], u[N][12]; output float o[N];
    for y = 0 to N-1 do o[y] = t[y/8][d[y]] > 0 ? u[y/8][d[y]] : 7; done"""
    found, kernel = in_lanes(text)
    assert found
    assert kernel.source.count("look_up(") == 2 + 1
    rng = np.random.default_rng(2)
    d, (t, u) = rng.integers(0, 12, 45).astype("i4"), rng.normal(size=(2, 45, 12)).astype("f4")
    y = np.arange(45)
    wanted = np.where(t[y // 8, d] > 0, u[y // 8, d], np.float32(7))
    assert np.array_equal(kernel(d=d, t=t, u=u).o, wanted)


def test_a_row_that_changes_in_between_is_looked_up_cell_by_cell() -> None:
    scop = pn.parse("""param N; assume N >= 8; input float t[N][8]; input int32 d[N];
output float o[N]; for y = 0 to N-1 do o[y] = t[(y + 8*(y/3))/16][d[y]]; done""")
    t = np.random.default_rng(0).integers(-99, 99, (64, 8)).astype("f4")
    d = np.arange(64, dtype="i4") % 8
    y = np.arange(64)
    got = pn.compile(scop, threads=1)(N=64, d=d, t=t).o
    assert np.array_equal(got, t[(y + 8 * (y // 3)) // 16, d])
