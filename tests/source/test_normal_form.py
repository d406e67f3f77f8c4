"""Affine expressions in normal form mean the same, and read well."""

from hypothesis import assume, given, strategies as st

from polynb.source import tree as t
from polynb.source.normal_form import affine_parts, normal_form
from polynb.source.scoplang.printer import print_affine
from polynb.source.type_inference import Types, type_of
from polynb.source.types import DOUBLE, INT32, INT64

ARRAYS = {"A": DOUBLE, "n": INT32}
ITERATORS = {"i": 5, "j": -3, "k": 8}
PARAMETERS = {"N": 11, "M": -7}

i, j, N = t.Iterator("i"), t.Iterator("j"), t.Parameter("N")


def number(v):
    return t.Number(v, INT32 if abs(v) < 2**31 else INT64)


def b(op, left, right):
    left, right = (number(x) if isinstance(x, int) else x for x in (left, right))
    return t.Binary(op, left, right)


def text(e):
    return print_affine(normal_form(e))


# -- how it reads ---------------------------------------------------------------------------


def test_examples():
    assert text(b("+", b("-", i, 1), 1)) == "i"
    assert text(b("+", b("*", 2, b("-", i, 1)), 3)) == "2*i+1"
    assert text(b("-", N, i)) == "N-i"
    assert text(b("+", t.Unary("-", i), N)) == "N-i"
    assert text(b("-", 1, i)) == "1-i"
    assert text(t.Unary("-", b("+", i, 1))) == "-i-1"
    assert text(b("*", b("+", i, j), -2)) == "-2*i-2*j"
    assert text(b("-", b("+", i, N), i)) == "N"
    assert text(b("+", t.Unary("+", i), 0)) == "i"
    assert text(b("floord", b("+", b("*", 2, j), 4), 2)) == "j+2"
    assert text(b("floord", b("+", i, b("-", 2, 1)), 2)) == "floord(i+1,2)"
    assert text(b("mod", b("+", b("*", 2, j), 1), 2)) == "1"
    assert text(b("-", i, b("*", 2, b("floord", i, 2)))) == "mod(i,2)"
    assert text(b("-", b("*", 3, i), b("*", 6, b("floord", i, 2)))) == "3*mod(i,2)"


def test_subscripts_are_normalised_inside_of_what_is_not_affine():
    e = b("*", t.Access("A", (b("+", b("-", i, 1), 1),)), b("+", i, i))
    assert text(e) == "A[i]*(2*i)"


def test_values_are_left_alone():
    for e in (
        b("/", b("*", 2, i), 2),
        b("%", i, 1),
        b("+", t.Number(1.5, DOUBLE), t.Number(2.0, DOUBLE)),
        b("*", i, i),
        b("+", t.Access("A", (i,)), t.Unary("-", t.Number(0.0, DOUBLE))),
        b("<", i, 4),
        t.Cast(INT32, i),
        b("floord", i, -2),
        b("<<", number(1), number(2)),
    ):
        assert normal_form(e) is e


def test_nothing_is_reassociated_around_a_float():
    e = b("+", b("+", i, t.Number(1.5, DOUBLE)), b("+", 1, 2))
    assert text(e) == "i+1.5+3"


def test_a_folded_literal_has_the_type_of_what_it_was_folded_from():
    types = Types(ARRAYS)
    assert types.of(normal_form(b("-", b("+", i, 3), i))) is INT64
    assert types.of(normal_form(b("*", b("+", 1, 2), 3))) is INT32
    assert normal_form(b("*", 2**30, b("*", i, 4))).left.type is INT64
    assert types.of(normal_form(b("-", 2**31, 1))) is INT64
    least = normal_form(b("-", b("-", 1 - 2**31, 1), 0))  # a literal would be one of an int64
    assert (types.of(least), value(least)) == (INT32, -(2**31))
    assert types.of(normal_form(b("*", 2**16, 2**16))) is INT64  # no int of C's has it


