"""Loops that write rows of an array whose iterations are said to be apart: they are."""

import re
from itertools import product
from random import Random

import numpy as np
import pytest

import polynb as pn
from polynb.source.c.print.apart import TOGETHER, rows_apart
from polynb.source.c.print.together import in_order_together
from polynb.source.tree import For, every

ROWS = """param n; inout double a[8][n];
for k = 1 to n-1 do for j = {first} to n-2 do
  for i = 0 to 3 do a[i][j] = a[i][j] + a[{other}]; done
done done"""


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("3-i][j", True),
        ("7-i][j", True),
        ("i][j-1", False),  # what the iteration before wrote
        ("i+4][j-1", False),  # as far as subscripts tell: rows 4 to 7 are not written
        ("3-i][0", False),
        ("3-i][k", False),
        ("7][j", True),
    ],
)
def test_rows_of_one_array_are_apart(other: str, expected: bool) -> None:
    assert rows_apart(loop_j(ROWS.format(first=1, other=other)), ()) is expected
    if expected:
        kernel = pn.compile(pn.parse(ROWS.format(first=1, other=other)), threads=1)
        assert TOGETHER in kernel.source


def loop_j(text: str) -> For:
    program = pn.parse(text).program
    assert program is not None
    return next(s for s in every(program.body) if isinstance(s, For) and s.iterator == "j")


@pytest.mark.parametrize(
    "body",
    [
        "a[j] = a[j] + 1;",  # compilers know
        "b[j] = a[j+1] + a[j];",
        "s = s + A[2][j]; A[0][j] = A[1][j];",  # a result that is a sum
        "A[x[j]][j] = 1; A[0][x[j]] = A[x[j]][j];",
        "A[0][j-floord(j,2)] = A[1][j];",  # twice the same cell
        "for i = 0 to n-1 do A[i][j] = A[i+1][j]; done",  # a loop that stays one
    ],
)
def test_of_other_loops_nothing_is_said(body: str) -> None:
    scop = pn.parse(f"param n; inout A[n+1][n]; for j = 0 to n-1 do {body} done")
    assert TOGETHER not in pn.compile(scop, threads=1).source


def test_a_scalar_of_its_own_is_a_register() -> None:
    text = "param n; temp t; inout A[2][n]; for j = 0 to n-1 do t = A[0][j]; A[1][j] = t * 2; done"
    assert TOGETHER in pn.compile(pn.parse(text), threads=1).source


FORMS = ("j", "2*j", "j+1", "2*j+1", "9-j", "0", "2", "j-floord(j,2)", "3*j+2", "k")
INSIDE = (*FORMS, "i", "i+j", "2*j+i")


