"""Literals of type float: the value is rounded once, from what is written. By way of a double some
are rounded to another one: `1.0000001788139343261718750001f`, to the even neighbour of a tie."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

_DIGITS = 9  # of a decimal number, which tell any two floats apart


def double(text: str) -> float:
    """The double that a real literal without its suffix is, also a hexadecimal one.

    >>> double("0x1.8p1")
    3.0
    """
    if not _hexadecimal(text):
        return float(text)
    try:
        return float.fromhex(text)
    except OverflowError:
        return math.inf


def single(text: str) -> float:
    """The float that a real literal without its suffix is, as a double of the same value; a
    number that is too large for a float, at least as large.

    >>> single("16777217.0")
    16777216.0
    """
    near = double(text)
    # Beyond these, the exact number may have millions of digits.
    return nearest(_exact(text)) if 0 < near < 2.0**128 else near


def nearest(value: Fraction) -> float:
    """The float nearest to a number, of two the even one.

    >>> nearest(Fraction(2**24 + 1))
    16777216.0
    """
    if abs(value) >= 2**128:
        return float(value)
    _, exponent = math.frexp(value)
    unit = Fraction(2) ** max(exponent - 24, -149)
    return float(round(value / unit) * unit)


def shortest(value: float) -> str:
    """The shortest decimal number that, with an `f` after it, is this float.

    >>> shortest(single("0.1"))
    '0.1'
    """
    value = nearest(Fraction(value)) if value else value  # 0 has a sign
    texts = (repr(float(f"{value:.{digits}g}")) for digits in range(1, _DIGITS + 1))
    same = (t for t in texts if math.copysign(single(t.lstrip("-")), value) == value)
    return next(same, repr(value))


def _hexadecimal(text: str) -> bool:
    return text[:2] in ("0x", "0X")


def _exact(text: str) -> Fraction:
    """The number that is written."""
    if not _hexadecimal(text):
        return Fraction(Decimal(text))
    digits, _, power = text[2:].lower().partition("p")
    whole, _, part = digits.partition(".")
    return int(whole + part, 16) * Fraction(2) ** (int(power) - 4 * len(part))
