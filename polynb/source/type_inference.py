"""The C type of every expression: element types of accesses, C's usual conversions above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from polynb.source.functions import EXTREMA, MATH_FUNCTIONS
from polynb.source.operators import TRUTH_VALUED
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Cast,
    Define,
    Expr,
    Iterator,
    Let,
    Number,
    Parameter,
    Select,
    Unary,
    rebuild,
)
from polynb.source.types import DOUBLE, INT32, INT64, ElementType, common, common_type, promote


def type_of(
    e: Expr, arrays: Mapping[str, ElementType], functions: Sequence[Define] = ()
) -> ElementType:
    """The type that C gives an expression (C99 6.3.1); `arrays` are the element types.

    Iterators and parameters are int64. A call of an uninterpreted function is a double.
    """
    return Types(arrays, functions).of(e)


class Types:
    """`type_of` for many expressions over the same arrays; every node is visited once."""

    def __init__(self, arrays: Mapping[str, ElementType], functions: Sequence[Define] = ()) -> None:
        self.arrays = arrays
        self.functions = {f.name: f for f in functions}
        # The nodes are kept so that their identities stay theirs.
        self._known: dict[int, tuple[Expr, ElementType]] = {}

    def of(self, e: Expr) -> ElementType:
        return rebuild(e, self._visit, self._known)[1]

    def inside(self, function: Define, arguments: Sequence[ElementType]) -> Types:
        """The types inside the body of a defined function called with such arguments."""
        scalars = dict(zip(function.arguments, arguments, strict=True))
        return Types(scalars, tuple(self.functions.values()))

    def _visit(
        self, e: Expr, parts: tuple[tuple[Expr, ElementType], ...]
    ) -> tuple[Expr, ElementType]:
        return e, self._type(e, tuple([t for _, t in parts]))

    def _type(self, e: Expr, parts: tuple[ElementType, ...]) -> ElementType:
        match e:
            case Number(type=t) | Cast(type=t):
                return t
            case Parameter() | Iterator():
                return INT64
            case Access(array=a):
                return self.arrays[a]
            case Let():
                return parts[0]
            case Unary(op=op):
                return INT32 if op == "!" else promote(parts[0])
            case Binary(op=op) if op in TRUTH_VALUED:
                return INT32
            case Binary(op="<<" | ">>"):
                return promote(parts[0])
            case Binary():
                return common_type(*parts)
            case Select():
                return common_type(parts[1], parts[2])
            case Call():
                return self._call(e, parts)
        assert_never(e)

    def _call(self, e: Call, arguments: tuple[ElementType, ...]) -> ElementType:
        if e.function in self.functions:
            function = self.functions[e.function]
            return self.inside(function, arguments).of(function.body)
        if e.function in EXTREMA:
            return common(arguments)
        known = MATH_FUNCTIONS.get(e.function)
        return DOUBLE if known is None else known.result
