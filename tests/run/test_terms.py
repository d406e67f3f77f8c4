"""Terms: equal values are one object, and nothing else is."""

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
    assert t.binary("*", a, two) is t.binary("*", a, t.number(2.0, DOUBLE))  # C converts it
    i = t.initial("I", (0,), INT32)
    assert t.binary("*", i, two) is not t.binary("*", i, t.number(2.0, DOUBLE))
    assert t.convert(FLOAT, t.number(2**24 + 1, INT32)).op == "convert"
    assert t.number(0.0, DOUBLE) is not t.number(-0.0, DOUBLE)
    assert t.number(1.0, DOUBLE) is not t.number(1.0, FLOAT)
    assert t.convert(DOUBLE, t.number(0.1, FLOAT)) is not t.number(0.1, DOUBLE)


def test_nothing_is_reassociated(t):
    a, b, c = (t.initial(n, (), DOUBLE) for n in "abc")
    left = t.binary("+", t.binary("+", a, b), c)
    assert left is t.binary("+", t.binary("+", a, b), c)
    assert left is not t.binary("+", a, t.binary("+", b, c))
    assert t.binary("-", a, b) is not t.binary("-", b, a)
    assert t.binary("-", a, a).op == "-"


def test_what_has_the_same_bits_for_every_value_is_one_term(t):
    a, b = (t.initial(n, (), DOUBLE) for n in "ab")
    i, u = t.initial("i", (), INT32), t.initial("u", (), UINT32)
    one, zero = t.number(1, INT32), t.number(0.0, DOUBLE)
    assert t.binary("*", a, b) is t.binary("*", b, a)
    assert str(t.binary("*", b, a)) == "(a * b)"  # as it was made first
    assert t.unary("-", t.unary("-", a)) is a
    assert t.unary("-", t.unary("-", u)) is u
    assert t.unary("-", t.unary("-", i)) is not i  # overflows
    assert t.binary("*", a, one) is t.binary("/", a, one) is t.binary("-", a, zero) is a
    assert t.binary("+", a, t.number(-0.0, DOUBLE)) is a
    assert t.binary("+", a, zero) is not a  # -0.0 + 0.0 is 0.0
    assert t.binary("/", one, a) is not a
    assert t.binary("-", zero, a) is not a
    assert t.binary("<", a, b) is t.binary(">", b, a)
    assert t.binary("<=", a, b) is not t.unary("!", t.binary(">", a, b))  # of no numbers
    assert t.binary("<=", i, u) is t.unary("!", t.binary(">", i, u))
    assert t.binary("!=", a, b) is t.unary("!", t.binary("==", b, a))


def test_the_form_of_a_selection_does_not_matter(t):
    a, b, c = (t.initial(n, (), DOUBLE) for n in "abc")
    less, i = t.binary("<", a, b), t.initial("i", (), INT32)
    assert t.choose(t.unary("!", less), a, b) is t.choose(less, b, a)
    assert t.choose(less, a, t.choose(less, b, c)) is t.choose(less, a, c)
    assert t.choose(t.unary("!", less), c, t.choose(less, a, b)) is t.choose(less, a, c)
    assert t.choose(t.binary(">=", a, b), b, a) is not t.choose(less, a, b)  # of no numbers
    positive, not_ = (t.binary(op, i, t.number(0, INT32)) for op in (">", "<="))
    assert t.choose(positive, a, b) is t.choose(not_, b, a)


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
    assert str(term) == "(sqrt(double(x[3])) + 2.0)"
    deep, other = x, x
    for k in range(50):
        deep = t.binary("*", deep, x if k else y)
        other = t.binary("*", other, x)
    assert "..." in str(deep)
    assert len(str(deep)) < 100
    assert first_difference(deep, other) == (y, x)
