"""What loops in vectors compute of values of 16 bits, in 16 bits.

In C, `(a + b) / 2` and `abs(a - b)` are computed in `int`, as 17 bits are needed in between; so
vectors hold half as many of them, though what comes out fits into 16 bits again. Both are had
without the 17th: of the bits that two numbers share all count, and of the others half; and the
distance is the larger one less the smaller one, which no sign is needed for.
(Of 8 bits compilers see themselves that 16 suffice.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from polynb.scop.fresh_names import Names
from polynb.source.c.print.mentions import program_names
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Cast,
    Define,
    Expr,
    For,
    If,
    Let,
    Number,
    Program,
    Stmt,
    rebuild,
    with_children,
)
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT16, INT32, UINT16, ElementType, holds

_A, _B = Access("a"), Access("b")


def with_narrow_sums(program: Program) -> Program:
    """The program that computes the same values, halves of sums and distances of values of 16 bits
    in its vector loops by functions that do so in 16 bits."""
    declared = {d.name: d.type or DOUBLE for d in program.declarations}
    names = {*program_names(program), *(f.name for f in program.functions)}
    narrow = _Narrow(Types(declared, program.functions), Names(names))
    body = narrow.block(program.body, vectors=False)
    return replace(program, body=body, functions=(*program.functions, *narrow.functions.values()))


@dataclass(frozen=True)
class _Narrow:
    """`functions`: those that are called, by what they compute in which type."""

    types: Types
    names: Names
    functions: dict[tuple[str, ElementType], Define] = field(default_factory=dict)

    def block(self, body: tuple[Stmt, ...], *, vectors: bool) -> tuple[Stmt, ...]:
        return tuple(self.statement(s, vectors) for s in body)

    def statement(self, s: Stmt, vectors: bool) -> Stmt:
        match s:
            case Assign():
                return replace(s, value=rebuild(s.value, self.new)) if vectors else s
            case If():
                then, otherwise = (self.block(b, vectors=vectors) for b in (s.then, s.otherwise))
                return replace(s, then=then, otherwise=otherwise)
            case For():
                vectors = vectors or s.kind == "vector"
                return replace(s, body=self.block(s.body, vectors=vectors))

    def new(self, e: Expr, parts: tuple[Expr, ...]) -> Expr:
        e = with_children(e, parts)
        match e:
            case Binary("/", Binary("+", a, b), Number(2, t)) if t is INT32:  # and not 2.0
                return self.called("half_sum", a, b, _half_sum) or e
            case Call("abs", (Binary("-", a, b),)) if "abs" not in self.types.functions:
                return self.called("distance", a, b, _distance) or e
        return e

    def called(
        self, name: str, a: Expr, b: Expr, body: Callable[[ElementType], Expr]
    ) -> Call | None:
        """Such a function of two expressions, if all of their values are numbers of 16 bits."""
        kinds = [k for k in (INT16, UINT16) if self.fits(a, k) and self.fits(b, k)]
        if not kinds or isinstance(a, Number) or isinstance(b, Number):
            return None
        kind = kinds[0]
        if (name, kind) not in self.functions:
            own = Define(self.names.unique(f"{name}_{kind.name}"), ("a", "b"), body(kind))
            self.functions[name, kind] = self.types.functions[own.name] = own
        given = (x if self.types.of(x) is kind else Cast(kind, x) for x in (a, b))
        return Call(self.functions[name, kind].name, tuple(given))

    def fits(self, e: Expr, kind: ElementType) -> bool:
        found = self.types.of(e)
        return not found.is_float and holds(kind, found)


def _half_sum(kind: ElementType) -> Expr:
    """`(a + b) / 2`: rounded down, and where that is negative and something is left, one more."""
    other = Binary("^", _A, _B)
    shared = Binary("&", _A, _B)
    below = Cast(kind, Binary("+", shared, Binary(">>", other, Number(1, INT32))))
    if not kind.is_signed:
        return below
    floor = Let("floor", below)
    negative = Binary(">>", Cast(UINT16, floor), Number(15, INT32))  # a comparison is no vector's
    return Cast(kind, Binary("+", floor, Binary("&", other, negative)))


def _distance(kind: ElementType) -> Expr:
    larger, smaller = (Call(f, (_A, _B)) for f in ("max", "min"))
    return Cast(UINT16, Binary("-", larger, smaller))
