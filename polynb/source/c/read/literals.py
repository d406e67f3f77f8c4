"""C's literals -> numbers, and arithmetic on constants."""

from __future__ import annotations

import re
from fractions import Fraction

from polynb.source.literals import LONG
from polynb.source.singles import double, nearest, single
from polynb.source.tree import Binary, Cast, Expr, Number, Unary
from polynb.source.types import (
    DOUBLE,
    FLOAT,
    INT32,
    INT64,
    UINT32,
    UINT64,
    ElementType,
    common_type,
    promote,
    wrap,
)

_INTEGER = re.compile(
    r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)"
    r"([uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?|)"
)
_FLOAT = re.compile(
    r"((?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)([fFlL]?)"
)
_HEX_FLOAT = re.compile(
    r"(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)([fFlL]?)"
)
_ESCAPES = dict(zip("abfnrtv\\'\"?0", "\a\b\f\n\r\t\v\\'\"?\0", strict=True))


def number(text: str) -> tuple[int | float, ElementType | None] | None:
    """The value and type of a numeric literal (C99 6.4.4.1 and 6.4.4.2); the type is None for a
    long double, the whole None for what is no number.

    >>> number("0x10u")
    (16, ElementType(name='uint32', c_name='uint32_t', size=4, is_float=False, is_signed=False))
    """
    if found := _INTEGER.fullmatch(text):
        digits, suffix = found[1], found[2].lower()
        base = 10
        if digits[0] == "0" and len(digits) > 1:
            base = {"x": 16, "b": 2}.get(digits[1].lower(), 8)
        value = int(digits[:LONG]) if base == 10 else int(digits[2 if base != 8 else 0 :], base)
        kind = _integer_type(value, "u" in suffix, "l" in suffix, base == 10)
        return None if kind is None else (value, kind)
    if found := _FLOAT.fullmatch(text) or _HEX_FLOAT.fullmatch(text):
        kinds: dict[str, ElementType | None] = {"": DOUBLE, "f": FLOAT, "l": None}
        real = kinds[found[2].lower()]
        return (single if real is FLOAT else double)(found[1]), real
    return None


def _integer_type(value: int, unsigned: bool, long: bool, decimal: bool) -> ElementType | None:
    """The first type of C's list that holds the value; None where none does."""
    for kind in (INT32, UINT32, INT64, UINT64):
        if (kind.is_signed and unsigned) or (long and kind.size == 4):
            continue
        if not kind.is_signed and not unsigned and decimal:
            continue
        if value < 2 ** (8 * kind.size - kind.is_signed):
            return kind
    return None


def character(text: str) -> int | None:
    """The value of a character constant such as 'a' or '\\n'; None for a multi-character one."""
    body = text[text.index("'") + 1 : -1]
    if len(body) == 1:
        return ord(body) if ord(body) < 128 else None
    if body[0] != "\\":
        return None
    if body[1:] in _ESCAPES:
        return ord(_ESCAPES[body[1:]])
    if re.fullmatch(r"\\[0-7]{1,3}", body):
        value = int(body[1:], 8)
    elif re.fullmatch(r"\\x[0-9a-fA-F]{1,2}", body):
        value = int(body[2:], 16)
    else:
        return None
    return value - 256 if value > 127 else value


def constant(e: Expr, *, wraps: bool = True) -> int | None:
    """The value of an integer constant expression, as C computes it (or, not `wraps`, as if
    unsigned types had all integers); None for anything else."""
    found = _constant(e, wraps)
    return None if found is None else found[0]


def _constant(e: Expr, wraps: bool) -> tuple[int, ElementType] | None:
    match e:
        case Number(value=int(v), type=t):
            return v, t
        case Unary(op="-" | "+" as op, operand=x):
            inner = _constant(x, wraps)
            if inner is None:
                return None
            return _in_type(-inner[0] if op == "-" else inner[0], promote(inner[1]), wraps)
        case Cast(type=t, operand=x) if not t.is_float:
            inner = _constant(x, wraps)
            return None if inner is None else (wrap(inner[0], t), t)
        case Binary(op=op, left=a, right=b):
            left, right = _constant(a, wraps), _constant(b, wraps)
            if left is None or right is None:
                return None
            kind = promote(left[1]) if op == "<<" else common_type(left[1], right[1])
            if wraps and not kind.is_signed and op != "<<":
                left, right = (wrap(left[0], kind), kind), (wrap(right[0], kind), kind)
            value = _folded(op, left[0], right[0])
            return None if value is None else _in_type(value, kind, wraps)
    return None


def _in_type(value: int, kind: ElementType, wraps: bool) -> tuple[int, ElementType]:
    """Unsigned arithmetic wraps around; signed arithmetic that does has no meaning."""
    return (wrap(value, kind) if wraps and not kind.is_signed else value), kind


def _folded(op: str, a: int, b: int) -> int | None:
    """C's arithmetic; None where the constant has no meaning (division by zero)."""
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%" if b:
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if op == "/" else a - quotient * b
        case "<<" if 0 <= b < 63:
            return a << b
    return None


def converted(value: int | float, kind: ElementType) -> int | float:
    """What a conversion makes of a constant; an integer type, of an integer."""
    if not kind.is_float:
        return wrap(int(value), kind)
    return nearest(Fraction(value)) if kind is FLOAT and value else float(value)


def literal(value: int | float, kind: ElementType, like: Expr) -> Expr:
    """A literal of that value; a negative one is C's minus before a positive literal."""
    plain = Number(abs(value), kind, span=like.span)
    negative = value < 0 or (isinstance(value, float) and str(value).startswith("-"))
    return Unary("-", plain, span=like.span) if negative else plain


def shifted(e: Expr, by: int) -> Expr:
    """`e + by`, with the constants of a sum put together: `n - 1` shifted by 1 is `n`."""
    value = constant(e)
    if value is not None:
        return literal(value + by, INT32 if abs(value + by) < 2**31 else INT64, e)
    span = e.span
    match e:
        case Binary(op="+" | "-" as op, left=a, right=Number(value=int(v))):
            e, by = a, by + (v if op == "+" else -v)
    if by == 0:
        return e
    return Binary("+" if by > 0 else "-", e, Number(abs(by), INT32, span=span), span=span)
