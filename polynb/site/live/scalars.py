"""Numbers of a kind, where there is no numpy: `float32`, `float64` and whole numbers.

Sums, products and quotients of 32 bits are those of 64 bits, rounded: for these operations that is
what IEEE 754 asks for.
"""

from __future__ import annotations

import math
import struct
from typing import Any


class _Number:
    """What numpy's numbers have besides Python's."""

    def item(self: Any) -> Any:
        return float(self) if isinstance(self, float) else int(self)

    def astype(self, kind: Any) -> Any:
        return named(kind)(self)


class float64(_Number, float):
    """A double."""

    code = "dQ"


class float32(_Number, float):
    """A float: rounded to the nearest one."""

    code = "fI"

    def __new__(cls, value: Any = 0.0) -> float32:
        try:
            (rounded,) = struct.unpack("f", struct.pack("f", value))
        except OverflowError:
            rounded = math.copysign(math.inf, value)
        return super().__new__(cls, rounded)

    def __str__(self) -> str:
        """In as many digits as tell it from all others of its kind, as numpy writes them."""
        texts = (f"{self:.{digits}e}" for digits in range(9))
        found = next((t for t in texts if float32(float(t)) == self), repr(float(self)))
        is_near = not self or 1e-4 <= abs(self) < 1e6
        return repr(float(found)) if is_near or not math.isfinite(self) else found

    __repr__ = __str__


class int64(_Number, int):
    """A whole number. (Nothing here makes one that is too large for 64 bits.)"""


class ElementKind:
    """A kind of elements: `dtype(name).type` makes one."""

    def __init__(self, name: Any) -> None:
        self.type = named(name)


FLOATS = {"float32": float32, "float64": float64}


def named(kind: Any) -> Any:
    """The class of a kind's name; a class is its own."""
    if isinstance(kind, str):
        return FLOATS.get(kind, int64)
    return kind.type if isinstance(kind, ElementKind) else kind


def bits(value: Any) -> int:
    """The bits of a float, as a whole number."""
    own, unsigned = type(value).code
    (found,) = struct.unpack(unsigned, struct.pack(own, value))
    return int(found)


def quotient(a: Any, b: Any) -> float:
    """A division that never fails."""
    if b:
        return float(a / b)
    if not a or math.isnan(a) or math.isnan(b):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)
