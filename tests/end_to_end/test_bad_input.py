"""Whatever is wrong with a program, one PolynbError says so and points at it."""

import numpy as np
import pytest

import polynb as pn

# (what is wrong, the program, the text under the carets)
PROGRAMS = [
    ("a missing semicolon", "param N;\nA[0] = 1\nB[0] = 2;", None),
    ("a loop that is not closed", "param N;\nfor i = 0 to N do\n  A[i] = 1;\n", None),
    ("a condition that is not closed", "param N;\nif N > 0 then A[0] = 1;", None),
    ("an operator too many", "param N;\nA[0] = 1 + * 2;", "*"),
    ("brackets that do not match", "param N;\nA[0 = 1;", "="),
    ("a keyword as a name", "param N;\nfor to = 0 to N do A[0] = 1; done", "to"),
    (
        "a product of iterators as a bound",
        "param N;\nfor i = 0 to N do for j = 0 to i*i do A[j] = 1; done done",
        "i*i",
    ),
    (
        "a product of parameters as a bound",
        "param N, M;\nfor i = 0 to N*M do A[i] = 1; done",
        "N*M",
    ),
    ("data as a bound", "param N;\nfor i = 0 to len[0] do A[i] = 1; done", "len[0]"),
    ("a float as a bound", "param N;\nfor i = 0 to 1.5 do A[i] = 1; done", "1.5"),
    ("a division by a parameter", "param N, M;\nfor i = 0 to N/M do A[i] = 1; done", "N/M"),
    ("an assumption that is not affine", "param N;\nassume N*N > 2;\nA[0] = 1;", "N*N"),
    ("an unknown type", "param N;\ninput half A;\nB[0] = A[0];", "half"),
    ("out of bounds below", "param N;\nfor i = 0 to N do B[i] = A[i-N-1]; done", "A[i-N-1]"),
    (
        "out of bounds above",
        "param N;\ninput A[N];\nfor i = 0 to N do B[i] = A[N+i]; done",
        "A[N+i]",
    ),
    ("a write to an input", "param N;\ninput A;\nfor i = 0 to N do A[i] = 1; done", "A[i]"),
    ("a write to a parameter", "param N;\nN = 3;", "N"),
    ("a write to an iterator", "param N;\nfor i = 0 to N do i = 3; done", "i"),
    ("a label twice", "param N;\nS: A[0] = 1;\nS: B[0] = 2;", "S"),
    ("a name declared twice", "param N;\ntemp t;\ninput t;\nt = 1;", "t"),
    ("an iterator that is a parameter", "param N;\nfor N = 0 to 3 do A[0] = 1; done", "N"),
    (
        "an iterator used twice",
        "param N;\nfor i = 0 to N do for i = 0 to N do A[i] = 1; done done",
        "i",
    ),
    ("a step of zero", "param N;\nfor i = 0 to N by 0 do A[i] = 1; done", "0"),
    ("a step that is no constant", "param N;\nfor i = 0 to N by N do A[i] = 1; done", "N"),
    ("an array with two numbers of dimensions", "param N;\nA[0] = A[0][1];", None),
    ("too few arguments", "param N;\ndefine f(x, y) = x + y;\nA[0] = f(1);", None),
    ("a function that calls itself", "param N;\ndefine f(x) = f(x) + 1;\nA[0] = f(1);", None),
    ("chained comparisons", "param N;\nif 0 <= N <= 3 then A[0] = 1; fi", None),
    ("no statement at all", "param N;", None),
    ("only a comment", "// nothing here", None),
    ("nothing", "   \n  ", None),
    ("assumptions that nothing satisfies", "param N;\nassume N > 2 && N < 1;\nA[0] = 1;", None),
    ("a minus sign from a PDF", "param N;\nfor i = 0 to N−1 do A[i] = 1; done", "−"),
    ("a comparison sign from a PDF", "param N;\nif N ≤ 3 then A[0] = 1; fi", "≤"),
    ("a curly quote", "param N;\nA[0] = ’1’;", "’"),
    ("a quote in a name", 'param N;\nA"B[0] = 1;', '"'),
    ("C smuggled into a name", 'param N;\nA[0] = x"); system("rm -rf /"); ("y;', '"'),
    ("an include", "param N;\n#include <stdlib.h>\nA[0] = 1;", "#"),
    ("braces", "param N;\nfor i = 0 to N { A[i] = 1; }", "{"),
    ("C: a while loop", "void f(int n, double A[n]) { while (n) A[0] = 1; }", None),
    (
        "C: an impure call",
        'void f(int n, double A[n]) { for (int i = 0; i < n; i++) { A[i] = 1; printf("%d", i); } }',
        None,
    ),
    ("C: a pointer", "void f(int n, double *A) { for (int i = 0; i < n; i++) *A = i; }", None),
    ("C: a goto", "void f(int n, double A[n]) { again: A[0] = 1; goto again; }", None),
    (
        "C: a syntax error",
        "void f(int n, double A[n]) { for (int i = 0; i < n; i++ A[i] = 1; }",
        None,
    ),
    (
        "C: a bound that is not affine",
        "void f(int n, double A[n]) { for (int i = 0; i < n*n; i++) A[i] = 1; }",
        "n*n",
    ),
    (
        "C: a step that changes",
        "void f(int n, double A[n]) { for (int i = 1; i < n; i *= 2) A[i] = 1; }",
        None,
    ),
    ("C: a system call as a value", 'void f(int n, double A[n]) { system("ls"); A[0] = 1; }', None),
]
DEEP = (
    "param N;\n" + "".join(f"for i{k} = 0 to N do " for k in range(60)) + "A[0] = 1;" + " done" * 60
)


