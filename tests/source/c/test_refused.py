"""Wrong C programs: each is one PolynbError, with its caret under the part between ⟦ and ⟧."""

import pytest
from cases import beside

from polynb.errors import PolynbError
from polynb.source.c.parser import parse_c

CASES = beside(__file__)

FUNCTION = "void f(int n, double A[n], double B[n][n], double x, const double c, double *p) {\n"

LOOPS = CASES["loops"]

VALUES = CASES["values"]

DECLARATIONS = CASES["declarations"]

WHOLE = [
    ("there is no program", "⟦⟧/* nothing */ // here"),
    ("there is no program", "⟦⟧"),
    ("unknown type DATA_TYPE", "void f(int n, ⟦DATA_TYPE⟧ A[n]) { A[0] = 1; }"),
    ("unknown type DATA_TYPE", "⟦DATA_TYPE⟧ A[10];\nA[1] = 2;"),
    ("unknown type real", "x = (⟦real⟧) y;"),
    ("unexpected `y`", "x = 3\n⟦y⟧ = 4;"),
    ("unexpected `=`", "x = ⟦=⟧ 4;"),
    ("unexpected `to`", "for (i = 0 ⟦to⟧ n) A[i] = 0;"),
    ("unexpected `i`", "for ⟦i⟧ = 0 to N do B[i] = 1; done"),
    ("ends in the middle", "x = 3 ⟦+⟧"),
    ("never closed", "for (int i = 0; i < n; i++) ⟦{⟧ A[i] = 0;\n"),
    ("has no meaning", "x = 3 ⟦@⟧ 4;"),
    ("has no meaning", "x = 3; ⟦#⟧ 4"),
    ("minus sign", None),
    ("unknown macro", None),
    ("cannot include", '#include <math.h>\n#include ⟦"polybench.h"⟧\nx = 1;'),
    ("requires 2 arguments", "#define F(a, b) a\nx = 1 + ⟦F⟧(3);"),
    ("unterminated", "⟦#if 1⟧\nx = 1;"),
    ("misplaced", "⟦#endif⟧\nx = 1;"),
    ("needs a name", "#⟦define⟧\nx = 1;"),
    ("could not evaluate", "⟦#if 3 +⟧\nx = 1;\n#endif"),
    ("#error no", "#⟦error⟧ no\nx = 1;"),
    ("no end", "⟦#pragma scop⟧\nx = 1;"),
    ("which function is meant: f, g?", "void f(int x) { x = 1; }\nvoid ⟦g⟧(int x) { x = 1; }"),
    ("f has no loop nest", "double ⟦f⟧(double x) { return x; }"),
    (
        "g is more than a formula",
        "double g(double x) { x = x + 1; return x; }\nvoid f(double A[1]) {\n"
        "#pragma scop\nA[0] = ⟦g⟧(1);\n#pragma endscop\n}",
    ),
    (
        "g has 1 argument, not 2",
        "double g(double x) { return x; }\nvoid f(double A[1]) { A[0] = ⟦g⟧(1, 2); }",
    ),
    (
        "g calls itself",
        "double g(double x) { return ⟦g⟧(x); }\nvoid f(double A[1]) { A[0] = g(1); }",
    ),
    (
        "g reads s",
        "double s;\ndouble g(double x) { return x + ⟦s⟧; }\nvoid f(double A[1]) { A[0] = g(1); }",
    ),
    (
        "is not the larger",
        "int ⟦max⟧(int a, int b) { return a; }\n"
        "void f(int n, int A[n]) { for (int i = 0; i < max(n, 3); i++) A[i] = 0; }",
    ),
    ("rows", None),
]
WHOLE = [(m, t) for m, t in WHOLE if t is not None] + [
    ("minus sign", "x = a ⟦−⟧ 3;"),
    ("less-than or equal", "for (i = 0; i ⟦≤⟧ n; i++) A[i] = 0;"),
    (
        "more than 32 loops",
        "".join(f"for (int i{k} = 0; i{k} < n; i{k}++)\n" for k in range(32))
        + "⟦for⟧ (int j = 0; j < n; j++) A[j] = 0;",
    ),
]


def check(message, text):
    start, end = text.index("⟦"), text.index("⟧") - 1
    plain = text.replace("⟦", "").replace("⟧", "")
    with pytest.raises(PolynbError) as caught:
        parse_c(plain)
    error = caught.value
    assert message in str(error.message) + str(error.reason)
    assert error.span is not None
    assert (error.span.text, error.span.start) == (plain[start:end], start)
    before = plain[:start].split("\n")
    assert (error.span.line, error.span.column) == (len(before), len(before[-1]) + 1)
    assert error.hint
    return error


@pytest.mark.parametrize(("message", "body"), LOOPS + VALUES + DECLARATIONS)
def test_refused_in_a_function(message, body):
    check(message, FUNCTION + body + "\n}")


@pytest.mark.parametrize(("message", "text"), WHOLE)
def test_refused(message, text):
    check(message, text)


def test_carets_survive_tabs_line_ends_and_comments():
    text = "/* é */\tfor (int i = 0; i < n; i++) {\r\n\t\tA[i] = 1; /* … */ i = 2;\r\n}"
    with pytest.raises(PolynbError) as caught:
        parse_c(text)
    span = caught.value.span
    assert (span.text, span.line, span.column) == ("i", 2, 21)
    lines = str(caught.value).split("\n")
    assert lines[2].index("^") == lines[1].index("i = 2")


def test_an_error_in_a_macro_points_at_its_use():
    text = "#define NEXT(a) (*((a) + 1))\nvoid f(double *p, double x) { x = NEXT(p); }"
    with pytest.raises(PolynbError, match="pointer") as caught:
        parse_c(text)
    assert caught.value.span.text == "NEXT(p)"


def test_an_error_in_a_macros_argument_points_at_the_argument():
    text = "#define TWICE(a) (2 * (a))\nvoid f(double *p, double x) { x = TWICE(y); }"
    with pytest.raises(PolynbError, match="y is not declared") as caught:
        parse_c(text)
    assert (caught.value.span.text, caught.value.span.column) == ("y", 41)


def test_a_missing_function_is_named():
    with pytest.raises(PolynbError, match="no function g") as caught:
        parse_c("void f(int x) { x = 1; }", function="g")
    assert "f" in caught.value.hint


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("A[0] = y;", "an argument such as `double y`, or `#define y ...`"),
        ("A[0] = y[0];", "an argument such as `double y[n]`"),
        ("y[0][1] = 1;", "an argument such as `double y[n][n]`"),
        ('printf("%f", x);', "leave it out, and look at the arrays when the loops are done"),
        ("work(x);", "leave it out, or assign its result: `x = work(...);`"),
    ],
)
def test_ways_out(body, hint):
    with pytest.raises(PolynbError) as caught:
        parse_c(f"{FUNCTION}{body}}}")
    assert caught.value.hint == hint


def test_expressions_that_are_nested_too_deeply():
    text = "x = " + "f(" * 3000 + "1" + ")" * 3000 + ";"
    with pytest.raises(PolynbError, match="nested too deeply") as caught:
        parse_c(text)
    assert caught.value.span.start == text.rindex("(")


def test_what_the_scop_does_not_use_may_be_anything():
    text = """
    struct point { double x, y; };
    void f(int n, double A[n], struct point *p, void (*callback)(int)) {
        FILE
    """
    text = text.replace("FILE", "struct point q; char **names; long double t; ")
    text += "q.x = 3; callback(2);\n#pragma scop\nA[0] = n;\n#pragma endscop\nwhile (1) ; }"
    assert [d.name for d in parse_c(text).declarations] == ["A"]
