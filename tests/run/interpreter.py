"""Runs a program on NumPy arrays, one operation at a time, as C would: slow and plain.

For checking generated code, and what programs compute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polynb import isl
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.run.arithmetic import (
    COMPARE,
    WHOLE_ONLY,
    not_whole,
    signature,
    whole,
)
from polynb.run.execution import LIMIT, Execution, Mismatch
from polynb.run.vectors import library_value
from polynb.scop.model import Array, Scop
from polynb.scop.sizes import extents_at
from polynb.scop.storage import in_memory
from polynb.scop.witness import values_text
from polynb.source.operators import COMPARISONS
from polynb.source.types import INT32, TYPES, ElementType, common_type, promote

BY_DTYPE = {t.dtype: t for t in TYPES.values()}


@dataclass(frozen=True, eq=False, slots=True)
class Undefined:
    """The result of what must not be done, such as a division by zero. It is an error to store
    it, or to decide by it, and harmless where it is not selected."""

    why: str
    type: ElementType


Value = np.generic | Undefined


def run(
    program: Scop | Derivation,
    arrays: Mapping[str, Any] | None = None,
    *,
    limit: int = 50 * LIMIT,
    **parameters: int,
) -> dict[str, np.ndarray[Any, Any]]:
    """The live-out arrays that a program leaves, by name; `arrays` is not changed.

    `arrays` holds what is live-in, NumPy arrays of the element types (numbers for scalars) with
    at least the cells that are accessed. Arrays that are not given are filled with zeros. The
    program runs from its syntax tree if it has one, else from its model; in C's arithmetic,
    where `float` is rounded to 32 bits at each operation and whole numbers wrap around.

    Raises PolynbError for missing or wrong arrays and parameters, parameter values outside the
    assumptions, subscripts out of bounds, and whole numbers divided by zero.
    """
    scop = in_memory(as_scop(program))
    _check_parameters(scop, parameters)
    with isl.wrapped(), np.errstate(all="ignore"):
        memory = NumpyMemory(scop, arrays or {}, parameters)
        try:
            Execution(scop, NumpyAlgebra(), memory, limit=limit).run(parameters)
        except Mismatch as error:
            raise PolynbError(str(error)) from None
    return {n: memory.cells[n] for n, a in scop.arrays.items() if a.live_out}


def _check_parameters(scop: Scop, values: Mapping[str, int]) -> None:
    for name in (*scop.parameters, *values):
        if name not in values or name not in scop.parameters:
            what = "has no" if name in values else "needs a value for the"
            raise PolynbError(
                f"{scop.name} {what} parameter {name}",
                hint=f"its parameters: {', '.join(scop.parameters) or 'none'}",
            )
    for allowed, what in ((scop.context, "assumes"), (scop.requires, "needs, to stay in bounds,")):
        if isl.fix_parameters(allowed, values).is_empty():
            at = values_text(values)
            raise PolynbError(f"{scop.name} {what} {allowed}, which {at} does not satisfy")


# -- values ----------------------------------------------------------------------------


def type_of(value: Value) -> ElementType:
    return value.type if isinstance(value, Undefined) else BY_DTYPE[value.dtype.name]


def _scalar(value: Any, dtype: str) -> np.generic:
    scalar: np.generic = np.dtype(dtype).type(value)
    return scalar


class NumpyAlgebra:
    """C's operations on NumPy scalars. NumPy's own conversions are never used: they differ."""

    def number(self, value: int | float, type: ElementType) -> Value:
        return _scalar(value, type.dtype)

    def integer(self, value: Value) -> int | None:
        return int(self._defined(value)) if not type_of(value).is_float else None

    def truth(self, value: Value) -> bool | None:
        return bool(self._defined(value))

    def convert(self, type: ElementType, value: Value) -> Value:
        if isinstance(value, Undefined):
            return Undefined(value.why, type)
        return value if value.dtype.name == type.dtype else value.astype(type.dtype)

    def unary(self, op: str, x: Value) -> Value:
        if isinstance(x, Undefined):
            return x
        if op == "!":
            return np.int32(not x)
        x = self.convert(promote(type_of(x)), x)
        if op == "+":
            return x
        if op == "~" and type_of(x).is_float:
            raise not_whole(op)
        result: np.generic = -x if op == "-" else ~x  # type: ignore[operator]
        return result

    def binary(self, op: str, a: Value, b: Value) -> Value:
        if op in ("&&", "||"):
            return self._connected(op, a, b)
        shift = op in ("<<", ">>")
        type = promote(type_of(a)) if shift else common_type(type_of(a), type_of(b))
        a = self.convert(type, a)
        b = self.convert(promote(type_of(b)) if shift else type, b)
        for x in (a, b):
            if isinstance(x, Undefined):
                return Undefined(x.why, INT32 if op in COMPARISONS else type)
        if op in COMPARISONS:
            return np.int32(COMPARE[op](a, b))
        return self._computed(op, a, b, type)

    def _computed(self, op: str, a: Any, b: Any, type: ElementType) -> Value:
        if not type.is_float:
            value = whole(op, int(a), int(b), type)
            if value is None:
                return Undefined(f"{int(a)} {op} {int(b)} is undefined", type)
            return self.number(value, type)
        if op in WHOLE_ONLY:
            raise not_whole(op)
        match op:
            case "+":
                result = a + b
            case "-":
                result = a - b
            case "*":
                result = a * b
            case _:
                result = a / b
        assert isinstance(result, np.generic)
        return result

    def _connected(self, op: str, a: Value, b: Value) -> Value:
        if isinstance(a, Undefined):
            return Undefined(a.why, INT32)
        if bool(a) == (op == "||"):
            return np.int32(op == "||")
        return Undefined(b.why, INT32) if isinstance(b, Undefined) else np.int32(bool(b))

    def call(self, name: str, arguments: Sequence[Value]) -> Value:
        takes, gives = signature(name, [type_of(a) for a in arguments])
        if takes is None:
            raise PolynbError(
                f"{name} is not defined",
                reason="an uninterpreted function can be analysed but not run",
                hint=f"`define {name}(x) = ...;`, or one of C's math functions",
            )
        values = [self.convert(t, a) for t, a in zip(takes, arguments, strict=True)]
        for v in values:
            if isinstance(v, Undefined):
                return Undefined(v.why, gives)
        value = library_value(name, values, gives)
        if value is None:
            return Undefined(f"{name}({', '.join(map(str, values))}) is undefined", gives)
        return value

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        type = common_type(type_of(a), type_of(b))
        if isinstance(condition, Undefined):
            return Undefined(condition.why, type)
        return self.convert(type, a if condition else b)

    @staticmethod
    def _defined(value: Value) -> Any:
        if isinstance(value, Undefined):
            raise PolynbError(value.why)
        return value


# -- memory ----------------------------------------------------------------------------


class NumpyMemory:
    """Copies of the given arrays, zeros for the others; every subscript is checked."""

    def __init__(self, scop: Scop, given: Mapping[str, Any], parameters: Mapping[str, int]) -> None:
        unknown = [n for n in given if n not in scop.arrays]
        if unknown:
            raise PolynbError(
                f"{scop.name} has no array {unknown[0]!r}",
                hint=f"one of: {', '.join(scop.arrays)}",
            )
        self.arrays = scop.arrays
        self.algebra = NumpyAlgebra()
        self.cells = {
            name: _copied(array, given[name]) if name in given else _zeros(array, parameters)
            for name, array in scop.arrays.items()
        }

    def load(self, array: str, index: tuple[Value, ...]) -> Value:
        known = self._known(index)
        if isinstance(known, Undefined):
            return Undefined(known.why, self.arrays[array].type)
        if not self._inside(array, known):
            return Undefined(_outside(array, known), self.arrays[array].type)
        found: np.generic = self.cells[array][known]
        return found

    def store(
        self, array: str, index: tuple[Value, ...], value: Value, guard: Value | None
    ) -> None:
        known = self._known(index)
        for x in (known, value):
            if isinstance(x, Undefined):
                raise PolynbError(x.why, hint="other data, or a condition around the statement")
        assert not isinstance(known, Undefined)
        if not self._inside(array, known):
            raise PolynbError(_outside(array, known))
        self.cells[array][known] = self.algebra.convert(self.arrays[array].type, value)

    def _known(self, index: tuple[Value, ...]) -> tuple[int, ...] | Undefined:
        for k in index:
            if isinstance(k, Undefined):
                return k
        return tuple(int(k) for k in index if not isinstance(k, Undefined))

    def _inside(self, array: str, index: tuple[int, ...]) -> bool:
        shape = self.cells[array].shape
        return len(shape) == len(index) and all(
            0 <= k < n for k, n in zip(index, shape, strict=True)
        )


def _outside(array: str, index: tuple[int, ...]) -> str:
    return f"{array}{''.join(f'[{k}]' for k in index)} is out of bounds"


def _copied(array: Array, given: Any) -> np.ndarray[Any, Any]:
    """The array as one of its element type: numbers are converted, arrays must have it."""
    if isinstance(given, (int, float)):
        given = np.asarray(given, dtype=array.type.dtype)
    if not isinstance(given, (np.ndarray, np.generic)) or given.dtype.name != array.type.dtype:
        kind = given.dtype.name if hasattr(given, "dtype") else type(given).__name__
        raise PolynbError(
            f"{array.name} is an array of {array.type}, not of {kind}",
            hint=f"{array.name}.astype({array.type.dtype!r})",
        )
    if given.ndim != array.dimensions:
        raise PolynbError(f"{array.name} has {array.dimensions} dimensions, not {given.ndim}")
    return np.array(given)


def _zeros(array: Array, parameters: Mapping[str, int]) -> np.ndarray[Any, Any]:
    shape = extents_at(array, parameters)
    if array.live_in:
        raise PolynbError(f"{array.name} is read and was not given", hint="it is an argument")
    if any(n is None for n in shape):
        raise PolynbError(
            f"nothing says how large {array.name} is", hint=f"declare it: `{array.name}[...]`"
        )
    return np.zeros([n or 0 for n in shape], dtype=array.type.dtype)
