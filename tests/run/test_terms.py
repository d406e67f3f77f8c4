"""Terms: equal values are one object, and nothing else is."""

from __future__ import annotations

import pytest

from polynb.errors import PolynbError
from polynb.run.terms import Terms, first_difference
from polynb.source.types import DOUBLE, FLOAT, INT8, INT32, INT64, UINT8, UINT32


@pytest.fixture
def t():
    return Terms()


def test_whole_numbers_are_computed_as_in_c(t):
    def number(value, type=INT32):
        return t.number(value, type)

    def value(op, a, b):
        return t.integer(t.binary(op, a, b))

    assert value("/", number(-7), number(2)) == -3
    assert value("%", number(-7), number(2)) == -1
    assert value("floord", number(-7), number(2)) == -4
    assert value("mod", number(-7), number(2)) == 1
    assert value("+", number(2**31 - 1), number(1)) == -(2**31)
    assert value("+", number(2**31 - 1, INT64), number(1)) == 2**31
    assert value("<", number(-1), number(1, UINT32)) == 0
    assert t.integer(t.convert(UINT8, number(300))) == 44
    assert t.binary("/", number(1), number(0)).op == "undefined"


def test_literals_keep_their_type(t):
    a = t.initial("A", (0,), DOUBLE)
    two = t.number(2, INT32)
    assert t.binary("*", a, two) is t.binary("*", a, t.number(2, INT64))
    assert t.binary("*", a, two) is not t.binary("*", a, t.number(2.0, DOUBLE))
    assert t.number(0.0, DOUBLE) is not t.number(-0.0, DOUBLE)
    assert t.number(1.0, DOUBLE) is not t.number(1.0, FLOAT)


def test_nothing_is_reassociated_or_commuted(t):
    a, b, c = (t.initial(n, (), DOUBLE) for n in "abc")
    left = t.binary("+", t.binary("+", a, b), c)
    assert left is t.binary("+", t.binary("+", a, b), c)
    assert left is not t.binary("+", a, t.binary("+", b, c))
    assert t.binary("*", a, b) is not t.binary("*", b, a)
    assert t.binary("-", a, a).op == "-"


def test_conversions(t):
    f, d, i = t.initial("f", (), FLOAT), t.initial("d", (), DOUBLE), t.initial("i", (), INT8)
    assert t.convert(FLOAT, t.convert(DOUBLE, f)) is f
    assert t.convert(DOUBLE, t.convert(FLOAT, d)) is not d
    assert t.convert(INT8, t.convert(INT64, i)) is i
    assert t.convert(UINT8, t.convert(INT32, i)) is t.convert(UINT8, i)
    assert t.convert(INT8, t.convert(UINT8, i)) is not i
    # Only what an arithmetic type cannot hold is lost: an int8 through a float is not.
    assert t.convert(INT8, t.convert(FLOAT, i)) is i


def test_conditions(t):
    a, b = (t.binary("<", t.initial(n, (), DOUBLE), t.number(0, INT32)) for n in "ab")
    yes, no = t.number(1, INT32), t.number(0, INT32)
    assert t.binary("&&", a, b) is t.binary("&&", b, a)
    assert t.binary("&&", t.binary("&&", a, b), a) is t.binary("&&", a, b)
    assert t.binary("&&", a, b) is not t.binary("||", a, b)
    assert t.binary("&&", a, yes) is a
    assert t.binary("&&", a, no) is no
    assert t.binary("||", a, yes) is yes
    assert t.unary("!", t.unary("!", a)) is a
    x = t.initial("x", (), DOUBLE)
    assert t.select(a, x, x) is x
    assert t.select(yes, no, x) is t.convert(DOUBLE, no)
    assert t.select(x, x, b) is t.select(t.binary("!=", x, no), x, b)


def test_what_c_does_not_have(t):
    x = t.initial("x", (), DOUBLE)
    for op in ("%", "<<", "&"):
        with pytest.raises(PolynbError, match="floating-point"):
            t.binary(op, x, t.number(2, INT32))
    with pytest.raises(PolynbError, match="takes 1 arguments"):
        t.call("sqrt", [x, x])


def test_terms_are_shown_shortened_and_differences_are_found(t):
    x, y = t.initial("x", (3,), FLOAT), t.initial("y", (), FLOAT)
    term = t.binary("+", t.call("sqrt", [x]), t.number(2, INT32))
    assert str(term) == "(sqrt(double(x[3])) + double(2))"
    deep, other = x, x
    for k in range(50):
        deep = t.binary("*", deep, x if k else y)
        other = t.binary("*", other, x)
    assert "..." in str(deep)
    assert len(str(deep)) < 100
    assert first_difference(deep, other) == (y, x)
