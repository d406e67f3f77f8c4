"""Expressions -> text in the SCoP language, with as few parentheses as C's precedence allows.

Values are written with blanks, `in[i-1] + 2*in[i]`; what is between brackets, and bounds, tight.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple, assert_never

from polynb.source.literals import written_number
from polynb.source.operators import (
    COMPARISONS,
    PRECEDENCE,
    PRIMARY,
    SELECT,
    UNARY,
    divides,
    is_data,
)
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Cast,
    Expr,
    Iterator,
    Let,
    Number,
    Parameter,
    Select,
    Unary,
    children,
    walk,
)
from polynb.source.type_inference import Types
from polynb.source.types import INT32, INT64

_COEFFICIENT = 10  # characters of a first operand that no line ends behind
_DEEP = 10  # long operands inside each other that are
_SPACED = (*COMPARISONS, "&&", "||")
_TIGHTER_THAN_COMPARISONS = PRECEDENCE["<"] + 1


class Place(Enum):
    """What an expression is there for: a value; an affine function of iterators and parameters;
    a subscript, bound or condition that depends on data, or on types."""

    VALUE = "value"
    AFFINE = "affine"
    DATA = "data"


# Texts of expressions are put together only when they are wanted: the operands of a large one are
# parts of its text and of each other's, and as ropes all of them together take the space of one.

_SHORT = 60  # characters: up to that many are put together at once

Rope = str | tuple["Rope", ...]


class _Piece(NamedTuple):
    """A text as a rope, its length, its first character, and how tightly its outermost operator
    binds."""

    rope: Rope
    width: int
    first: str
    level: int

    @property
    def text(self) -> str:
        found: list[str] = []
        stack = [self.rope]
        while stack:
            rope = stack.pop()
            if isinstance(rope, str):
                found.append(rope)
            else:
                stack.extend(reversed(rope))
        return "".join(found)

    def at_least(self, level: int) -> _Piece:
        return self if self.level >= level else _joined(PRIMARY, "(", self, ")")


def _joined(level: int, *parts: str | _Piece) -> _Piece:
    """The texts one behind the other; short ones are put together at once."""
    pieces = [_Piece(p, len(p), p[:1], level) if isinstance(p, str) else p for p in parts]
    width = sum(p.width for p in pieces)
    rope: Rope = tuple(p.rope for p in pieces)
    if width <= _SHORT:
        rope = "".join(p.text for p in pieces)
    return _Piece(rope, width, pieces[0].first, level)


@dataclass(frozen=True, eq=False)
class Texts:
    """Prints expressions. `renamed` are names that the language does not allow and what stands
    for them; `lets` the names of Let nodes by identity (all others are written out), or None
    where they have the names they say. A Let gets its name before what uses it is printed: every
    node is visited once, and its text kept."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    lets: Mapping[int, str] | None = None
    _known: dict[tuple[int, Place], tuple[Expr, _Piece]] = field(default_factory=dict, init=False)

    def value(self, e: Expr) -> str:
        return self._piece(e, Place.VALUE).text

    def affine(self, e: Expr) -> str:
        """The text in a subscript, bound, condition or extent."""
        return self._subscript(e).text

    def _subscript(self, e: Expr) -> _Piece:
        typed = is_data(e) or any(_typed(x) for x in walk(e))
        return self._piece(e, Place.DATA if typed else Place.AFFINE)

    def name(self, name: str) -> str:
        return self.renamed.get(name, name)

    def parts(self, e: Expr, depth: int = 0) -> list[str]:
        """A value cut where lines may be broken: before its outermost operators, and before
        those inside of long operands."""
        match e:
            case Select(condition=c, then=a, otherwise=b):
                return [
                    *self._cut(c, "", SELECT + 1, depth),
                    *self._cut(a, "? ", SELECT + 1, depth),
                    *self._cut(b, ": ", SELECT, depth),
                ]
            case Binary(op=op, left=a, right=b) if op in COMPARISONS:
                level = _TIGHTER_THAN_COMPARISONS
                return [*self._cut(a, "", level, depth), *self._cut(b, f"{op} ", level, depth)]
            case Binary(op=op) if op in PRECEDENCE:
                return self._chain(e, PRECEDENCE[op], depth)
        return [self.value(e)]

    def _chain(self, e: Expr, level: int, depth: int) -> list[str]:
        """The operands of left-associative operators of one level."""
        operands: list[list[str]] = []
        while isinstance(e, Binary) and PRECEDENCE.get(e.op) == level:
            operands.append(self._cut(e.right, f"{e.op} ", level + 1, depth))
            e = e.left
        operands.append(self._cut(e, "", level, depth))
        first, *rest = [part for parts in reversed(operands) for part in parts]
        if rest and len(first) <= _COEFFICIENT:
            first = f"{first} {rest.pop(0)}"
        return [first, *rest]

    def _cut(self, e: Expr, before: str, level: int, depth: int) -> list[str]:
        """The parts of an operand, with what stands before it and its parentheses."""
        piece = self._piece(e, Place.VALUE)
        if piece.width <= _SHORT or depth > _DEEP:
            is_right = before and before[0] not in "?:"
            operand = _right(piece, level - 1) if is_right else piece.at_least(level)
            return [before + operand.text]
        first, *rest = self.parts(e, depth + 1)
        opening, closing = ("(", ")") if piece.level < level else ("", "")
        found = [before + opening + first, *rest]
        found[-1] += closing
        return found

    # -- the parts of a text -------------------------------------------------------------

    def _piece(self, e: Expr, place: Place) -> _Piece:
        stack = [e]
        while stack:
            node = stack[-1]
            if (id(node), place) not in self._known:
                todo = [x for x in self._inside(node) if (id(x), place) not in self._known]
                if todo:
                    stack.extend(todo)
                    continue
                parts = tuple(self._known[id(x), place][1] for x in self._inside(node))
                # The node is kept so that its identity stays its own.
                self._known[id(node), place] = node, self._visit(node, parts, place)
            stack.pop()
        return self._known[id(e), place][1]

    def _inside(self, e: Expr) -> tuple[Expr, ...]:
        """The parts of an expression that are written where it is, at the same kind of place."""
        if isinstance(e, Access) or (isinstance(e, Let) and self._name_of(e) is not None):
            return ()
        return children(e)

    def _name_of(self, e: Let) -> str | None:
        return self.name(e.name) if self.lets is None else self.lets.get(id(e))

    def _visit(self, e: Expr, parts: tuple[_Piece, ...], place: Place) -> _Piece:
        match e:
            case Number():
                return _number(e, place)
            case Parameter(name=n) | Iterator(name=n):
                return _joined(PRIMARY, self.name(n))
            case Access(array=a, subscripts=s):
                cells = (x for subscript in s for x in ("[", self._subscript(subscript), "]"))
                return _joined(PRIMARY, self.name(a), *cells)
            case Unary(op=op):
                operand = parts[0].at_least(UNARY)
                signs = operand.first in "+-"
                return _joined(UNARY, op, *(("(", operand, ")") if signs else (operand,)))
            case Binary(op="floord" | "mod" as function):
                return _call(function, parts, place)
            case Binary():
                if place is not Place.VALUE and divides(e) and not is_data(e):
                    return self._piece(_truncated(e), place)
                return _infix(e, parts[0], parts[1], place)
            case Call(function=f):
                return _call(f if f in ("min", "max") else self.name(f), parts, place)
            case Cast(type=t):
                return _call(t.name, parts, place)
            case Select():
                condition, then = (p.at_least(SELECT + 1) for p in parts[:2])
                return _joined(SELECT, condition, " ? ", then, " : ", parts[2])
            case Let():
                name = self._name_of(e)
                return parts[0] if name is None else _joined(PRIMARY, name)
        assert_never(e)