@pytest.mark.parametrize("seed", range(20))
def test_what_is_said_holds_for_all_iterations(seed: int) -> None:
    """Against all cells of all iterations, at small sizes."""
    random = Random(seed)
    base = random.choice(FORMS)
    cells = []
    for forms in (FORMS, FORMS, INSIDE, INSIDE):
        column = f"{base}+{random.choice((0, 0, 1, 2, 3))}"
        if random.random() < 0.2:
            column = random.choice(forms)
        cells.append(f"A[{random.choice(forms)}][{column}]")
    step = random.choice((1, 2, 3))
    text = f"""param n, k; assume n >= 9; for j = 2 to 8 by {step} do
      {cells[0]} = {cells[1]};
      for i = 0 to 2 do {cells[2]} = {cells[3]}; done
    done"""
    if not rows_apart(loop_j(text), ()):
        return

    def cell(text: str, j: int, i: int) -> tuple[int, ...]:
        values = {"j": j, "i": i, "k": 1, "n": 9, "floord": lambda a, b: a // b}
        return tuple(eval(x, values) for x in text[2:-1].split("]["))

    def touched(j: int, which: list[int]) -> set[tuple[int, ...]]:
        inner = {2, 3}
        return {cell(cells[c], j, i) for c in which for i in (range(3) if c in inner else [0])}

    for j, other in product(range(2, 9, step), repeat=2):
        if j != other:
            assert not touched(j, [0, 2]) & touched(other, [0, 1, 2, 3])


@pytest.mark.parametrize("n", [2, 3, 9, 40])
def test_they_compute_the_same(n: int) -> None:
    for other in ("3-i][j", "i+4][j", "i][j-1"):
        scop = pn.parse(ROWS.format(first=1, other=other))
        a = np.random.default_rng(n).integers(-9, 9, (8, n)).astype(float)
        found = pn.compile(scop, threads=1)(a=a.copy(), n=n)["a"]
        for _ in range(1, n):
            for j in range(1, n - 1):
                for i in range(4):
                    at = {"3-i][j": (3 - i, j), "i+4][j": (i + 4, j), "i][j-1": (i, j - 1)}[other]
                    a[i, j] += a[at]
        np.testing.assert_array_equal(found, a)


SPLIT = """param N, M; assume N >= 1 and M >= 1; inout float A[N][2*M], B[N][M], C[N][M];
for k = 0 to N-1 do for x = 0 to N-1 do for y = 0 to M-1 do
  {first}
  {second}
  {third}
done done done"""
STORES = {
    "first": "A[x][2*y] = A[x][2*y] + B[k][y];",
    "second": "C[x][y] = C[x][y] + A[k][2*y];",
    "third": "A[x][2*y+1] = A[x][2*y+1] * 0.5f;",
}
LOADS = {
    "first": "C[x][y] = A[k][2*y];",
    "second": "A[x][2*y+1] = B[x][y] * 0.5f;",
    "third": "B[x][y] = A[k][2*y+1];",
}


LOOKED_UP = {k: v.replace("A[x]", "A[max(x-1, 0)]") for k, v in STORES.items()}
TWICE = {
    "first": "for c = -1 to 0 do A[x][2*y+c+1] = B[k][y] + c; done",
    "second": "for c = -1 to 0 do C[x][y] = C[x][y] + A[k][2*y+c+1]; done",
    "third": "A[x][2*y+1] = A[x][2*y+1] * 0.5f;",
}


@pytest.mark.parametrize("cells", [STORES, LOADS, LOOKED_UP, TWICE])
@pytest.mark.parametrize("script", ["", "vectorize y"])
def test_what_is_taken_together_stays_in_order(cells: dict[str, str], script: str) -> None:
    """Rows x and k are the same one now and then: between two stores of it one cell is read."""
    scop = pn.parse(SPLIT.format(**cells))
    n, m = 5, 64
    random = np.random.default_rng(1)
    given = {x: random.random((n, 2 * m if x == "A" else m), np.float32) for x in "ABC"}
    kernel = pn.compile(pn.transform(scop, script).result if script else scop, threads=1)
    assert not re.search(f"{TOGETHER}|omp simd", kernel.source)
    found = kernel(N=n, M=m, **{x: a.copy() for x, a in given.items()})
    plain = pn.compile(scop, threads=1, flags="-fno-tree-vectorize")
    expected = plain(N=n, M=m, **{x: a.copy() for x, a in given.items()})
    assert all(np.array_equal(found[x], expected[x]) for x in "ABC")


@pytest.mark.parametrize(
    "body",
    [
        "A[x][2*y] = A[x][2*y] + 1; A[x][2*y+1] = A[x][2*y] * 2;",  # the same row
        "A[0][2*y] = 1; A[0][2*y+1] = A[1][2*y];",  # another one
        "A[x][2*y] = A[k][2*y];",  # nothing beside it
        "A[x][y] = A[k][y]; C[x][y] = A[x][y] * 2;",  # from cell to cell
        "C[x][y] = A[x][2*y] + A[k][2*y+1];",  # nothing is written
        "A[x][y] = A[x][y] - A[x][k] * A[k][y];",
        "for c = 0 to 2 do A[y][c] = B[y][c] * 2; done",
        "for c = 0 to 2 do A[y][c] = A[y][c] * 2; done",
        "A[max(x-1,0)][2*y] = 1; A[max(x-1,0)][2*y+1] = A[max(x-1,0)][2*y];",
    ],
)
def test_what_is_seen_to_be_in_order_is_in_vectors(body: str) -> None:
    text = SPLIT.format(first=body, second="", third="")
    assert in_order_together(loop_y(text))


def loop_y(text: str) -> For:
    program = pn.parse(text).program
    assert program is not None
    return next(s for s in every(program.body) if isinstance(s, For) and s.iterator == "y")
