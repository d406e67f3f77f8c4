"""What other languages write in a similar way: the fix makes a program of it."""

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
        ("param N; for i = N downto 0 do A[i] = 1; done", "counts down by a negative step",
         "param N; for i = N to 0 by -1 do A[i] = 1; done"),
        ("param N; for i = N down to 0 by 2 do A[i] = 1; done", "counts down by a negative step",
         "param N; for i = N to 0 by -2 do A[i] = 1; done"),
        ("param N; for i = 0 to N step 2 do A[i] = 1; done", "`by` is meant by `step`",
         "param N; for i = 0 to N by 2 do A[i] = 1; done"),
        ("param N; array A[N+1], B[N+1]; A[0] = B[0];", "`array` begins no statement",
         "param N; A[0] = B[0];"),
        ("matrix A; A[0] = 1;", "`matrix` begins no statement", "A[0] = 1;"),
        ("param N; for i = 0:N do A[i] = 1; done", "`to` is meant by", LOOP.format("A[i] = 1;")),
        ("param N; for i = 0, N do A[i] = 1; done", "`to` is meant by", LOOP.format("A[i] = 1;")),
        ("param N; for i from 0 to N do A[i] = 1; done", "meant by `from`",
         LOOP.format("A[i] = 1;")),
        ("param N; for i in 0..N do A[i] = 1; done", "meant by `in`", None),
        ("param N; for i = 0 to <= N do A[i] = 1; done", "is a value", LOOP.format("A[i] = 1;")),
        ("param N; for i = 0 to < N do A[i] = 1; done", "is a value",
         "param N; for i = 0 to N-1 do A[i] = 1; done"),
        ("param N; foreach i = 0 to N do A[i] = 1; done", "no statement", LOOP.format("A[i] = 1;")),
        ("param int N; A[N] = 1;", "has no type", "param N; A[N] = 1;"),
        ("param int64 N; A[N] = 1;", "has no type", "param N; A[N] = 1;"),
        ("temporary t; t = A[0]; B = t;", "no statement", "temp t; t = A[0]; B = t;"),
        ("in A; B = A;", "no statement", "input A; B = A;"),
        (LOOP.format("B[i] == A[i];"), "`==` compares", LOOP.format("B[i] = A[i];")),
        (LOOP.format("B[i] <- A[i];"), "meant by `<-`", LOOP.format("B[i] = A[i];")),
        (LOOP.format("B[i] = A[i]++;"), "no `++`", LOOP.format("B[i] = A[i] + 1;")),
        (LOOP.format("B[i] = A[i]; # copy\n"), "a comment of Python's",
         LOOP.format("B[i] = A[i]; // copy\n")),
        ("param N; input A[N]; for i = 0 to N do B[i] = A[i]; done", "out of bounds",
         "param N; input A[N+1]; for i = 0 to N do B[i] = A[i]; done"),
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
    if right is None:  # the next mistake is told then
        return
    assert fixed.replace(" ", "") == right.replace(" ", "")
    pn.parse(fixed)


@pytest.mark.parametrize(
    ("text", "message", "way"),
    [
        ("param N; for (i = 0; i < N; i++) do A[i] = 1; done", "this loop is C's", "0 to N-1 do"),
        ("param N; for (int i = N; i >= 0; i--) A[i] = 1;", "loop is C's", "N to 0 by -1 do"),
        ("param N;\ndo i = 1, N\nA(i) = 1\nenddo", "a loop of Fortran's", "for i = 1 to N do"),
        ("param N; for i = 0 to len(A) do B[i] = A[i]; done", "`len` is not known", "`param N;`"),
        ("param N; for i = 0 to A.length do B[i] = A[i]; done", "`.length` is", "`param N;`"),
        (LOOP.format("return A[i];"), "no `return`", "`out[i] = ...;`"),
        (LOOP.format("if A[i] > 9 then break; fi"), "no `break`", "an `if` around"),
        ("param N; while i < N do i = i + 1; done", "no `while`", "a loop with affine bounds"),
        (LOOP.format("swap(A[i], B[i]);"), "a call computes a value", "`x = swap(...);`"),
        ("param N; N = 100; A[N] = 1;", "cannot be assigned to", "`%bench blur N=100`"),
        (LOOP.format("B[i] = A[i-1];"), "out of bounds", "`for i = 1 to ...`"),
        ("let x = 3; for i = 0 to 9 do B[i] = x; done", "after the `let`", "needs no `let`"),
    ],
)
def test_what_cannot_be_written_so_has_a_way_to_write_it(text, message, way):
    with pytest.raises(pn.PolynbError) as caught:
        pn.parse(text)
    assert message in caught.value.message
    assert way in (caught.value.hint or "")


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
