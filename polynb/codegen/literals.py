"""Expressions under other values of their iterators, and folded literals as the languages write
them.

`2*i + 1` at `i = 1` is an int64 `3`, but a written `3` is an int32. Where C computes the same
with either, the plain literal is right; elsewhere the conversion has to be said: `int64(3)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polynb.source.functions import EXTREMA, MATH_FUNCTIONS
from polynb.source.normal_form import normal_form
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Cast,
    Expr,
    Iterator,
    Let,
    Number,
    Select,
    Unary,
    rebuild,
    with_children,
)
from polynb.source.type_inference import Types
from polynb.source.types import INT32, INT64, UINT32, ElementType, common_type

_LOGICAL = ("&&", "||")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def substitute(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression in normal form with iterators replaced; every node is visited once, and
    what does not change stays the same node."""

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Iterator):
            new = values.get(node.name, node)
            return node if isinstance(new, Iterator) and new.name == node.name else new
        return with_children(node, parts)

    replaced = rebuild(e, visit)
    return e if replaced is e else normal_form(replaced)


def plain_literals(e: Expr, types: Types) -> Expr:
    """The expression without int64 literals that fit into int32, with the same values."""

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        if _wide(node) is not None or not any(_wide(p) is not None for p in parts):
            return with_children(node, parts)
        return with_children(node, _written(node, parts, types))

    result = rebuild(e, visit)
    return _plain(result) if _wide(result) is not None else result


def _wide(e: Expr) -> int | None:
    """The value of an int64 literal that would fit into int32, None for anything else."""
    match e:
        case Number(value=int(v), type=t) if t is INT64 and abs(v) < 2**31:
            return v
        case Unary(op="-", operand=Number(value=int(v), type=t)) if t is INT64 and v < 2**31:
            return -v
    return None


def _plain(e: Expr) -> Expr:
    if isinstance(e, Unary) and isinstance(e.operand, Number):
        return replace(e, operand=replace(e.operand, type=INT32))
    return replace(e, type=INT32) if isinstance(e, Number) else e


def _written(node: Expr, parts: tuple[Expr, ...], types: Types) -> tuple[Expr, ...]:
    match node:
        case Access() | Cast() | Unary(op="!"):
            return _all(parts)
        case Binary(op=op) if op in _LOGICAL:
            return _all(parts)
        case Binary(op=op) if op in _COMPARISONS:
            return _compared(parts, types)
        case Binary(op="<<" | ">>"):
            return _converted(parts[0]), *_all(parts[1:])
        case Binary():
            return _balanced(parts, types)
        case Select():
            return *_all(parts[:1]), *_balanced(parts[1:], types)
        case Call(function=f) if f in EXTREMA:
            return _balanced(parts, types)
        case Call(function=f) if f in MATH_FUNCTIONS and f not in types.functions:
            return _all(parts)
        case Let() | Call() | Unary():
            return tuple(_converted(p) for p in parts)
    return parts


def _all(parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return tuple(_plain(p) if _wide(p) is not None else p for p in parts)


def _converted(e: Expr) -> Expr:
    return Cast(INT64, _plain(e)) if _wide(e) is not None else e


def _compared(parts: tuple[Expr, ...], types: Types) -> tuple[Expr, ...]:
    """An unsigned comparison would see a negative literal as a large one."""
    kinds = [types.of(p) for p in parts]
    values = [_wide(p) for p in parts]
    if any(v is not None and v < 0 for v in values) and UINT32 in kinds:
        return tuple(_converted(p) for p in parts)
    return _all(parts)


def _balanced(parts: tuple[Expr, ...], types: Types) -> tuple[Expr, ...]:
    """Plain literals while the common type of all parts stays what it is."""
    written = list(parts)
    for k, p in enumerate(parts):
        if _wide(p) is not None:
            others = [types.of(q) for i, q in enumerate(written) if i != k]
            same = _common([INT32, *others]) is _common([INT64, *others])
            written[k] = _plain(p) if same else _converted(p)
    return tuple(written)


def _common(kinds: list[ElementType]) -> ElementType:
    result = kinds[0]
    for t in kinds[1:]:
        result = common_type(result, t)
    return result
