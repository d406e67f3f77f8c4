"""What other languages write in a similar way: the fix makes a program of it."""

from __future__ import annotations

import pytest

import polynb as pn
from polynb.errors import edited

LOOP = "param N; for i = 0 to N do {} done"


@pytest.mark.parametrize(
    ("text", "message", "right"),
    [
        ("param N = 100; A[N] = 1;", "the parameter N has no value here", "param N ; A[N] = 1;"),
        ("param N M; A[N] = M;", "a comma is missing", "param N, M; A[N] = M;"),
        (LOOP.format("B(i) = A[i];"), "assigned to a call", LOOP.format("B[i] = A[i];")),
        (LOOP.format("B(i, 0) = 1;"), "assigned to a call", LOOP.format("B[i][0] = 1;")),
        (LOOP.format("B[i] := A[i];"), "meant by `:=`", LOOP.format("B[i] = A[i];")),
        (LOOP.format("B[i] = 1, C[i] = 2;"), "`;` is missing", LOOP.format("B[i] = 1; C[i] = 2;")),
        (LOOP.format("s += A[i];"), "no `+=`", LOOP.format("s = s + A[i];")),
        (LOOP.format("s -= A[i] - 1;"), "no `-=`", LOOP.format("s = s - (A[i] - 1);")),
        (LOOP.format("s[i]++;"), "no `++`", LOOP.format("s[i] = s[i] + 1;")),
        (LOOP.format("B[i] = 1 if i > 3;"), "a condition stands before",
         LOOP.format("if i > 3 then B[i] = 1; fi")),
        ("param N; for i in 0 to N do A[i] = 1; done", "meant by `in`", LOOP.format("A[i] = 1;")),
        ("param N; for i = 0..N do A[i] = 1; done", "`..` is not", LOOP.format("A[i] = 1;")),
        ("param N; for i = 0 to N; A[i] = 1; done", "`do` is missing", LOOP.format("A[i] = 1;")),
        ("param N; for i = 0 to N do A[i] = 1 end", "ends with `done`", LOOP.format("A[i] = 1;")),
        ("param N; for i = 0 to n do A[i] = 1; done", "not affine: n", LOOP.format("A[i] = 1;")),
        ("for i = 0 to N do A[i] = 1; done", "not affine: N", LOOP.format("A[i] = 1;")),
    ],
)  # fmt: skip
def test_the_fix_is_the_program_that_was_meant(text, message, right):
    with pytest.raises(pn.PolynbError) as caught:
        pn.parse(text)
    assert message in caught.value.message
    fixed = edited(caught.value.fix)
    assert fixed.replace(" ", "") == right.replace(" ", "")
    pn.parse(fixed)


@pytest.mark.parametrize(
    "text",
    [
        "param N; for i = 0 to N B[i] = A[i];",
        "param N for i = 0 to N do B[i] = A[i] done",
        "param N, M for i = 0 to N do for j = 0 to M; B[i, j] = A(i, j) done",
        "for i = 0..n do x += A[i]**2; end",
    ],
)
def test_a_program_with_several_mistakes_is_mended_fix_by_fix(text):
    for _ in range(8):
        errors = mistakes(text)
        if not errors:
            return
        text = edited(errors[0].fix)
    raise AssertionError(text)


def mistakes(text: str) -> list[pn.PolynbError]:
    try:
        pn.parse(text)
    except pn.PolynbError as error:
        return [error]
    return []
