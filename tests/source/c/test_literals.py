"""C's literals and constants."""

import math

import pytest

from polynb.source.c.read.literals import character, constant, literal, number, shifted
from polynb.source.tree import Binary, Number, Parameter, Unary
from polynb.source.types import DOUBLE, INT32


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("0", 0, "int32"),
        ("2147483647", 2**31 - 1, "int32"),
        ("2147483648", 2**31, "int64"),
        ("0x80000000", 2**31, "uint32"),
        ("0x7fffffff", 2**31 - 1, "int32"),
        ("0xFFFFFFFFFFFFFFFF", 2**64 - 1, "uint64"),
        ("4294967296u", 2**32, "uint64"),
        ("7l", 7, "int64"),
        ("7LLU", 7, "uint64"),
        ("017", 15, "int32"),
        ("0b101", 5, "int32"),
        ("1.5", 1.5, "double"),
        ("1.f", 1.0, "float"),
        (".25e2", 25.0, "double"),
        ("1e-3F", float.fromhex("0x1.0624dep-10"), "float"),
        ("0.1f", float.fromhex("0x1.99999ap-4"), "float"),
        ("16777217.0f", 16777216.0, "float"),
        ("1.000000059604644775390625f", 1.0, "float"),
        ("0x1.000001p0f", 1.0, "float"),
        ("0X1.000003P0F", float.fromhex("0x1.000004p0"), "float"),
        # A double would be the tie between two floats.
        ("1.0000001788139343261718750001f", float.fromhex("0x1.000004p0"), "float"),
        ("1.0000001788139343261718749999f", float.fromhex("0x1.000002p0"), "float"),
        ("0x1.0000030000000000000001p0f", float.fromhex("0x1.000004p0"), "float"),
        ("1e-45f", float.fromhex("0x1p-149"), "float"),
        ("7e-46f", 0.0, "float"),
        ("3.4028235678e38f", 2.0**128, "float"),
        ("1e999999999f", math.inf, "float"),
        ("0x1p9999", math.inf, "double"),
        ("0x1.8p1", 3.0, "double"),
    ],
)
def test_numbers(text, value, kind):
    found, type_ = number(text)
    assert (found, type(found), type_.name) == (value, type(value), kind)


@pytest.mark.parametrize("text", ["08", "1x", "0x", "1.2.3", "1e", "0b2", "1lul", "9" * 30, "1uf"])
def test_what_is_no_number(text):
    assert number(text) is None


def test_long_doubles_have_no_type():
    assert number("1.0L") == (1.0, None)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("'a'", 97),
        ("'\\n'", 10),
        ("'\\''", 39),
        ("'\\\\'", 92),
        ("'\\0'", 0),
        ("'\\101'", 65),
        ("'\\xff'", -1),
        ("L'a'", 97),
        ("'ab'", None),
        ("'\\q'", None),
        ("'é'", None),
    ],
)
def test_characters(text, code):
    assert character(text) == code


def int_(value):
    return Number(value, INT32)


@pytest.mark.parametrize(
    ("op", "a", "b", "value"),
    [
        ("+", 2, 3, 5),
        ("/", -7, 2, -3),
        ("%", -7, 2, -1),
        ("/", 7, -2, -3),
        ("%", 7, -2, 1),
        ("/", 7, 0, None),
        ("<<", 3, 4, 48),
        ("<<", 3, 70, None),
        ("<", 1, 2, None),
    ],
)
def test_constants_are_cs(op, a, b, value):
    left = literal(a, INT32, int_(0))
    assert constant(Binary(op, left, literal(b, INT32, left))) == value


def test_no_constants():
    assert constant(Number(1.0, DOUBLE)) is None
    assert constant(Binary("+", Parameter("n"), int_(1))) is None


def test_shifted_sums_keep_one_constant():
    n = Parameter("n")
    assert shifted(Binary("+", n, int_(1)), -1) is n
    assert shifted(n, 0) is n
    down = shifted(Binary("-", n, int_(1)), -1)
    assert (down.op, down.left, down.right.value) == ("-", n, 2)
    up = shifted(Binary("-", n, int_(1)), 3)
    assert (up.op, up.right.value) == ("+", 2)
    assert isinstance(shifted(int_(0), -1), Unary)
