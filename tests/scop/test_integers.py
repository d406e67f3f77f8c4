"""Where only integers may stand, a program says so before it is propagated or compiled."""

import pytest

import polynb as pn
from polynb.errors import edited

LOOP = "param N; for i = 0 to N do {} done"


@pytest.mark.parametrize(
    ("body", "place", "said"),
    [
        ("B[i] = A[0.5*i];", "0.5*i", "`int64(0.5*i)`"),
        ("A[0.5*i] = 1;", "0.5*i", "`int64(0.5*i)`"),
        ("B[i] = A[i]^2;", "A[i]^2", "`pow(A[i], 2)`"),
        ("B[i] = A[i] % 3;", "A[i] % 3", "`fmod(A[i], 3)`"),
        ("B[i] = A[i] << 1;", "A[i] << 1", "int64(x)"),
        ("B[i] = ~A[i];", "~A[i]", "int64(x)"),
        ("if A[i] % 2 == 0 then B[i] = 1; fi", "A[i] % 2", "`fmod(A[i], 2)`"),
        ("p = A[i]; B[p] = 1;", "p", "`int64 p;`"),
    ],
)
def test_what_is_no_integer_is_refused_at_its_place(body, place, said):
    with pytest.raises(pn.PolynbError, match="integer") as caught:
        pn.parse(LOOP.format(body))
    assert caught.value.span is not None
    assert caught.value.span.text == place
    assert said in caught.value.hint
    if caught.value.fix:
        pn.compile(pn.parse(edited(caught.value.fix)), threads=1)


@pytest.mark.parametrize(("index", "fixed"), [("0.5*i", "(int64_t)(0.5*i)"), ("A[i]", None)])
def test_c_converts_in_its_own_way(index, fixed):
    body = f"for (int i = 0; i < n; i++) B[i] = A[{index}];"
    text = f"void f(int n, double A[n], double B[n]) {{ {body} }}"
    with pytest.raises(pn.PolynbError, match="a subscript of A is not an integer") as caught:
        pn.parse(text)
    if fixed is not None:
        assert fixed in edited(caught.value.fix)
        pn.parse(edited(caught.value.fix))


def test_an_undeclared_input_in_a_subscript_is_of_integers():
    scop = pn.parse(LOOP.format("B[i] = A[idx[i]];"))
    assert str(scop.arrays["idx"].type) == "int64"
    assert "as a subscript" in scop.arrays["idx"].why
    assert str(scop.arrays["A"].type) == "double"


def test_integers_may_stand_everywhere():
    pn.parse("param N; input int32 A, k; input uint8 H[256]; for i = 0 to N do "
             "B[i] = (A[i] ^ 3) % 5 + H[A[i] & 255] + A[k % 7]; done")  # fmt: skip
