"""Python, numpy, `while` and `**` are known by name."""

import contextlib

import pytest
from cases import beside

import polynb as pn
from polynb.errors import edited

CASES = beside(__file__)

# The text, with ‹ and › around what the caret must be under; the message; the hint.
FOREIGN = CASES["foreign"]


@pytest.mark.parametrize(("text", "message", "hint"), FOREIGN)
def test_another_language_is_named_at_its_place(text, message, hint):
    start, end = text.index("‹"), text.index("›") - 1
    with pytest.raises(pn.PolynbError) as caught:
        pn.parse(text.replace("‹", "").replace("›", ""))
    error = caught.value
    assert message in error.message
    assert any(h in error.hint for h in hint.split("|"))
    assert error.span is not None
    assert (error.span.start, error.span.end) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "# doubles\nB[0] = 2 * A[0];",
        "B[0] = np.sqrt(A[0]);",
        "B[0] = np.power(A[0], math.pi);",
        "B[0] = A[0]**2 + (A[1] - A[2]) ** A[3];",
        "for (int i = 0; i < n; i++) B[i] = A[i]**2;",
        "param N; for i = 0 to n do B[i] = sqrt(A[i])**2; done",
    ],
)
def test_every_fix_leads_to_a_program(text):
    for _ in range(4):
        with contextlib.suppress(pn.PolynbError):
            pn.parse(text)
            break
        with pytest.raises(pn.PolynbError) as caught:
            pn.parse(text)
        text = edited(caught.value.fix)
    pn.compile(pn.parse(text), threads=1)


@pytest.mark.parametrize(
    "text",
    [
        "#include <math.h>\nfor (int i = 0; i < n; i++) A[i] = 2;",
        "# define M 3\nfor (int i = 0; i < n; i++) A[i] = M;",
        "// for i in range(N): np.sqrt(x)**2\nA[0] = 1;",
        "math = 1; np = 2; A[0] = math + np;",
        "int a = 3; for (int i = 0; i < n; i++) A[i] = a;",
    ],
)
def test_programs_of_our_own_are_left_alone(text):
    pn.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#include <math.h>\nx = 1 + ;", "unexpected `;`"),
        ("void f(int n, double A[n]) { while (n > 0) A[0] = 1; }", "`while` cannot be part"),
        ("void f(double **t) { t[0][0] = 1; }", "pointers to pointers"),
        ("param N;\nfor i = 0 to N do A[i] = 1", "`;` is missing"),
    ],
)
def test_other_errors_stay_what_they_are(text, message):
    with pytest.raises(pn.PolynbError) as caught:
        pn.parse(text)
    assert message in caught.value.message
