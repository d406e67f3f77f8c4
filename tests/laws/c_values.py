"""C's arithmetic types and expressions with the range of their values, so that what is written
never overflows where C leaves that undefined.

A `Value` is a C expression, its type as gcc for x86-64 sees it, and what its value lies between.
Floats that may be infinite or no number have an infinite range: those are converted to integers
only behind a comparison that keeps them away.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from random import Random


@dataclass(frozen=True)
class CType:
    """`rank` orders integer types as C's conversions do; floating types come above them."""

    name: str
    bits: int
    signed: bool
    rank: int
    dtype: str

    @property
    def is_float(self) -> bool:
        return self.rank >= 10

    @property
    def low(self) -> float:
        return -inf if self.is_float else -(1 << self.bits - 1) if self.signed else 0

    @property
    def high(self) -> float:
        return inf if self.is_float else (1 << self.bits - self.signed) - 1


BOOL = CType("_Bool", 1, False, 0, "bool")
SCHAR = CType("signed char", 8, True, 1, "int8")
UCHAR = CType("unsigned char", 8, False, 1, "uint8")
SHORT = CType("short", 16, True, 2, "int16")
USHORT = CType("unsigned short", 16, False, 2, "uint16")
INT = CType("int", 32, True, 3, "int32")
UINT = CType("unsigned", 32, False, 3, "uint32")
LONG = CType("long", 64, True, 4, "int64")
ULONG = CType("unsigned long", 64, False, 4, "uint64")
FLOAT = CType("float", 32, True, 10, "float32")
DOUBLE = CType("double", 64, True, 11, "float64")
INTEGERS = (BOOL, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG)
TYPES = (*INTEGERS, FLOAT, DOUBLE)
SAFE = 2.0**24
"""Floats up to here are counted on exactly enough for a range."""


@dataclass(frozen=True)
class Value:
    text: str
    type: CType
    low: float
    high: float

    def within(self, low: float, high: float) -> bool:
        return low <= self.low and self.high <= high


def promoted(t: CType) -> CType:
    return INT if t.rank < INT.rank else t


def common(a: CType, b: CType) -> CType:
    """The type that both operands are converted to."""
    a, b = promoted(a), promoted(b)
    if a.rank != b.rank:
        return a if a.rank > b.rank else b
    return a if not a.signed else b


def converted(v: Value, to: CType) -> Value:
    """The same text with the range it has after an implicit conversion (not of floats to
    integers, which `as_integer` makes safe)."""
    if to.is_float or v.within(to.low, to.high):
        return Value(v.text, to, v.low, v.high)
    return Value(v.text, to, to.low, to.high)


def number(n: int, suffix: str = "") -> Value:
    kinds = {"": INT if abs(n) <= INT.high else LONG, "u": UINT, "L": LONG, "UL": ULONG}
    text = f"{n}{suffix}" if n >= 0 else f"({n}{suffix})"
    return Value(text, kinds[suffix], n, n)


def real(text: str) -> Value:
    t = FLOAT if text.endswith("f") else DOUBLE
    n = float(text.rstrip("f"))
    return Value(text if n >= 0 else f"({text})", t, n, n)


def cast(v: Value, to: CType) -> Value:
    if v.type.is_float and not to.is_float:
        v = as_integer(v, to)
    found = converted(v, to)
    return Value(f"({to.name}) {v.text}", to, found.low, found.high)


def as_integer(v: Value, to: CType) -> Value:
    """A float that may be converted to an integer type, which C defines only for values that fit
    (0 for the others, and for what is no number)."""
    low, high = max(to.low, -SAFE), min(to.high, SAFE)
    if isfinite(v.low) and v.within(low, high):
        return v
    if len(v.text) > 40:  # it would be written three times
        return Value(f"({v.text} > 0.5)", INT, 0, 1)
    text = f"({v.text} > {int(low)} && {v.text} < {int(high)} ? {v.text} : 0)"
    return Value(text, v.type, low, high)


def reduced(v: Value, by: int = 1000) -> Value:
    """An integer's remainder, which is small."""
    t = promoted(v.type)
    if v.within(-by + 1, by - 1):
        return v
    return Value(f"({v.text} % {by})", t, max(v.low, -by + 1) if t.signed else 0, by - 1)


def arithmetic(op: str, a: Value, b: Value) -> Value:
    """`a op b` for + - *; where a signed result might not fit, of smaller operands."""
    t = common(a.type, b.type)
    if t.signed and not t.is_float and not _exact(op, a, b, t).within(t.low, t.high):
        a, b = reduced(a), reduced(b)
        t = common(a.type, b.type)
    return _exact(op, a, b, t) if t.is_float else converted(_exact(op, a, b, t), t)


def _exact(op: str, a: Value, b: Value, t: CType) -> Value:
    x, y = converted(a, t), converted(b, t)
    text = f"({a.text} {op} {b.text})"
    if t.is_float and not all(map(isfinite, (x.low, x.high, y.low, y.high))):
        return Value(text, t, -inf, inf)
    match op:
        case "+":
            low, high = x.low + y.low, x.high + y.high
        case "-":
            low, high = x.low - y.high, x.high - y.low
        case _:
            ends = [p * q for p in (x.low, x.high) for q in (y.low, y.high)]
            low, high = min(ends), max(ends)
    if t.is_float and max(-low, high) > SAFE:
        low, high = -inf, inf
    return Value(text, t, low, high)


def quotient(op: str, a: Value, by: Value) -> Value:
    """`a / by` or `a % by` of integers; `by` is never 0, and -1 only where that does no harm."""
    t = common(a.type, by.type)
    x, y = converted(a, t), converted(by, t)
    if y.low <= -1 <= y.high and x.low <= t.low:
        a, x = reduced(a), reduced(x)
    text = f"({a.text} {op} {by.text})"
    if op == "%":
        most = max(abs(y.low), abs(y.high)) - 1
        return Value(text, t, -most if x.low < 0 else 0, most)
    most = max(abs(x.low), abs(x.high))
    return Value(text, t, -most if t.signed else 0, most)


def shifted(random: Random, a: Value) -> Value:
    t, by = promoted(a.type), random.randint(0, 4)
    if random.random() < 0.5 or a.low < 0:
        return Value(f"({a.text} >> {by})", t, min(a.low, 0), max(a.high, 0))
    a = reduced(a)
    t = promoted(a.type)
    return converted(Value(f"({a.text} << {by})", t, 0, int(a.high) << by), t)


def bitwise(op: str, a: Value, b: Value) -> Value:
    t = common(a.type, b.type)
    return Value(f"({a.text} {op} {b.text})", t, t.low, t.high)


def chosen(condition: str, a: Value, b: Value) -> Value:
    t = common(a.type, b.type)
    x, y = converted(a, t), converted(b, t)
    text = f"({condition} ? {a.text} : {b.text})"
    return Value(text, t, min(x.low, y.low), max(x.high, y.high))


def negated(a: Value) -> Value:
    t = promoted(a.type)
    if t.is_float:
        return Value(f"(-{a.text})", t, -a.high, -a.low)
    a = reduced(a) if t.signed and a.low <= t.low else a
    t = promoted(a.type)
    return converted(Value(f"(-{a.text})", t, -a.high, -a.low), t)
