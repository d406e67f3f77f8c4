"""Constants as values: what is stored, after its conversion, is the constant's name."""

from __future__ import annotations

import math
import re
import struct

from polynb.source.tree import Cast, Expr, Let, Number, Unary
from polynb.source.types import FLOAT, ElementType


def constant_name(e: Expr, stored: ElementType) -> str | None:
    """The name of the constant that an expression leaves in an element of a type, `m0p5_double`:
    one name for each value (0.0 is not -0.0) and type. None for what is no literal, or is one whose
    conversion is not the same everywhere."""
    found = _literal(e)
    value = None if found is None else _converted(*found, stored)
    if value is None:
        return None
    digits = repr(value).removesuffix(".0")
    return re.sub(r"\W", lambda m: {"-": "m", ".": "p"}.get(m[0], ""), digits) + f"_{stored}"


def _literal(e: Expr) -> tuple[int | float, ElementType] | None:
    """The value and the type of a literal, perhaps behind signs and conversions."""
    match e:
        case Number(value=v, type=t):
            return v, t
        case Let(value=inner):
            return _literal(inner)
        case Cast(type=t, operand=inner):
            found = _literal(inner)
            value = None if found is None else _converted(*found, t)
            return None if value is None else (value, t)
        case Unary(op="-", operand=inner):
            return _negated(_literal(inner))
    return None


def _negated(
    found: tuple[int | float, ElementType] | None,
) -> tuple[int | float, ElementType] | None:
    if found is None or not (found[1].is_float or (found[1].is_signed and found[1].size >= 4)):
        return None
    value = _converted(-found[0], found[1], found[1])
    return None if value is None else (value, found[1])


def _converted(value: int | float, was: ElementType, to: ElementType) -> int | float | None:
    """C's conversion of a value (C99 6.3.1); None where it would be undefined, or up to the
    compiler, or round twice here."""
    if was.is_float and not math.isfinite(value):
        return None
    if not to.is_float:
        low = -(2 ** (8 * to.size - 1)) if to.is_signed else 0
        whole = int(value)
        return whole if low <= whole < low + 2 ** (8 * to.size) else None
    if not was.is_float and abs(value) > 2**53:
        return None
    if to is FLOAT:
        try:
            return float(struct.unpack("f", struct.pack("f", float(value)))[0])
        except OverflowError:
            return None
    return float(value)
