"""Loops with a stride whose body divides by it, as loops over the quotient.

`for y = 6 to U step 2` with the subscript `floord(y, 2)` is `for t = 3 to floord(U, 2)` with `t`:
the same instances, but compilers see subscripts that grow by one where they saw a division.
"""

from __future__ import annotations

from collections.abc import Iterator as Iter, Mapping
from dataclasses import dataclass, replace

from polynb.codegen.literals import plain_literals, substitute
from polynb.scop.fresh_names import Names
from polynb.source.normal_form import Linear, expression_of, linear_form, normal_form
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Expr,
    For,
    If,
    Iterator,
    Let,
    Number,
    Program,
    Stmt,
    every,
    expressions,
    walk,
)
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT32


def by_quotients(program: Program) -> Program:
    """The program with those loops over the quotient of their iterator by their step in whose
    bodies a division goes away with that, if the remainder is known. Nothing else changes."""
    declared = {d.name: d.type or DOUBLE for d in program.declarations}
    names = {*program.parameters, *declared, *(f.name for f in program.functions)}
    strides = _Strides(frozenset(names), Types(declared, program.functions))
    return replace(program, body=strides.block(program.body, frozenset()))


@dataclass(frozen=True)
class _Strides:
    """`taken`: names that nothing new may have."""

    taken: frozenset[str]
    types: Types

    def block(self, body: tuple[Stmt, ...], outer: frozenset[str]) -> tuple[Stmt, ...]:
        return tuple(self.statement(s, outer) for s in body)

    def statement(self, s: Stmt, outer: frozenset[str]) -> Stmt:
        match s:
            case Assign():
                return s
            case If():
                then, otherwise = (self.block(b, outer) for b in (s.then, s.otherwise))
                return replace(s, then=then, otherwise=otherwise)
            case For():
                body = self.block(s.body, outer | {s.iterator})
                return self.loop(replace(s, body=body), outer)

    def loop(self, loop: For, outer: frozenset[str]) -> For:
        r = _remainder(loop.lower, loop.step) if loop.step > 1 else None
        if r is None or not any(_vanishes(x, loop) for x in _nodes(loop.body)):
            return loop
        name = Names(self.taken | outer | set(_names(loop.body))).fresh("t")
        value = expression_of(Linear({("i", name): (loop.step, Iterator(name))}, r, True))
        return replace(
            loop,
            iterator=name,
            lower=_quotient(loop.lower, r, loop.step),
            upper=_quotient(loop.upper, r, loop.step),
            body=self.under(loop.body, {loop.iterator: value}),
            step=1,
        )

    def under(self, body: tuple[Stmt, ...], values: Mapping[str, Expr]) -> tuple[Stmt, ...]:
        """Statements under another value of an iterator."""

        def new(e: Expr) -> Expr:
            return plain_literals(substitute(e, values), self.types)

        made: list[Stmt] = []
        for s in body:
            match s:
                case Assign():
                    target = new(s.target)
                    assert isinstance(target, Access)
                    made.append(replace(s, target=target, value=new(s.value)))
                case For():
                    inside = self.under(s.body, values)
                    made.append(replace(s, lower=new(s.lower), upper=new(s.upper), body=inside))
                case If():
                    then, otherwise = (self.under(b, values) for b in (s.then, s.otherwise))
                    test = new(s.condition)
                    made.append(replace(s, condition=test, then=then, otherwise=otherwise))
        return tuple(made)


def _remainder(e: Expr, step: int) -> int | None:
    """What an expression is modulo the step, None if that is not known."""
    match e:
        case Call(function="max", arguments=parts):
            found = {_remainder(p, step) for p in parts}
            return found.pop() if len(found) == 1 else None
    linear = linear_form(e)
    if linear is None or any(c % step for c, _ in linear.terms.values()):
        return None
    return linear.constant % step


def _vanishes(e: Expr, loop: For) -> bool:
    """Whether this is a division that has no remainder to ask for once the iterator is a
    multiple of the step and a constant."""
    match e:
        case Binary(op="floord" | "mod", left=a, right=Number(value=int(d))) if d > 0:
            linear, key = linear_form(a), ("i", loop.iterator)
            if linear is None or key not in linear.terms:
                return False
            return all(
                (c * loop.step if k == key else c) % d == 0 for k, (c, _) in linear.terms.items()
            )
    return False


def _quotient(e: Expr, r: int, step: int) -> Expr:
    """The largest q with `step * q + r <= e`."""
    match e:
        case Call(function="min" | "max", arguments=parts):
            return replace(e, arguments=tuple(_quotient(p, r, step) for p in parts))
    difference = Binary("-", e, Number(r, INT32))
    return normal_form(Binary("floord", difference, Number(step, INT32)))


def _nodes(body: tuple[Stmt, ...]) -> Iter[Expr]:
    return (x for s in every(body) for e in expressions(s) for x in walk(e))


def _names(body: tuple[Stmt, ...]) -> Iter[str]:
    """Of inner loops and of what is shared."""
    yield from (x.name for x in _nodes(body) if isinstance(x, Iterator | Let))
    yield from (s.iterator for s in every(body) if isinstance(s, For))
