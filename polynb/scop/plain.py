"""Statements as small tuples, which are equal where they say the same: what is typed is compared
with what might have been meant, many times over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression

LARGE: Final = 150
"""Nodes of a statement that no person typed."""


class Sub(NamedTuple):
    """A subscript: what is computed in it, the counters in that, and the number that is added."""

    base: str
    counters: tuple[str, ...]
    number: int

    def __str__(self) -> str:
        return (
            f"{self.base}{self.number:+d}"
            if self.base and self.number
            else self.base or str(self.number)
        )


class Plain(NamedTuple):
    """An expression: `op` is an operator, a function, or says that it is a cell and so on."""

    op: str
    parts: tuple[Plain, ...] = ()
    name: str = ""
    subs: tuple[Sub, ...] = ()

    @property
    def base(self) -> tuple[str, ...]:
        return tuple(s.base for s in self.subs)

    @property
    def place(self) -> tuple[int, ...]:
        return tuple(s.number for s in self.subs)

    @property
    def counters(self) -> set[str]:
        return {i for s in self.subs for i in s.counters} | (
            {self.name} if self.op == "i" else set()
        )


@dataclass(frozen=True)
class TypedLine:
    """A statement, the loops around it and their bounds, the conditions on which it runs, and the
    counters of those loops over which it adds to the same cell."""

    node: syntax.Assign
    target: Plain
    value: Plain
    loops: tuple[syntax.For, ...]
    conditions: tuple[Plain, ...]
    summed: tuple[str, ...] = ()


def plain(e: syntax.Expr) -> Plain:
    return syntax.rebuild(e, _plain)


def place(cell: syntax.Access) -> tuple[int, ...]:
    """Where a cell is from where the loops around it are: `A[t][i-1]` is at (0, -1) from
    `A[t][i]`; a number alone is no distance."""
    return tuple(s.number if s.counters else 0 for s in plain(cell).subs)


def _plain(e: syntax.Expr, parts: tuple[Plain, ...]) -> Plain:
    match e:
        case syntax.Access(array=name, subscripts=subs):
            return Plain("cell", (), name, tuple(map(subscript, subs)))
        case syntax.Number(value=v):
            return Plain("number", (), repr(v))
        case syntax.Parameter(name=name):
            return Plain("size", (), name)
        case syntax.Iterator(name=name):
            return Plain("i", (), name)
        case syntax.Let(name=name):
            return Plain("let", parts, name)
        case syntax.Call(function=f):
            return Plain(f.removeprefix("f").removesuffix("f") if "m" in f else f, parts)
        case syntax.Unary(op=op):
            return Plain(op, parts)
        case syntax.Binary(op=op):
            return Plain(op, parts)
    return Plain("?" if isinstance(e, syntax.Select) else "cast", parts)


def subscript(e: syntax.Expr) -> Sub:
    """`N-1-i`, say: `N-i`, i and -1."""
    rest: list[str] = []
    number, added = 0, e
    while isinstance(added, syntax.Binary) and added.op in ("+", "-"):
        number, rest = _split(added.right, added.op, number, rest)
        added = added.left
    number, rest = _split(added, "+", number, rest)
    counters = tuple(x.name for x in syntax.walk(e) if isinstance(x, syntax.Iterator))
    return Sub("".join(sorted(rest)).removeprefix("+"), counters, number)


def _split(e: syntax.Expr, sign: str, number: int, rest: list[str]) -> tuple[int, list[str]]:
    if isinstance(e, syntax.Number) and isinstance(e.value, int):
        return number + (e.value if sign == "+" else -e.value), rest
    return number, [*rest, sign + print_expression(e)]


def nodes(e: Plain) -> Iterator[Plain]:
    yield e
    for x in e.parts:
        yield from nodes(x)


def cells(e: Plain) -> Iterator[Plain]:
    return (x for x in nodes(e) if x.op == "cell")


def terms(e: Plain) -> list[tuple[int, Plain]]:
    """The terms of `a + b - c`, each with its sign."""
    found = []
    while e.op in ("+", "-") and len(e.parts) == 2:
        found.append((1 if e.op == "+" else -1, e.parts[1]))
        e = e.parts[0]
    return [(1, e), *reversed(found)]


def factors(e: Plain) -> list[Plain]:
    """The factors of `a * b / 2`, but for what it is divided by."""
    found = []
    while e.op in ("*", "/"):
        found += [e.parts[1]] if e.op == "*" else []
        e = e.parts[0]
    return [e, *reversed(found)]


def outermost(e: Plain, ops: tuple[str, ...]) -> Iterator[Plain]:
    """The sums, or products, that are no part of one."""
    if e.op in ops and len(e.parts) == 2:
        yield e
        inside = terms(e) if "-" in ops else [(1, x) for x in factors(e)]
        for _, x in inside:
            yield from outermost(x, ops)
    else:
        for x in e.parts:
            yield from outermost(x, ops)


def replaced(e: Plain, path: tuple[int, ...], new: Plain) -> Plain:
    if not path:
        return new
    k = path[0]
    parts = (*e.parts[:k], replaced(e.parts[k], path[1:], new), *e.parts[k + 1 :])
    return e._replace(parts=parts)


def paths(e: Plain, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Plain]]:
    yield path, e
    for k, x in enumerate(e.parts):
        yield from paths(x, (*path, k))
