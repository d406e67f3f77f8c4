"""A name that a C function does not declare: what to declare, and where."""

import pytest

import polynb as pn
from polynb.errors import edited

BODY = "{ for (int i = 0; i < n; i++) a[i] = 0; }"


@pytest.mark.parametrize(
    ("text", "hint", "right"),
    [
        (f"void f(double a[n]) {BODY}", "`int n`", f"void f(int n, double a[n]) {BODY}"),
        (f"void f(double a[]) {BODY}", "`int n`", f"void f(int n, double a[]) {BODY}"),
        (f"void f(double a[n], int n) {BODY}", "`int n` before the arguments that need it",
         f"void f(int n, double a[n]) {BODY}"),
        (f"void f(double a[n], const long n, double b[n]) {BODY}", "`const long n` before",
         f"void f(const long n, double a[n], double b[n]) {BODY}"),
        (f"void f(int N, double a[N]) {BODY}", "did you mean N?",
         f"void f(int N, double a[N]) {BODY.replace('n;', 'N;')}"),
        (f"void f(int n, double a[n]) {BODY.replace('= 0; }', '= b[i]; }')}", "`double b[n]`",
         f"void f(int n, double a[n], double b[n]) {BODY.replace('= 0; }', '= b[i]; }')}"),
        (f"void f(int n, double a[n]) {BODY.replace('= 0; }', '= scale; }')}", "`double scale`",
         f"void f(double scale, int n, double a[n]) {BODY.replace('= 0; }', '= scale; }')}"),
        (f"void f(int n, double a[n]) {BODY.replace('a[i]', 'a[i + k]')}", "`int k`",
         f"void f(int k, int n, double a[n]) {BODY.replace('a[i]', 'a[i + k]')}"),
        ("double g[9]; void f(void) { for (int i = 0; i < 9; i++) g[i] = scale; }",
         "`double scale`",
         "double g[9]; void f(double scale) { for (int i = 0; i < 9; i++) g[i] = scale; }"),
        ("void f(int n, double image[n]) { for (int i = 0; i < n; i++) imgae[i] = 0; }",
         "did you mean image?",
         "void f(int n, double image[n]) { for (int i = 0; i < n; i++) image[i] = 0; }"),
    ],
)  # fmt: skip
def test_the_fix_is_the_function_that_was_meant(text, hint, right):
    with pytest.raises(pn.PolynbError, match="is not declared") as caught:
        pn.parse(text)
    assert hint in caught.value.hint
    fixed = edited(caught.value.fix)
    assert fixed == right
    pn.parse(fixed)


def test_a_missing_semicolon_is_put_where_it_belongs():
    with pytest.raises(pn.PolynbError, match="unexpected `}`") as caught:
        pn.parse(f"void f(int n, double a[n]) {BODY.replace('0; }', '0 }')}")
    assert edited(caught.value.fix) == f"void f(int n, double a[n]) {BODY}"
