"""Where C's conversions change a value: unsigned arithmetic that wraps around, and narrowing.

isl computes with all integers. Sums, differences and products of one unsigned type are the same
modulo 2^bits, so only where such a value is used otherwise (compared, divided, converted to a
wider or a signed type, the end of the expression) does it have to be in the range of its type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator as Iter
from dataclasses import dataclass

from polynb import isl
from polynb.source.tree import (
    Binary,
    Call,
    Cast,
    Expr,
    Number,
    Select,
    Unary,
    children,
    rebuild,
    walk,
    with_children,
)
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, ElementType, common_type

_MODULAR = ("+", "-", "*")


@dataclass(frozen=True, eq=False)
class Wrap:
    """A part of an expression whose value a conversion to `type` changes: `{ [i] }`, where."""

    node: Expr
    type: ElementType
    where: isl.Set


def converts(e: Expr) -> bool:
    """Whether an expression has integer casts or unsigned literals."""
    return any(_converts(x) for x in walk(e))


def _converts(e: Expr) -> bool:
    match e:
        case Cast(type=t):
            return not t.is_float
        case Number(type=t):
            return not t.is_signed
    return False


def without_conversions(e: Expr) -> Expr:
    """The expression over all integers: without casts to integer types."""

    def visit(node: Expr, new: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Cast) and not node.type.is_float:
            return new[0]
        return with_children(node, new)

    return rebuild(e, visit)


def as_part_of(whole: Expr, part: Expr) -> Expr:
    """An operand of a `min` or `max`, with the type it has as the value of the whole: of
    `min(n, m) - 1`, `m` may be unsigned where the difference is not."""
    if part is whole or not converts(part):
        return part
    return Cast(Types(defaultdict(lambda: DOUBLE)).of(whole), part, span=part.span)


def wrapping(
    e: Expr, known: isl.Set, evaluate: Callable[[Expr], isl.PwAff], *, below: bool = True
) -> Wrap | None:
    """The first part that a conversion changes somewhere in `known`; None if C computes what
    `without_conversions` says. `evaluate` gives the values of parts without conversions. Not
    `below`: the whole may be less than its type holds, if that is one of 4 bytes or more."""
    types = Types(defaultdict(lambda: DOUBLE))
    for node, kind in _ranges(e, types):
        if isinstance(node, Number) and 0 <= node.value <= kind.most:
            continue
        value = evaluate(without_conversions(node))
        wraps_low = below or node is not e or kind.size < 4
        where = beyond(known, value, kind, below=wraps_low)
        if not where.is_empty():
            return Wrap(node, kind, where)
    return None


def beyond(domain: isl.Set, value: isl.PwAff, kind: ElementType, *, below: bool = True) -> isl.Set:
    """Where in a domain `{ [i] }` a type does not hold a value: it is more, or, if it may be
    `below`, less."""
    outside = value.add_constant_val(isl.Val(str(-kind.most))).pos_set()
    if below:
        outside = outside.union(value.neg().add_constant_val(isl.Val(str(kind.least))).pos_set())
    return domain.intersect(outside)


def _ranges(e: Expr, types: Types) -> Iter[tuple[Expr, ElementType]]:
    """The parts of an expression that have to be in the range of a type."""
    kind = types.of(e)
    for x, to, exact in (*_conversions(e, types), (e, kind, True)):
        of = types.of(x)
        needed = None if of.is_float or to.is_float else _needed(of, to, exact)
        if needed is not None:
            yield x, needed


def _conversions(e: Expr, types: Types) -> Iter[tuple[Expr, ElementType, bool]]:
    """The operands, what they are converted to, and whether the value matters or only what it
    is modulo 2^bits."""
    for node in walk(e):
        match node:
            case Cast(type=t, operand=x):
                yield x, t, t.is_signed
            case Unary(op="-" | "+", operand=x):
                yield x, types.of(node), False
            case Binary(op="&&" | "||") | Unary():
                yield from ((x, types.of(x), True) for x in children(node))
            case Binary(op=op, left=a, right=b):
                common = common_type(types.of(a), types.of(b))
                yield from ((x, common, op not in _MODULAR) for x in (a, b))
            case Select(condition=c, then=a, otherwise=b):
                yield c, types.of(c), True
                yield from ((x, types.of(node), True) for x in (a, b))
            case Call():
                yield from ((x, types.of(node), True) for x in children(node))


def _needed(of: ElementType, to: ElementType, exact: bool) -> ElementType | None:
    """The range in which a value of type `of` is the same in type `to`, if it may leave it."""
    if of.is_signed:
        return to if (of.size > to.size if to.is_signed else exact) else None
    if of.size < to.size:
        return of
    return to if to.is_signed or exact else None
