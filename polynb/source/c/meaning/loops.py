"""The head of a C `for` -> iterator, first and last value, step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from pycparser import c_ast

from polynb.source.c.meaning.idioms import fresh, without_casts
from polynb.source.c.meaning.symbols import Symbol
from polynb.source.c.meaning.values import Values
from polynb.source.c.read.literals import constant, shifted
from polynb.source.mistakes import mistake
from polynb.source.tree import (
    Binary,
    Call,
    Cast,
    Expr,
    Iterator,
    Number,
    Unary,
    iterators,
    rebuild,
    with_children,
)
from polynb.source.types import INT64, ElementType, common_type, holds, wrap

_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, eq=False)
class Head:
    """Both bounds are inclusive, in the direction the loop runs. `counter`: the iterator's type, if
    it is narrower than the bound's. `compared`, `after`: as in a `For`."""

    iterator: Symbol
    lower: Expr
    upper: Expr
    step: int
    counter: ElementType | None
    compared: tuple[Expr, ...]
    after: tuple[tuple[Expr, ElementType], ...]


@dataclass(frozen=True, eq=False)
class LoopBound:
    """What a comparison allows: the `last` value. It compares something of type `other` with the
    iterator, and what is `added` to it, in an `unsigned` type, if it does. `sides`: what is
    compared, as it is written. `counted`: what is computed of the iterator, if it may leave its
    type after the last turn."""

    last: Expr
    added: Expr | None
    unsigned: ElementType | None
    other: ElementType
    sides: tuple[Expr, ...] = ()
    counted: tuple[tuple[Expr, ElementType], ...] = ()

    def starting(self, lower: Expr) -> Expr:
        """A first value that is compared as what it is: not as a negative one that has wrapped
        around. (What comes after it, counting up, is larger.)"""
        return lower if self.unsigned is None else _kept(lower, self.added, self.unsigned)


