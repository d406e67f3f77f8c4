"""What a program mentions: its names, expressions and reads."""

from __future__ import annotations

from collections.abc import Iterator as Iter

from polynb.source.tree import (
    Access,
    Assign,
    Expr,
    For,
    Iterator,
    Let,
    Parameter,
    Program,
    Stmt,
    every,
    expressions,
    statements,
    walk,
)


def program_names(program: Program) -> list[str]:
    """All that a program names: what is new must have none of these."""
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
    """The whole expressions of statements; their parts are found by `walk`."""
    return (e for s in every(body) for e in expressions(s))


def names_in(e: Expr) -> list[str]:
    """The names in an expression; those of called functions are not among them."""
    nodes = (x for x in walk(e) if isinstance(x, Access | Let | Parameter | Iterator))
    return [x.array if isinstance(x, Access) else x.name for x in nodes]


def reads(program: Program) -> Iter[Access]:
    """Every access that is loaded: a target counts by its subscripts alone."""
    for s in every(program.body):
        own = (*s.target.subscripts, s.value) if isinstance(s, Assign) else expressions(s)
        yield from (x for e in own for x in walk(e) if isinstance(x, Access))


def labels_are_implied(program: Program) -> bool:
    """Whether the statements would get the names they have if they had no labels."""
    labels = [s.label for s in statements(program.body)]
    return labels == [f"S{k}" for k in range(len(labels))]
