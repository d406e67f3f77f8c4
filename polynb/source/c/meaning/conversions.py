"""C's usual arithmetic conversions (C99 6.3.1.8), made explicit where the tree would miss them.

Iterators and parameters are int64 in the tree, whatever C declares. Signed arithmetic gives the
same in a wider type (its overflow has no meaning in C), but `int` that meets `unsigned` becomes
unsigned, where int64 would stay signed: there, and where an unsigned iterator or parameter is
read, a cast says what C does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from polynb.source.c.meaning.symbols import Symbol
from polynb.source.c.read.literals import constant
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
    with_children,
)
from polynb.source.types import DOUBLE, INT32, INT64, ElementType, common, promote, wrap


class Typed(NamedTuple):
    """An expression with the type that C gives it and the one that it has in the tree: they
    differ only where both are signed, or neither is wide enough to be unsigned."""

    node: Expr
    c: ElementType
    tree: ElementType


@dataclass(frozen=True, eq=False)
class Conversions:
    """The conversions in expressions over keys of symbols. `parameters` are the keys of those
    that become parameters; `functions` those that the text defines."""

    symbols: Mapping[str, Symbol]
    parameters: Collection[str] = ()
    functions: Mapping[str, Define] = field(default_factory=dict)

    def converted(self, e: Expr) -> Expr:
        """The expression with C's conversions, such that its value in the tree's types is C's."""
        return rebuild(e, self._visit).node

    def type_of(self, e: Expr) -> ElementType:
        """The type that C gives an expression."""
        return rebuild(e, self._visit).c

    def narrow(self, e: Expr) -> list[tuple[Expr, ElementType]]:
        """The sums, differences, products and shifts in an expression, converted, that C computes
        in another type than the tree, with that type."""
        found: list[tuple[Expr, ElementType]] = []

        def visit(x: Expr, parts: tuple[Typed, ...]) -> Typed:
            made = self._visit(x, parts)
            match x:
                case Binary(op="+" | "-" | "*" | "<<") | Unary(op="-") if _narrower(made):
                    found.append((made.node, made.c))
            return made

        rebuild(e, visit)
        return found

    def _visit(self, e: Expr, parts: tuple[Typed, ...]) -> Typed:
        match e:
            case Number(type=t):
                return Typed(e, t, t)
            case Iterator(name=key):
                return self._counter(e, key)
            case Parameter():
                return Typed(e, INT64, INT64)
            case Access(array=key, subscripts=()) if key in self.parameters:
                return self._counter(e, key)
            case Access(array=key):
                symbol = self.symbols.get(key)
                t = DOUBLE if symbol is None or symbol.type is None else symbol.type.element
                return Typed(with_children(e, tuple(p.node for p in parts)), t, t)
            case Cast(type=t):
                return _cast(e, t, parts[0])
            case Binary(op=op) if op not in TRUTH_VALUED and op not in ("<<", ">>"):
                return _folded(_arithmetic(e, parts))
            case Binary(op=op) if op not in ("<<", ">>", "&&", "||"):
                return Typed(_arithmetic(e, parts).node, INT32, INT32)
            case Select():
                chosen = _balanced(parts[1:])
                node = with_children(e, (parts[0].node, *(p.node for p in chosen)))
                return _typed(node, chosen)
            case Call(function=f) if f in EXTREMA:
                return _arithmetic(e, parts)
        node = with_children(e, tuple(p.node for p in parts))
        match node:
            case Unary(op="!") | Binary(op="&&" | "||"):
                return Typed(node, INT32, INT32)
            case Call(function=f):
                t = self._result(f)
                return Typed(node, t, t)
            case Let():
                return Typed(node, parts[0].c, parts[0].tree)
        # The other unary operators, and shifts, whose type is that of what is shifted.
        return _folded(Typed(node, promote(parts[0].c), promote(parts[0].tree)))

    def _counter(self, e: Expr, key: str) -> Typed:
        """An iterator or a parameter, which is an int64 in the tree."""
        symbol = self.symbols[key]
        t = INT64 if symbol.type is None else symbol.type.element
        if t.stays_unsigned:
            return Typed(Cast(t, e, span=e.span), t, t)
        return Typed(e, t, INT64)

    def _result(self, function: str) -> ElementType:
        own = self.functions.get(function)
        if own is not None:
            return own.body.type if isinstance(own.body, Cast) else DOUBLE
        known = MATH_FUNCTIONS.get(function)
        return DOUBLE if known is None else known.result


def _narrower(e: Typed) -> bool:
    """Whether it is a signed integer, and a wider one in the tree."""
    return e.c.is_signed and not e.tree.is_float and e.c.size < e.tree.size


def _typed(node: Expr, parts: tuple[Typed, ...]) -> Typed:
    """A node whose type is the common one of its parts."""
    return Typed(node, common(p.c for p in parts), common(p.tree for p in parts))


def _arithmetic(e: Expr, parts: tuple[Typed, ...]) -> Typed:
    """An operation whose operands get a common type."""
    parts = _balanced(parts)
    node = with_children(e, tuple(p.node for p in parts))
    return _typed(node, parts)


def _balanced(parts: tuple[Typed, ...]) -> tuple[Typed, ...]:
    """The operands, where C makes them unsigned with a cast of what the tree has as int64, and
    negative constants as what they become: affine places of the SCoP language have no types."""
    target = common(p.c for p in parts)
    return tuple(_made_unsigned(p, target) for p in parts) if target.stays_unsigned else parts


def _made_unsigned(p: Typed, target: ElementType) -> Typed:
    value = constant(p.node)
    if value is not None and value < 0:
        return Typed(Number(wrap(value, target), target, span=p.node.span), target, target)
    if value is None and p.tree is INT64:
        return Typed(Cast(target, p.node, span=p.node.span), target, target)
    return p


def _cast(e: Cast, t: ElementType, operand: Typed) -> Typed:
    """A conversion; none where the operand has the type already, or (both signed) its value."""
    widens = t.is_signed and operand.c.is_signed and operand.tree is t and not t.is_float
    if operand.c is t or widens:
        return Typed(operand.node, t, operand.tree)
    return Typed(with_children(e, (operand.node,)), t, t)


def _folded(e: Typed) -> Typed:
    """Constants whose unsigned arithmetic wraps around as the literal that they are: in an
    affine place of the SCoP language, `0U - 1` has no type and would be -1."""
    if not e.c.stays_unsigned or isinstance(e.node, Number):
        return e
    value = constant(e.node)
    plain = constant(e.node, wraps=False)
    if value is None or value == plain:
        return e
    return Typed(Number(wrap(value, e.c), e.c, span=e.node.span), e.c, e.c)