@dataclass(eq=False)
class HeadReader:
    """Reads `for (i = lower; i < upper && ...; i += step)`. The iterator is declared in the
    innermost scope where the head declares it."""

    values: Values

    def read(self, node: c_ast.For) -> Head:
        with self.values.names.only_integers():
            return self._read(node)

    def _read(self, node: c_ast.For) -> Head:
        iterator, first = self._start(node)
        if iterator in self.values.names.active:
            place = self.values.places.find(node.init, iterator.name)
            raise mistake("c.loop-shared", place, i=iterator.name)
        lower = self._bound(first)
        if iterator.type is not None:
            lower = in_range(lower, iterator.type.element)
        iterator.iterates = True
        self.values.names.active.append(iterator)
        try:
            step = self._step(node, iterator)
            parts = self._bounds(node, iterator, step)
        finally:
            self.values.names.active.pop()
        own = _own(iterator)
        written, first = (x for part in parts for x in part.sides), Cast(own, lower)
        sides = tuple(_with(first, iterator, x) for x in written)
        then = shifted(Iterator(iterator.key), step)
        after = tuple((_with(then, iterator, x), t) for part in parts for x, t in part.counted)
        for part in parts:
            lower = part.starting(lower)
        upper = parts[0].last
        for part in parts[1:]:
            span = self.values.places.span(node.cond)
            upper = Call("min" if step > 0 else "max", (upper, part.last), span=span)
        counter = own if any(own.size < part.other.size for part in parts) else None
        return Head(iterator, lower, upper, step, counter, sides, after)

    # -- i = lower ---------------------------------------------------------------------

    def _start(self, node: c_ast.For) -> tuple[Symbol, c_ast.Node]:
        places, names = self.values.places, self.values.names
        match node.init:
            case c_ast.DeclList(decls=[c_ast.Decl(init=first) as d]) if first is not None:
                type_ = self.values.types.read(d)
                if type_.dims or not type_.integer:
                    raise mistake("c.loop-real", places.token(d), name=d.name)
                return names.declare(d.name, "local", type_, places.token(d)), first
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=first):
                span = places.span(node.init.lvalue)
                symbol = names.variable(name, span)
                if symbol.rank or symbol.integer is False or symbol.constant is not None:
                    raise mistake("c.loop-counter", span, name=name)
                symbol.rank = 0
                return symbol, first
            case None:
                raise mistake("c.loop-start", places.token(node))
        raise mistake("c.loop-starts", places.span(node.init))

    # -- i += step ---------------------------------------------------------------------

    def _step(self, node: c_ast.For, iterator: Symbol) -> int:
        step, places = None, self.values.places
        if node.next is not None:
            step = self._constant_step(node.next, iterator)
        if not step:
            row = "c.step" if step is None else "c.step-zero"
            place = places.token(node) if node.next is None else places.span(node.next)
            raise mistake(row, place, i=iterator.name)
        return step

    def _constant_step(self, node: c_ast.Node, iterator: Symbol) -> int | None:
        match node:
            case c_ast.UnaryOp(op="++" | "p++", expr=i) if self._is(i, iterator):
                return 1
            case c_ast.UnaryOp(op="--" | "p--", expr=i) if self._is(i, iterator):
                return -1
            case c_ast.Assignment(op="+=" | "-=" as op, lvalue=i, rvalue=c) if self._is(
                i, iterator
            ):
                return self._signed(c, op[0])
            case c_ast.Assignment(
                op="=", lvalue=i, rvalue=c_ast.BinaryOp(op="+" | "-" as op, left=a, right=b)
            ) if self._is(i, iterator):
                if self._is(a, iterator):
                    return self._signed(b, op)
                if op == "+" and self._is(b, iterator):
                    return self._signed(a, op)
        return None

    def _signed(self, node: c_ast.Node, op: str) -> int | None:
        value = constant(self.values.pure(node, "a loop's head"))
        return value if value is None or op == "+" else -value

    def _is(self, node: c_ast.Node, iterator: Symbol) -> bool:
        return isinstance(node, c_ast.ID) and self.values.names.lookup(node.name) is iterator

    # -- i < upper && ... --------------------------------------------------------------

    def _bounds(self, node: c_ast.For, iterator: Symbol, step: int) -> list[LoopBound]:
        """What the parts of a conjunction allow."""
        if node.cond is None:
            raise mistake("c.loop-end", self.values.places.token(node))
        return [self._last(part, iterator, step) for part in _conjuncts(node.cond)]

    def _last(self, node: c_ast.Node, iterator: Symbol, step: int) -> LoopBound:
        match node:
            case c_ast.BinaryOp(op="!=" | "==" as op, left=left):
                raise mistake(
                    "c.loop-equal",
                    self.values.places.operator(node, left),
                    op=op,
                    right="<" if step > 0 else ">",
                )
            case c_ast.BinaryOp(op=op, left=left, right=right) if op in _MIRROR:
                a, b = self._bound(left), self._bound(right)
                if iterator.key in iterators(b) and iterator.key not in iterators(a):
                    a, b, op = b, a, _MIRROR[op]
                side = without_casts(a, self.values.integer)
                if iterator.key in iterators(b) or not isinstance(side, Iterator | Binary):
                    self._refuse_bound(node, iterator)
                types = self.values.type_of(a), self.values.type_of(b)
                moved = self._added(side, node, iterator)
                self._check_direction(node, iterator, op, step)
                bound = compared(b, types, moved, "=" not in op, step)
                sides = (b,) if moved is None else (a, b)
                stops = moved is None and "=" not in op and abs(step) == 1  # at b itself
                held = stops and holds(_own(iterator), types[1])
                counted = () if held else _counted(iterator, a, types[0])
                bound = replace(bound, sides=sides, counted=counted)
                return self._ending(bound, node, iterator, step)
        self._refuse_bound(node, iterator)

    def _added(self, side: Expr, node: c_ast.Node, iterator: Symbol) -> Expr | None:
        """What is added to the iterator where it is compared: 1 in `i + 1 < n`."""
        match side:
            case Iterator(name=n) if n == iterator.key:
                return None
            case Binary(op="+" | "-" as op, left=Iterator(name=n), right=c) if (
                n == iterator.key and iterator.key not in iterators(c)
            ):
                return c if op == "+" else Unary("-", c, span=c.span)
        self._refuse_bound(node, iterator)

    def _check_direction(self, node: c_ast.Node, iterator: Symbol, op: str, step: int) -> None:
        i, span = iterator.name, self.values.places.span(node)
        if (step > 0) != (op in ("<", "<=")):
            raise mistake(
                "c.loop-away", span, i=i, way="up" if step > 0 else "down", right=_MIRROR[op]
            )

    def _ending(self, bound: LoopBound, node: c_ast.Node, iterator: Symbol, step: int) -> LoopBound:
        """The bound of a loop that counts down, which must not step over the end of its type."""
        own = _own(iterator)
        kind = bound.unsigned or (None if own.is_signed else own)
        if step > 0 or kind is None:
            return bound
        after = shifted(bound.last, step)
        value, added = constant(after), _added(bound.added)
        if value is not None and added is not None and value + added < 0:
            i = iterator.name
            row = "c.loop-unsigned" if constant(bound.last) == 0 else "c.loop-over-0"
            raise mistake(row, self.values.places.span(node), i=i)
        last = shifted(_kept(after, bound.added, kind), -step)
        return bound if value is not None and added is not None else replace(bound, last=last)

    def _bound(self, node: c_ast.Node) -> Expr:
        return self.values.pure(node, "a loop's head")

    def _refuse_bound(self, node: c_ast.Node, iterator: Symbol) -> NoReturn:
        raise mistake("c.loop-bound", self.values.places.span(node), i=iterator.name)