def _typed(e: Expr) -> bool:
    """Whether it says something of its type that the value depends on."""
    return isinstance(e, Cast) or (isinstance(e, Number) and not e.type.is_signed)


def _number(e: Number, place: Place) -> _Piece:
    """In affine places integers have no type, so they are written without a suffix."""
    plain = place is Place.AFFINE and not e.type.is_float
    text = str(e.value) if plain else written_number(e)
    return _joined(UNARY if text.startswith("-") else PRIMARY, text)


def _call(name: str, arguments: Sequence[_Piece], place: Place) -> _Piece:
    separator = ", " if place is Place.VALUE else ","
    listed = [x for a in arguments for x in (separator, a)][1:]
    return _joined(PRIMARY, name, "(", *listed, ")")


def _infix(e: Binary, left: _Piece, right: _Piece, place: Place) -> _Piece:
    level = PRECEDENCE[e.op]
    if e.op in COMPARISONS:  # they cannot be chained
        tighter = _TIGHTER_THAN_COMPARISONS
        return _joined(level, left.at_least(tighter), f" {e.op} ", right.at_least(tighter))
    coefficient = e.op == "*" and isinstance(e.left, Number) and right.level == PRIMARY
    tight = coefficient or (place is not Place.VALUE and e.op not in _SPACED)
    operator = e.op if tight else f" {e.op} "
    return _joined(level, left.at_least(level), operator, _right(right, level))


def _right(operand: _Piece, level: int) -> _Piece:
    """The right operand of a left-associative operator; `a - (-b)` for two signs in a row."""
    operand = operand.at_least(level + 1)
    return _joined(PRIMARY, "(", operand, ")") if operand.first in "+-" else operand


def _truncated(e: Binary) -> Expr:
    """C's division, which truncates, by floor divisions: only these can be written in affine
    places. Of unsigned values they are the same, in the type that C converts both to."""
    kind = Types(defaultdict(lambda: INT64)).of(e)
    op = "floord" if e.op == "/" else "mod"
    if not kind.is_signed:
        return Binary(op, Cast(kind, e.left), Cast(kind, e.right))
    match e.right:
        case Unary(op="-", operand=Number(value=int(divisor)) as right) if divisor > 0:
            quotient = replace(e, right=right)
            return Unary("-", quotient) if e.op == "/" else quotient
        case Number(value=int(divisor)) if divisor > 0:
            positive = Binary(">=", e.left, Number(0, INT32))
            negated = Unary("-", Binary(op, Unary("-", e.left), e.right))
            return Select(positive, Binary(op, e.left, e.right), negated)
    zero = Number(0, INT32)
    remainder = Binary("mod", e.left, e.right)
    signs = Binary("!=", Binary("<", e.left, zero), Binary("<", e.right, zero))
    rounds_up = Binary("&&", Binary("!=", remainder, zero), signs)
    if e.op == "/":
        return Binary("+", Binary(op, e.left, e.right), rounds_up)
    return Binary("-", remainder, Select(rounds_up, e.right, zero))


def print_expression(e: Expr) -> str:
    """An expression as a value, in one line."""
    return Texts().value(e)


def print_affine(e: Expr) -> str:
    """An expression as it stands in a subscript: `2*i-1`."""
    return Texts().affine(e)