@pytest.mark.parametrize(("text", "caret"), [p[1:] for p in PROGRAMS], ids=[p[0] for p in PROGRAMS])
def test_a_wrong_program_is_one_error_with_a_caret(text: str, caret: str | None) -> None:
    with pytest.raises(pn.PolynbError) as caught:
        pn.parse(text)
    error = caught.value
    said = str(error)
    assert "islpy" not in said
    assert "Traceback" not in said
    assert "lark" not in said.lower()
    if text.strip() and not text.startswith("//"):
        assert error.span is not None, said
        assert "^" in said
    if caret is not None:
        assert error.span is not None
        assert error.span.text == caret, said


def test_there_are_at_least_forty() -> None:
    assert len(PROGRAMS) >= 40


def test_a_huge_loop_depth() -> None:
    with pytest.raises(pn.PolynbError, match="huge loop depth") as caught:
        pn.parse(DEEP)
    assert caught.value.span is not None


@pytest.fixture(scope="module")
def blur() -> pn.Kernel:
    text = (
        "param N, M; assume N >= 1; input A[N+1]; input int32 w;"
        "for i = 0 to M do B[i] = A[i] * w; done"
    )
    return pn.compile(pn.parse(text), threads=1)


A = np.ones(6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"N": 5, "M": 9, "A": A, "w": 2}, "M"),
        ({"N": 0, "M": 0, "A": A[:1], "w": 2}, "N"),
        ({"N": 5, "M": 3, "A": A[:5], "w": 2}, "A"),
        ({"N": 5, "M": 3, "A": A.astype("complex64"), "w": 2}, "complex64"),
        ({"N": 5, "M": 3, "A": A.reshape(2, 3), "w": 2}, "A"),
        ({"N": 5, "M": 3, "A": A, "w": 2, "C": A}, "C"),
        ({"N": 5, "M": 3, "w": 2}, "A"),
        ({"N": 5, "A": A, "w": 2}, "M"),
        ({"N": 5.5, "M": 3, "A": A, "w": 2}, "N"),
        ({"N": 5, "M": 3, "A": "A", "w": 2}, "A"),
        ({"N": 5, "M": 3, "A": A, "w": 2.5}, "w"),
    ],
)
def test_a_wrong_call_of_a_kernel(blur: pn.Kernel, arguments: dict, message: str) -> None:
    with pytest.raises(pn.PolynbError, match=message):
        blur(**arguments)
    right = blur(N=5, M=3, A=A, w=2)
    assert right["B"].tolist() == [2.0] * 4


@pytest.mark.parametrize("text", [p[1] for p in PROGRAMS], ids=[p[0] for p in PROGRAMS])
def test_the_same_in_a_notebook(shell, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = shell.run_cell(f"%%propagate blur\n{text}")
    assert isinstance(result.error_in_exec, pn.PolynbError)
    assert "blur" not in shell.user_ns
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
