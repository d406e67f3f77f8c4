"""C's arithmetic on whole numbers, and C's math functions: what both executions agree on."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction

from polynb.errors import PolynbError
from polynb.source.functions import EXTREMA, MATH_FUNCTIONS
from polynb.source.types import DOUBLE, ElementType, common_type, promote, wrap

WHOLE_ONLY = ("%", "&", "|", "^", "<<", ">>", "floord", "mod", "~")


def whole(op: str, a: int, b: int, type: ElementType) -> int | None:
    """`a op b` in an integer type, for C's operators (`/` and `%` truncate), floord and mod.

    None where C leaves it undefined: a division by zero, a shift by less than 0 or too much.
    """
    value = exact_whole(op, a, b, type)
    return None if value is None else wrap(value, type)


def exact_whole(op: str, a: int, b: int, type: ElementType) -> int | None:
    """The same over all integers, in the range of its type or not."""
    if op in ("/", "%", "floord", "mod") and b == 0:
        return None
    if op in ("<<", ">>") and not 0 <= b < 8 * type.size:
        return None
    return _EXACT[op](a, b)


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_EXACT: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "/": _quotient,
    "%": lambda a, b: a - _quotient(a, b) * b,
    "floord": operator.floordiv,
    "mod": operator.mod,  # isl's: the divisor's magnitude, and never negative for b > 0
}

COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
"""C's comparisons."""


# -- math functions --------------------------------------------------------------------


def _round(x: float) -> float:
    """Halfway cases away from zero (C99 7.12.9.6)."""
    if not math.isfinite(x):
        return x
    nearest = float(math.trunc(x))
    if abs(x - nearest) >= 0.5:
        nearest += math.copysign(1.0, x)
    return math.copysign(nearest, x)


def _fma(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once."""
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact) if exact else a * b + c
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _tgamma(x: float) -> float:
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.copysign(math.inf, x) if x == 0 else math.nan


def _logb(x: float) -> float:
    if x == 0 or not math.isfinite(x):
        return -math.inf if x == 0 else abs(x)
    return float(math.frexp(x)[1] - 1)


def _keeping_sign(function: Callable[[float], int]) -> Callable[[float], float]:
    def call(x: float) -> float:
        return math.copysign(float(function(x)), x) if math.isfinite(x) else x

    return call


# What Python names otherwise, or does otherwise, than C. Halfway cases of Python's `round` go to
# the even neighbour, as C's `rint` does in the default rounding mode.
_OTHERS: dict[str, Callable[..., float]] = {
    "abs": abs,
    "llabs": abs,
    "ceil": _keeping_sign(math.ceil),
    "fdim": lambda a, b: a - b if a > b else a + b if a != a or b != b else 0.0,
    "floor": _keeping_sign(math.floor),
    "fma": _fma,
    "fmax": lambda a, b: a if b != b or a >= b else b,
    "fmin": lambda a, b: a if b != b or a <= b else b,
    "llrint": round,
    "llround": lambda x: int(_round(x)),
    "logb": _logb,
    "nearbyint": _keeping_sign(round),
    "rint": _keeping_sign(round),
    "round": _round,
    "tgamma": _tgamma,
    "trunc": _keeping_sign(math.trunc),
}


def implementation(name: str) -> Callable[..., float]:
    """A C math function on Python floats (an `f` function is its double one, to be rounded).

    It raises ValueError or OverflowError where C returns an infinity or a NaN.
    """
    name = in_double(name)
    found: Callable[..., float] = _OTHERS.get(name) or getattr(math, name)
    return found


def in_double(name: str) -> str:
    """The double function of an `f` one: "sin" of "sinf" (and of "sin")."""
    return name[:-1] if name.endswith("f") and name[:-1] in MATH_FUNCTIONS else name


def signature(
    name: str, arguments: Sequence[ElementType]
) -> tuple[tuple[ElementType, ...] | None, ElementType]:
    """What a function converts its arguments to (None: it takes them as they are), and the type
    of its result: C's math functions, `min` and `max`; any other function returns a double."""
    if name in EXTREMA and arguments:
        common = promote(arguments[0])
        for other in arguments[1:]:
            common = common_type(common, other)
        return (common,) * len(arguments), common
    function = MATH_FUNCTIONS.get(name)
    if function is None:
        return None, DOUBLE
    if len(function.arguments) != len(arguments):
        raise PolynbError(f"{name} takes {len(function.arguments)} arguments, not {len(arguments)}")
    return function.arguments, function.result


def not_whole(op: str) -> PolynbError:
    """The error for `%`, shifts and bits of floating-point values."""
    return PolynbError(
        f"{op} of a floating-point value",
        reason=f"C has {op} only for whole numbers",
        hint="fmod(a, b), or a conversion such as int64(a)",
    )