def _own(iterator: Symbol) -> ElementType:
    return iterator.type.element if iterator.type is not None else INT64


def _counted(
    iterator: Symbol, side: Expr, kind: ElementType
) -> tuple[tuple[Expr, ElementType], ...]:
    """An iterator, and the side of a comparison that it is on, with their types; not those of 64
    bits, which are taken to hold everything."""
    both = (Iterator(iterator.key), _own(iterator)), (side, kind)
    return tuple((e, t) for e, t in both if t.size < INT64.size)


def _with(value: Expr, iterator: Symbol, e: Expr) -> Expr:
    """An expression with a value of an iterator for it."""

    def leaf(node: Expr, new: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Iterator) and node.name == iterator.key:
            return fresh(value)
        return with_children(node, new)

    return rebuild(e, leaf)


def compared(
    other: Expr,
    types: tuple[ElementType, ElementType],
    added: Expr | None,
    strict: bool,
    step: int,
) -> LoopBound:
    """What `i + added < other` allows, computed with all integers: `types` are C's of both
    sides, which convert what is compared."""
    kind = common_type(*types)
    unsigned = [t for t in (types[0], kind) if t.stays_unsigned]
    if types[1].stays_unsigned or unsigned:
        other = exact(other, kind) if kind.stays_unsigned else Cast(kind, other, span=other.span)
    value = _added(added)
    last = (
        _sum(other, "-", added)
        if value is None and added is not None
        else shifted(other, -(value or 0))
    )
    last = shifted(last, -1 if step > 0 else 1) if strict else last
    return LoopBound(last, added, unsigned[0] if unsigned else None, types[1])


def in_range(e: Expr, kind: ElementType) -> Expr:
    """The expression converted to a type; a constant that fits as it is."""
    value = constant(e)
    if value is not None and value == wrap(value, kind):
        return e
    return Cast(kind, e, span=e.span)


def exact(e: Expr, kind: ElementType) -> Expr:
    """The value that an expression has in an unsigned type, as an int64. It is divided (by 1),
    because divisions need the value itself: sums do with what it is modulo 2^bits."""
    converted = in_range(e, kind)
    if converted is e:
        return e
    same = Binary("floord", converted, Number(1, kind), span=e.span)
    return Cast(INT64, same, span=e.span)


def _kept(e: Expr, added: Expr | None, kind: ElementType) -> Expr:
    """The expression, where what is added to it makes a value of an unsigned type."""
    own = e.type if isinstance(e, Cast) and e.type.stays_unsigned else None
    if added is None:
        return e if own is kind else exact(e, kind)
    e = e if own is None else exact(e, own)
    total = _sum(e, "+", added)
    checked = exact(total, kind)
    return e if checked is total else _sum(checked, "-", added)


def _added(added: Expr | None) -> int | None:
    """The value of what is added, where it is a constant: that of -(2u) too, which is -2 here."""
    match added:
        case None:
            return 0
        case Unary(op="-", operand=x):
            value = constant(x)
            return None if value is None else -value
    return constant(added)


def _sum(e: Expr, op: str, added: Expr) -> Expr:
    match added:
        case Unary(op="-", operand=x):
            op, added = {"+": "-", "-": "+"}[op], x
    return Binary(op, e, Cast(INT64, fresh(added), span=added.span), span=e.span)


def _conjuncts(node: c_ast.Node) -> list[c_ast.Node]:
    if isinstance(node, c_ast.BinaryOp) and node.op == "&&":
        return _conjuncts(node.left) + _conjuncts(node.right)
    return [node]
