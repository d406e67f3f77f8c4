"""C's operations on many values at once, with where they are undefined.

Signed integers that overflow, and what is made of them, are undefined here: nobody may conclude
anything from what a machine makes of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from polynb.run.arithmetic import (
    COMPARE,
    exact_whole,
    implementation,
    in_double,
    signature,
)
from polynb.source.functions import EXTREMA
from polynb.source.operators import COMPARISONS
from polynb.source.types import INT32, ElementType, wrap

DRAWS: Final = 64
"""How many values are computed at once."""
Mask = NDArray[np.bool_]
_INTERPRETED: Final = (0.0, 1.0, -2.5, 0.75, 3.0)
Scalar = Any
"""A number as NumPy has it, of any type."""


@dataclass(frozen=True, eq=False)
class Vector:
    """A value of a type in each draw: floats of it, or Python's integers. `undefined`, for some
    data; where it is so for all data, `nowhere` (and undefined)."""

    type: ElementType
    data: np.ndarray
    undefined: Mask
    nowhere: Mask

    def bits(self) -> np.ndarray:
        """What is compared: all that is no number counts as one."""
        if not self.type.is_float:
            return self.data
        plain = np.where(np.isnan(self.data), self.data.dtype.type(np.nan), self.data)
        return plain.view(f"u{self.type.size}")


def text_of(v: Vector, draw: int) -> str:
    """What one of the draws computes, in as many digits as tell it from all others."""
    if v.undefined[draw]:
        return "undefined"
    value = v.data[draw]
    return str(value) if v.type.size == 4 or not v.type.is_float else repr(float(value))


def vector(type: ElementType, values: Sequence[Scalar], undefined: Mask | None = None) -> Vector:
    """A value for each draw; `undefined` says where C gives it none."""
    data = _array(type, values)
    none = np.zeros(DRAWS, bool)
    return Vector(type, data, none if undefined is None else undefined, none)


def _array(type: ElementType, values: Sequence[Scalar]) -> np.ndarray:
    if type.is_float:
        with np.errstate(all="ignore"):
            return np.asarray(values, dtype=type.dtype)
    made = np.empty(DRAWS, dtype=object)
    made[:] = values
    return made


class VectorAlgebra:
    """`seed` chooses what functions that nobody defines give."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def number(self, value: int | float, type: ElementType) -> Vector:
        return vector(type, [value] * DRAWS)

    def nowhere(self, why: str, type: ElementType) -> Vector:
        all_ = np.ones(DRAWS, bool)
        return Vector(type, _array(type, [0] * DRAWS), all_, all_)

    def convert(self, type: ElementType, x: Vector) -> Vector:
        if x.type is type:
            return x
        if type.is_float:
            if x.type.is_float:
                with np.errstate(all="ignore"):
                    return replace(x, type=type, data=x.data.astype(type.dtype))
            made = [np.int64(v).astype(type.dtype) if abs(v) < 2**63 else float(v) for v in x.data]
            return replace(x, type=type, data=_array(type, made))
        if not x.type.is_float:
            return replace(x, type=type, data=_array(type, [wrap(v, type) for v in x.data]))
        inside = np.isfinite(x.data)
        whole = [int(v) if ok else 0 for v, ok in zip(x.data, inside, strict=True)]
        held = [type.least <= v <= type.most for v in whole]
        undefined = x.undefined | ~inside | ~np.asarray(held)
        kept = [v if ok else 0 for v, ok in zip(whole, held, strict=True)]
        return Vector(type, _array(type, kept), undefined, x.nowhere)

    def unary(self, op: str, x: Vector) -> Vector:
        if op == "!":
            return replace(x, type=INT32, data=_array(INT32, [int(not v) for v in x.data]))
        if x.type.is_float:
            return replace(x, data=-x.data)
        return self._fitting(x.type, [-v if op == "-" else ~v for v in x.data], (x,))

    def binary(self, op: str, a: Vector, b: Vector) -> Vector:
        if op in COMPARISONS:
            made = [int(COMPARE[op](x, y)) for x, y in zip(a.data, b.data, strict=True)]
            return _joined(INT32, _array(INT32, made), (a, b))
        if a.type.is_float:
            with np.errstate(all="ignore"):
                return _joined(a.type, _FLOATS[op](a.data, b.data), (a, b))
        pairs = zip(a.data, b.data, strict=True)
        return self._fitting(a.type, [exact_whole(op, x, y, a.type) for x, y in pairs], (a, b))

    def _fitting(
        self, type: ElementType, made: Sequence[int | None], of: Sequence[Vector]
    ) -> Vector:
        """Whole numbers; undefined where there is none, or where one overflows."""
        out = [v is None or (type.is_signed and not type.least <= v <= type.most) for v in made]
        data = [0 if bad or v is None else wrap(v, type) for v, bad in zip(made, out, strict=True)]
        found = _joined(type, _array(type, data), of)
        return replace(found, undefined=found.undefined | np.asarray(out))

    def connected(self, op: str, parts: Sequence[Vector]) -> Vector:
        """Conjunctions and disjunctions, whose parts have no order: defined where one decides."""
        decides = [np.asarray([bool(v) == (op == "||") for v in p.data]) for p in parts]
        sure = np.any([d & ~p.undefined for d, p in zip(decides, parts, strict=True)], axis=0)
        value = np.any(decides, axis=0) == (op == "||")
        found = _joined(INT32, _array(INT32, [int(v) for v in value]), parts)
        return replace(found, undefined=found.undefined & ~sure, nowhere=found.nowhere & ~sure)

    def choose(self, condition: Vector, a: Vector, b: Vector) -> Vector:
        return _where(np.asarray([bool(v) for v in condition.data]), a, b, condition)

    def overlaid(
        self, old: Vector, place: Sequence[Vector], index: Sequence[Vector], new: Vector
    ) -> Vector:
        """The new value where a place is the one that is asked for, else the old one."""
        same = np.ones(DRAWS, bool)
        for x, y in zip(place, index, strict=True):
            same &= x.data == y.data
        return _where(same, new, old, *place, *index)

    def picked(
        self,
        index: Sequence[Vector],
        shape: Sequence[int],
        held: Sequence[Vector],
        type: ElementType,
    ) -> Vector:
        """An element of a table of a shape, which is held row by row; undefined outside of it."""
        found = replace(self.nowhere("", type), nowhere=np.zeros(DRAWS, bool))
        for place, value in zip(np.ndindex(*shape), held, strict=True):
            there = np.ones(DRAWS, bool)
            for k, x in zip(place, index, strict=True):
                there &= x.data == k
            found = _where(there, value, found, *index)
        return found

    def call(self, name: str, arguments: Sequence[Vector]) -> Vector:
        takes, gives = signature(name, [a.type for a in arguments])
        types = takes or [a.type for a in arguments]
        made: list[Scalar] = []
        undefined = np.zeros(DRAWS, bool)
        for k in range(DRAWS):
            given = [_scalar(a.data[k], a.type, t) for t, a in zip(types, arguments, strict=True)]
            if takes is None:
                value = self._interpreted(name, given)
            else:
                value = library_value(name, given, gives)
            undefined[k] = value is None
            made.append(0 if value is None else value.item())
        found = _joined(gives, _array(gives, made), arguments)
        return replace(found, undefined=found.undefined | undefined)

    def _interpreted(self, name: str, given: Sequence[Scalar]) -> Scalar:
        """Some function of its arguments: which one, is drawn."""
        said = " ".join(map(repr, (self.seed, name, *(x.item() for x in given))))
        drawn = zlib.crc32(said.encode())
        if drawn % 7 == 0:
            return np.float64(_INTERPRETED[drawn % len(_INTERPRETED)])
        return np.float64(drawn / 2**28 - 8)


