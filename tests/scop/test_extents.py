"""How large arrays are said to be: at least as large as what accesses them needs."""

import numpy as np
import pytest

import polynb as pn
from polynb.scop.arrays import surely_inside
from polynb.scop.sizes import extents_at
from polynb.scop.storage import touching

UNDER_A_DISJUNCTION = """param m, n; output o; temp s;
s = 1.0;
for i = 1 to min(m, n) - 1 do
  if i > 2 || (i + m) % 2 == 0 then U: s = s * 0.5; fi
  V: o[i] = s;
done"""
OF_ITS_OWN = """param m, n; assume m >= 0, n >= 0; input A[n]; output o[n]; temp t;
for i = 0 to n-1 do
  t[{0}][{1}] = 0.0;
  if {2} then t[{0}][{1}] = A[i]; fi
  o[i] = t[{0}][{1}];
done"""


def holds_all_accesses(scop, array) -> bool:
    accesses = (a for _, a in touching(scop, array))
    return all(surely_inside(a, scop.arrays[array], scop.assumed) for a in accesses)


def test_a_scalar_expanded_under_a_disjunction() -> None:
    scop = pn.parse(UNDER_A_DISJUNCTION)
    d = pn.transform(scop, "expand s")
    assert holds_all_accesses(d.result, "s")
    before, after = pn.compile(scop, threads=1), pn.compile(d.result, threads=1)
    for m, n in ((2, 2), (3, 9), (8, 5), (9, 9)):
        assert np.array_equal(before(m=m, n=n)["o"][1:], after(m=m, n=n)["o"][1:])


@pytest.mark.parametrize(
    ("row", "column", "condition"),
    [
        ("(m + i) % 2", "i + m%2", "i%3 == 1 || m > i"),
        ("max(i, m)", "(m + i) % 2", "n > 4"),
        ("i / 2", "(i + 2*m) % 3", "i > 2 || (i + m) % 2 == 0"),
    ],
)
def test_a_temporary_with_remainders_in_its_subscripts(row, column, condition) -> None:
    scop = pn.parse(OF_ITS_OWN.format(row, column, condition))
    assert holds_all_accesses(scop, "t")
    kernel = pn.compile(scop, threads=1)
    for m, n in ((0, 1), (3, 8), (9, 4)):
        runs = eval_condition(condition, m, n)
        a = np.arange(1.0, n + 1)
        assert np.array_equal(kernel(m=m, n=n, A=a)["o"], np.where(runs, a, 0.0))


def eval_condition(text: str, m: int, n: int) -> list[bool]:
    python = compile(text.replace("||", " or "), "condition", "eval")
    return [bool(eval(python, {"i": i, "m": m, "n": n})) for i in range(n)]


@pytest.mark.parametrize(
    ("text", "says", "way_out"),
    [
        (
            "input int64 ix; input A; output o[n]; for i = 0 to n-1 do o[i] = A[i][ix[i]]; done",
            "nothing bounds dimension 2 of A",
            "`A[N][N]`",
        ),
        (
            "input int64 ix; temp t; input A[n]; output o[n]; "
            "for i = 0 to n-1 do t[ix[i]] = A[i]; o[i] = t[ix[i]]; done",
            "nothing bounds dimension 1 of t",
            "`t[N]`",
        ),
    ],
)
def test_c_of_arrays_whose_size_nothing_bounds_is_refused_as_kernels_are(
    text, says, way_out
) -> None:
    scop = pn.parse("param n; " + text)
    with pytest.raises(pn.PolynbError) as kernel:
        pn.compile(scop)
    with pytest.raises(pn.PolynbError, match=says) as function:
        scop.to_c()
    assert str(function.value) == str(kernel.value)
    assert way_out in function.value.hint


def test_only_the_first_extent_of_an_argument_may_be_open() -> None:
    scop = pn.parse(
        "param n; input int64 ix; input A; output o[n]; for i = 0 to n-1 do o[i] = A[ix[i]]; done"
    )
    assert "double A[]" in scop.to_c()


def test_one_subscript_under_a_disjunction_with_a_remainder_is_bounded() -> None:
    scop = pn.parse(
        "param m, N; input A[N+1]; "
        "for i = 0 to N do if i >= 3 || mod(i+m, 2) == 0 then B[0][i] = A[i]; fi done"
    )
    extent = scop.arrays["B"].extents[1]
    assert extent is not None
    assert [extents_at(scop.arrays["B"], {"m": 1, "N": n})[1] for n in (1, 2, 3, 4)] == [2, 2, 4, 5]
