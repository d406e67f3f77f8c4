"""Constants as values: known by their literals, and the type of the element they are stored in."""

from __future__ import annotations

import math
import re

from polynb.source.literals import LARGEST
from polynb.source.tree import Cast, Expr, Let, Number, Unary
from polynb.source.types import FLOAT, ElementType


def constant_name(e: Expr, stored: ElementType) -> str | None:
    """The name of the constant that an expression leaves in an element of a type, `m0p5_double`:
    its literal (0.0 is not -0.0, nor 0 one of them, which `pn.equivalent` tells apart as well) and
    that type. None for what is no literal, or is one whose conversion is not the same everywhere.
    """
    found = _literal(e, stored)
    if found is None or not _defined(*found, stored):
        return None
    value, kind = found
    digits = re.sub(r"\W", lambda m: {"-": "m", ".": "p"}.get(m[0], ""), repr(value))
    return f"{digits}{'f' if kind is FLOAT else ''}_{stored}"


def _literal(e: Expr, stored: ElementType) -> tuple[int | float, ElementType] | None:
    """The value and the type of a literal, perhaps behind a sign, and behind the conversion that
    storing it does anyway."""
    match e:
        case Number(value=v, type=t):
            return v, t
        case Let(value=inner):
            return _literal(inner, stored)
        case Cast(type=t, operand=inner) if t == stored:
            return _literal(inner, stored)
        case Unary(op="-", operand=Number(value=v, type=t)):
            return (-v, t) if t.is_signed else None
    return None


def _defined(value: int | float, was: ElementType, to: ElementType) -> bool:
    """Whether C says what the conversion of a value gives (C99 6.3.1)."""
    if was.is_float and not math.isfinite(value):
        return False
    if not to.is_float:
        low = -(2 ** (8 * to.size - 1)) if to.is_signed else 0
        return bool(low <= int(value) < low + 2 ** (8 * to.size))
    return to is not FLOAT or abs(value) <= LARGEST[FLOAT]