def _scalar(value: Scalar, type: ElementType, to: ElementType) -> Scalar:
    """A value of a type as NumPy has it, converted to another as C does."""
    scalar = np.dtype(type.dtype).type(value)
    with np.errstate(all="ignore"):
        return scalar if type.dtype == to.dtype else scalar.astype(to.dtype)


def library_value(name: str, values: Sequence[Scalar], gives: ElementType) -> Scalar:
    """`min`, `max`, or a function of C's library, of NumPy scalars of the types that it takes; a
    float is rounded from double precision. None where C leaves the whole number undefined."""
    if name in EXTREMA:
        best = values[0]
        for v in values[1:]:
            best = best if (best < v if name == "min" else best > v) else v
        return best
    try:
        result = implementation(name)(*(v.item() for v in values))
    except (ValueError, OverflowError):
        if not gives.is_float:
            return None
        # Python refuses where IEEE has infinities and NaN; NumPy gives them.
        plain = in_double(name)
        with np.errstate(all="ignore"):
            result = getattr(np, _NUMPY_NAMES.get(plain, plain))(*map(np.float64, values))
    with np.errstate(all="ignore"):
        return np.dtype(gives.dtype).type(result if gives.is_float else wrap(int(result), gives))


_NUMPY_NAMES: Final = {
    "pow": "power", "asin": "arcsin", "acos": "arccos", "atanh": "arctanh", "acosh": "arccosh",
}  # fmt: skip


def _joined(type: ElementType, data: np.ndarray, of: Sequence[Vector]) -> Vector:
    undefined = np.any([x.undefined for x in of], axis=0)
    return Vector(type, data, undefined, np.any([x.nowhere for x in of], axis=0))


def _where(which: Mask, a: Vector, b: Vector, *by: Vector) -> Vector:
    """One or the other value, as other values decide."""
    undefined = np.where(which, a.undefined, b.undefined) | np.any(
        [x.undefined for x in by], axis=0
    )
    nowhere = np.where(which, a.nowhere, b.nowhere) | np.any([x.nowhere for x in by], axis=0)
    return Vector(a.type, np.where(which, a.data, b.data), undefined, nowhere)


_FLOATS: Final[dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
}
