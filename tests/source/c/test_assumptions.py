"""What a C text says of its parameters before it does anything is an assumption."""

import pytest

import polynb as pn

HEAD = "#include <assert.h>\nvoid f(int n, int m, double A[n], double B[n]) {{ {} {} }}"
LOOP = "for (int i = 0; i < n; i++) B[i] = A[i];"


def program(first: str, loop: str = LOOP) -> pn.Scop:
    return pn.parse(HEAD.format(first, loop))


@pytest.mark.parametrize(
    ("text", "assumed"),
    [
        ("assert(n >= 1);", "[n] -> { : n >= 1 }"),
        ("if (n < 1) return;", "[n] -> { : n >= 1 }"),
        ("if (n < 1) { return; }", "[n] -> { : n >= 1 }"),
        ("double x; if (!(n > 1)) return;", "[n] -> { : n > 1 }"),
        ("assert(n > 0 && m > 1); assert(m < n);", "[n, m] -> { : n > 0 and 1 < m < n }"),
        ("if (n <= 2 || m == 3) return;", "[n, m] -> { : n > 2 and m != 3 }"),
        ("", "[n] -> { : }"),
    ],
)
def test_it_is_read(text, assumed):
    scop = program(text)
    assert scop.context.is_equal(pn.isl.read_set(assumed).params())
    again = pn.parse(str(scop))
    assert again.context.is_equal(scop.context)


def test_it_says_where_a_read_is_inside():
    hoisted = "double c = A[0]; for (int i = 0; i < n; i++) B[i] = c;"
    scop = program("if (n < 1) return;", hoisted)
    assert scop.requires.is_equal(pn.isl.read_set("[n] -> { : }").params())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("B[0] = 1; assert(n > 0);", "the call of assert gives nothing back"),
        ("B[0] = 1; if (n < 1) return;", "`return` cannot be part of a loop nest"),
        ("if (n < 1) return; else B[0] = 2;", "`return` cannot be part of a loop nest"),
        ("assert(A[0] > 1);", "an assumption is not affine"),
        ("assert(n > 3 && n < 2);", "no parameter values satisfy these assumptions"),
    ],
)
def test_what_is_none_is_refused(text, said):
    with pytest.raises(pn.PolynbError, match=said):
        program(text)
