"""What a program mentions: its names, expressions and reads."""

from __future__ import annotations

from collections.abc import Iterator as Iter

from polynb.source.tree import (
    Access,
    Assign,
    Expr,
    For,
    If,
    Iterator,
    Let,
    Parameter,
    Program,
    Stmt,
    walk,
)


def program_names(program: Program) -> list[str]:
    names = [*program.parameters, *(d.name for d in program.declarations)]
    for s in every(program.body):
        names += [s.iterator] if isinstance(s, For) else []
        names += [n for e in expressions(s) for n in names_in(e)]
    for f in program.functions:
        names += [*f.arguments, *names_in(f.body)]
    return names


def roots(program: Program) -> Iter[Expr]:
    """The expressions of the statements and declarations."""
    for d in program.declarations:
        yield from d.extents or ()
    yield from roots_of(program.body)


def roots_of(body: tuple[Stmt, ...]) -> Iter[Expr]:
    for s in every(body):
        yield from expressions(s)


def names_in(e: Expr) -> list[str]:
    found = []
    for x in walk(e):
        match x:
            case Access(array=n) | Let(name=n) | Parameter(name=n) | Iterator(name=n):
                found.append(n)
    return found


def reads(program: Program) -> Iter[Access]:
    for s in every(program.body):
        roots = (*s.target.subscripts, s.value) if isinstance(s, Assign) else expressions(s)
        yield from (x for r in roots for x in walk(r) if isinstance(x, Access))


def every(body: tuple[Stmt, ...]) -> Iter[Stmt]:
    for s in body:
        yield s
        match s:
            case For(body=inner):
                yield from every(inner)
            case If(then=a, otherwise=b):
                yield from every(a)
                yield from every(b)


def expressions(s: Stmt) -> tuple[Expr, ...]:
    match s:
        case Assign():
            return s.target, s.value
        case For():
            return s.lower, s.upper, *(() if s.worth is None else (s.worth,))
        case If():
            return (s.condition,)
