"""Element types, and C's rules for the type of an arithmetic expression."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce


@dataclass(frozen=True)
class ElementType:
    """A scalar type of the SCoP language: `name` there, `c_name` in C99, `dtype` in NumPy."""

    name: str
    c_name: str
    size: int  # bytes
    is_float: bool = False
    is_signed: bool = True

    @property
    def dtype(self) -> str:
        return "float32" if self is FLOAT else "float64" if self is DOUBLE else self.name

    @property
    def least(self) -> int:
        """The least value of an integer type."""
        return int(-(2 ** (8 * self.size - 1))) if self.is_signed else 0

    @property
    def most(self) -> int:
        """The largest value of an integer type."""
        return int(2 ** (8 * self.size - self.is_signed)) - 1

    @property
    def stays_unsigned(self) -> bool:
        """Whether it is unsigned in arithmetic, too: narrower types become int."""
        return not self.is_signed and not self.is_float and self.size >= 4

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        return element_type, (self.name,)


FLOAT = ElementType("float", "float", 4, is_float=True)
DOUBLE = ElementType("double", "double", 8, is_float=True)
INT8, INT16, INT32, INT64 = (ElementType(f"int{8 * n}", f"int{8 * n}_t", n) for n in (1, 2, 4, 8))
UINT8, UINT16, UINT32, UINT64 = (
    ElementType(f"uint{8 * n}", f"uint{8 * n}_t", n, is_signed=False) for n in (1, 2, 4, 8)
)
TYPES = {
    t.name: t for t in (FLOAT, DOUBLE, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64)
}


def element_type(name: str) -> ElementType:
    """The type of that name; raises KeyError for any other."""
    return TYPES[name]


def promote(a: ElementType) -> ElementType:
    """C's integer promotion (C99 6.3.1.1): types narrower than int become int."""
    return INT32 if not a.is_float and a.size < 4 else a


def common_type(a: ElementType, b: ElementType) -> ElementType:
    """C's usual arithmetic conversions (C99 6.3.1.8), `int` being 32 bits wide."""
    if a.is_float or b.is_float:
        return DOUBLE if DOUBLE in (a, b) else FLOAT
    a, b = promote(a), promote(b)
    if a.size != b.size:
        return a if a.size > b.size else b
    return a if not a.is_signed else b


def common(types: Iterable[ElementType]) -> ElementType:
    """The common type of one or more."""
    first, *others = types
    return reduce(common_type, others, promote(first))


def holds(narrow: ElementType, wide: ElementType) -> bool:
    """Whether every value of type `wide` is a value of type `narrow` (no rounding, no wrap)."""
    if wide.is_float:
        return narrow.is_float and narrow.size >= wide.size
    if narrow.is_float:
        digits = 24 if narrow is FLOAT else 53
        return 8 * wide.size - wide.is_signed <= digits
    if narrow.is_signed == wide.is_signed:
        return narrow.size >= wide.size
    return narrow.is_signed and narrow.size > wide.size


def lossless(first: ElementType, between: ElementType, last: ElementType) -> bool:
    """Whether a value converted to a type, and then to another, is as if it had been converted to
    the second at once."""
    through_float = between.is_float and not last.is_float
    return holds(between, first) and (not through_float or holds(last, first))


def wrap(value: int, to: ElementType) -> int:
    """The value modulo 2^bits, in the range of an integer type (what gcc and clang do)."""
    bits = 8 * to.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if to.is_signed and value >> (bits - 1) else value
