"""A program for one size only: its parameters are numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polynb.errors import PolynbError
from polynb.scop.build import build
from polynb.scop.model import Scop
from polynb.source import tree as syntax
from polynb.source.tree import Expr, rebuild, with_children
from polynb.source.types import INT64


def fixed(scop: Scop, sizes: Mapping[str, int]) -> Scop:
    """The program with each parameter replaced by its value.

    (Polly works on arrays whose extents are numbers, and gives up on `A[n + 2][m + 2]`.) Raises
    PolynbError for a program that has no text (the result of a pass), and for missing values.
    """
    program = scop.program
    if program is None:
        raise PolynbError(f"{scop.name} has no text of its own", hint="the program it came from")
    for name in program.parameters:
        if name not in sizes:
            raise PolynbError(f"{name} has no value", hint=f"{name}=100, say")

    def value(e: Expr) -> Expr:
        return rebuild(e, _constant)

    def _constant(e: Expr, parts: tuple[Expr, ...]) -> Expr:
        if isinstance(e, syntax.Parameter):
            return syntax.Number(int(sizes[e.name]), INT64, span=e.span)
        return with_children(e, parts)

    def statement(s: syntax.Stmt) -> syntax.Stmt:
        match s:
            case syntax.Assign():
                target = value(s.target)
                assert isinstance(target, syntax.Access)
                return replace(s, target=target, value=value(s.value))
            case syntax.For():
                lower, upper = value(s.lower), value(s.upper)
                return replace(s, lower=lower, upper=upper, body=block(s.body))
            case syntax.If():
                then, otherwise = block(s.then), block(s.otherwise)
                return replace(s, condition=value(s.condition), then=then, otherwise=otherwise)

    def block(body: tuple[syntax.Stmt, ...]) -> tuple[syntax.Stmt, ...]:
        return tuple(statement(s) for s in body)

    declarations = tuple(
        d if d.extents is None else replace(d, extents=tuple(value(e) for e in d.extents))
        for d in program.declarations
    )
    return build(
        replace(
            program,
            parameters=(),
            declarations=declarations,
            body=block(program.body),
            assumptions=(),
        )
    )
