"""Integer locals that only name an affine expression (`int last = n - 1;`) are read as it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from polynb.source.c.meaning.symbols import Symbol
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    For,
    If,
    Iterator,
    Number,
    Stmt,
    Unary,
    arrays,
    rebuild,
    statements,
    walk,
    with_children,
)


def forward_indices(
    body: tuple[Stmt, ...],
    symbols: dict[str, Symbol],
    affine: set[str],
    temporary: Callable[[Symbol], bool],
) -> tuple[Stmt, ...]:
    """A body in which every read of such a local is its expression, and its write is gone.

    `affine` are the variables read where values must be affine; other locals stay, and so do
    those that are not `temporary`: somebody may see them afterwards. A local qualifies if its
    initialiser is its only write and is made of numbers, iterators, and integers that never
    change: all of them keep their values as long as the local lives.
    """
    writes = Counter(s.target.array for s in statements(body))
    known: dict[str, Expr] = {}
    affine = affine.copy()
    for s in reversed(list(statements(body))):
        if s.target.array in affine and symbols[s.target.array].named:
            affine |= arrays(s.value)

    def constant(e: Expr) -> bool:
        match e:
            case Number(type=t):
                return not t.is_float
            case Access(array=key, subscripts=()):
                symbol = symbols[key]
                return key in known or not (
                    writes[key] or symbol.integer is False or symbol.kind == "local"
                )
            case Call(function=f):
                return f in ("min", "max")
            case Binary(op=op):
                return op in ("+", "-", "*", "/", "%", "floord")
            case Cast(type=t):
                return not t.is_float
        return isinstance(e, Iterator) or (isinstance(e, Unary) and e.op in "+-")

    def leaf(node: Expr, new: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Access) and node.array in known:
            return known[node.array]
        return with_children(node, new)

    for s in statements(body):
        symbol = symbols[s.target.array]
        named = symbol.named and writes[symbol.key] == 1 and temporary(symbol)
        if named and symbol.key in affine and all(constant(x) for x in walk(s.value)):
            assert symbol.type is not None  # it has an initialiser
            known[symbol.key] = Cast(symbol.type.element, rebuild(s.value, leaf), span=s.value.span)
    return _replaced(body, known, lambda e: rebuild(e, leaf)) if known else body


def _replaced(
    body: tuple[Stmt, ...], known: dict[str, Expr], read: Callable[[Expr], Expr]
) -> tuple[Stmt, ...]:
    result: list[Stmt] = []
    for s in body:
        match s:
            case Assign(target=target, value=value):
                if target.array not in known:
                    cell = replace(target, subscripts=tuple(read(x) for x in target.subscripts))
                    result.append(replace(s, target=cell, value=read(value)))
            case For(lower=lower, upper=upper, body=inner):
                inside, sides = _replaced(inner, known, read), tuple(map(read, s.compared))
                after = tuple((read(e), t) for e, t in s.after)
                s = replace(s, lower=read(lower), upper=read(upper), compared=sides, after=after)
                result.append(replace(s, body=inside))
            case If(condition=c, then=a, otherwise=b):
                then, otherwise = _replaced(a, known, read), _replaced(b, known, read)
                result.append(replace(s, condition=read(c), then=then, otherwise=otherwise))
    return tuple(result)
