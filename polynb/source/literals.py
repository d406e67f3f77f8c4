"""The literals of the SCoP language, read and written."""

from __future__ import annotations

import math
import re
import sys

from polynb.errors import Edit, PolynbError, Span
from polynb.source.mistakes import mistake
from polynb.source.singles import shortest, single
from polynb.source.tree import Number
from polynb.source.types import DOUBLE, FLOAT, INT32, INT64, UINT32, UINT64, ElementType

LARGEST = {DOUBLE: sys.float_info.max, FLOAT: 3.4028234663852886e38}
LONG = 300  # digits of a decimal number; the beginning of a longer one is too large, too
# The literals' suffixes for integers, as in C.
_SUFFIXES = {INT64: "L", UINT32: "U", UINT64: "UL"}


def read_number(text: str, span: Span) -> Number:
    """A literal: an integer is an int32, or an int64 if it does not fit; with a suffix L, U or UL
    at least an int64, uint32, uint64; `1.5` is a double, `1.5f` a float.

    Raises PolynbError for what is out of range or means something else in C.
    """
    digits, suffix = _split(text)
    is_hexadecimal = digits.lower().startswith("0x")
    if suffix == "f" or (not is_hexadecimal and re.search(r"[.eE]", digits)):
        if suffix not in ("", "f"):
            raise _malformed(text, span, f"`{digits}` is a double, `{digits}f` a float")
        kind = FLOAT if suffix else DOUBLE
        value = single(digits) if suffix else float(digits)
        check_range(text, value, kind, span)
        return Number(value, kind, span=span)
    if not is_hexadecimal and digits[0] == "0" and len(digits) > 1 and digits.isdigit():
        plain = digits.lstrip("0") or "0"
        right = f"{plain}{suffix}"
        raise _malformed(text, span, f"`{right}` (in C, a leading 0 makes it octal)", right)
    kinds = {"": (INT32, INT64), "l": (INT64,), "u": (UINT32, UINT64), "ul": (UINT64,)}
    if suffix not in kinds:
        raise _malformed(text, span, "the suffixes of integers are L, U and UL")
    whole = int(digits, 16) if is_hexadecimal else int(digits[:LONG])
    for kind in kinds[suffix]:
        if whole < 2 ** (8 * kind.size - kind.is_signed):
            return Number(whole, kind, span=span)
    row = "scop.integer-too-large" if len(digits) < LONG else "scop.integer-far-too-large"
    kind = kinds[suffix][-1]
    raise mistake(row, span, text=text, kind=kind, most=kind.most, value=whole)


def check_range(text: str, value: float, kind: ElementType, span: Span) -> None:
    """Raises PolynbError for a floating-point literal that would become infinite."""
    largest = LARGEST[kind]
    if value > largest:
        infinite = kind is DOUBLE or value > LARGEST[DOUBLE]
        row = "scop.infinite" if infinite else "scop.real-too-large"
        plain = text.rstrip("fF")
        raise mistake(row, span, text=text, kind=kind, largest=largest, right=plain)


def _split(text: str) -> tuple[str, str]:
    """The digits and the suffix, in lower case."""
    letters = "uUlL" if text.lower().startswith("0x") else "uUlLfF"
    digits = text.rstrip(letters)
    suffix = text[len(digits) :].lower()
    return digits, {"lu": "ul", "ll": "l", "ull": "ul", "llu": "ul"}.get(suffix, suffix)


def _malformed(text: str, span: Span, hint: str, right: str | None = None) -> PolynbError:
    fix = [] if right is None else [Edit(span, right)]
    return mistake("scop.number", span, fix=fix, text=text, hint=hint)


def written_number(number: Number) -> str:
    """The literal that reads as the same value and type (a negative one after a minus). Types
    that have no literals are said by a cast: `int8(5)`.

    Raises PolynbError for what is no number (NaN) or not finite.
    """
    value, kind = number.value, number.type
    if kind.is_float:
        return _written_float(float(value), kind)
    if kind is (INT32 if abs(value) < 2**31 else INT64):
        return str(value)
    if kind in _SUFFIXES and abs(value) < 2 ** (8 * kind.size):
        return f"{value}{_SUFFIXES[kind]}"
    return f"{kind}({value})"


def _written_float(value: float, kind: ElementType) -> str:
    if math.isfinite(value):
        return f"{shortest(value)}f" if kind is FLOAT else repr(value)
    name, example = ("a NaN", "0.0/0.0") if math.isnan(value) else ("infinity", "1.0/0.0")
    raise mistake("scop.no-literal", None, name=name, example=example)