def test_unchanged_parts_stay_the_same_nodes():
    subscript = b("+", i, 1)
    access = t.Access("A", (subscript,))
    changed = t.Access("A", (b("-", b("+", i, 1), 1),))
    e = b("+", b("*", access, access), changed)
    new = normal_form(e)
    assert new is not e
    assert new.left is e.left
    assert normal_form(new) is new
    once = normal_form(b("*", changed, changed))
    assert once.left is once.right


def test_deep_expressions_take_linear_time_and_no_stack():
    e = i
    for _ in range(5000):
        e = b("+", e, 1)
    assert text(e) == "i+5000"
    square = t.Access("A", (b("+", i, 0),))
    for _ in range(300):
        square = b("*", square, square)
    assert sum(1 for _ in t.walk(normal_form(square))) == 302


# -- what it means --------------------------------------------------------------------------


def leaves():
    return st.one_of(
        st.integers(-9, 9).map(number),
        st.sampled_from([number(v) for v in (2**31 - 1, 2**31, 1 - 2**31)]),
        st.sampled_from([t.Number(v, INT64) for v in (0, 1, 3)]),
        st.sampled_from([t.Iterator(n) for n in ITERATORS]),
        st.sampled_from([t.Parameter(n) for n in PARAMETERS]),
        st.just(t.Access("n")),
    )


def operations(inner):
    constants = st.integers(1, 5).map(number)
    return st.one_of(
        st.builds(t.Binary, st.sampled_from(["+", "-", "*"]), inner, inner),
        st.builds(t.Binary, st.sampled_from(["floord", "mod"]), inner, constants),
        st.builds(divided_and_back, inner, inner, st.integers(1, 4)),
        st.builds(t.Unary, st.sampled_from(["-", "+"]), inner),
        st.builds(lambda x, y: t.Call("min", (x, y)), inner, inner),
        st.builds(t.Select, inner, inner, inner),
    )


def divided_and_back(x, y, d):
    """A remainder, written in two ways at once."""
    whole = t.Binary("*", number(d), t.Binary("floord", y, number(d)))
    remainder = t.Binary("mod", y, number(d))
    return t.Binary("+", x, t.Binary("-", t.Binary("-", y, remainder), whole))


def overflows(e):
    """Whether C says nothing of it."""
    kinds = Types(ARRAYS)
    numbers = [x for x in t.walk(e) if not isinstance(x, t.Iterator | t.Parameter | t.Access)]
    return any(kinds.of(x) is INT32 and abs(value(x) + 0.5) > 2**31 for x in numbers)


def value(e):
    match e:
        case t.Number(value=v):
            return v
        case t.Iterator(name=n):
            return ITERATORS[n]
        case t.Parameter(name=n):
            return PARAMETERS[n]
        case t.Access():
            return 2
        case t.Unary(op=op, operand=x):
            return -value(x) if op == "-" else value(x)
        case t.Call(arguments=(x, y)):
            return min(value(x), value(y))
        case t.Select(condition=c, then=x, otherwise=y):
            return value(x) if value(c) else value(y)
        case t.Binary(op=op, left=x, right=y):
            u, v = value(x), value(y)
            match op:
                case "+":
                    return u + v
                case "-":
                    return u - v
                case "*":
                    return u * v
                case "floord":
                    return u // v
                case "mod":
                    return u % v
    raise AssertionError(e)


@given(st.recursive(leaves(), operations, max_leaves=12))
def test_normal_forms_have_the_same_value_and_type(e):
    assume(not overflows(e))
    new = normal_form(e)
    assert value(new) == value(e)
    assert type_of(new, ARRAYS) is type_of(e, ARRAYS)


@given(st.recursive(leaves(), operations, max_leaves=12))
def test_normal_forms_are_normal(e):
    new = normal_form(e)
    assert normal_form(new) is new
    assert id(new) in affine_parts(new) or not (affine_parts(e) & {id(e)})
