"""C's math functions that a SCoP may call: pure, without errno's help, and free of traps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from polynb.errors import Span
from polynb.source.types import DOUBLE, FLOAT, INT32, INT64, ElementType


@dataclass(frozen=True)
class MathFunction:
    """A C99 function: its name, the types of its arguments and of its result, its header."""

    name: str
    arguments: tuple[ElementType, ...]
    result: ElementType
    header: str = "math.h"


_UNARY = """acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor
log log10 log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc"""
_BINARY = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder"
_ROUNDING = ["llrint", "llround"]


def _table() -> dict[str, MathFunction]:
    found = []
    for suffix, real in (("", DOUBLE), ("f", FLOAT)):
        found += [MathFunction(n + suffix, (real,), real) for n in _UNARY.split()]
        found += [MathFunction(n + suffix, (real, real), real) for n in _BINARY.split()]
        found += [MathFunction(n + suffix, (real,), INT64) for n in _ROUNDING]
        found.append(MathFunction("fma" + suffix, (real, real, real), real))
    found.append(MathFunction("abs", (INT32,), INT32, "stdlib.h"))
    found.append(MathFunction("llabs", (INT64,), INT64, "stdlib.h"))
    return {f.name: f for f in found}


# Functions whose results are exact, or correctly rounded, whoever computes them. (`fmax` and `fmin`
# are not among them: of two zeros each compiler takes another one.)
_ROUNDED: Final = frozenset(
    {"abs", "ceil", "copysign", "fabs", "fdim", "floor", "fma", "fmod", "llabs", "llrint"}
    | {"llround", "logb", "nearbyint", "nextafter", "remainder", "rint", "round", "sqrt", "trunc"}
)


def depends_on_library(name: str) -> bool:
    """Whether a math function may give other last bits where another library computes it."""
    return not _ROUNDED & {name, name.removesuffix("f")}


# By name. `sqrt` of a float argument computes in double, as in C; `sqrtf` in float.
MATH_FUNCTIONS = _table()


def argument_names(function: str) -> tuple[str, ...] | None:
    """Names for the arguments of a C function, as many as it takes; None for what is none."""
    known = MATH_FUNCTIONS.get(function)
    return None if known is None else tuple("xyz"[: len(known.arguments)])


def definition(function: str, arguments: int, span: Span | None = None) -> str:
    """What defines a function, in the language of the text that the span is of."""
    names = "xyz"[:arguments] if arguments <= 3 else [f"x{k}" for k in range(1, arguments + 1)]
    if span is not None and re.search(r"[{}]|\bfor\s*\(", span.source.text):
        given = ", ".join(f"double {n}" for n in names) or "void"
        return f"double {function}({given}) {{ return ...; }}"
    return f"define {function}({', '.join(names)}) = ...;"


# Calls that are no C functions: `min(a, b)` is `a < b ? a : b`, `max(a, b)` is `a > b ? a : b`.
EXTREMA = ("min", "max")
