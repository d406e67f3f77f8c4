"""The head of a C `for` -> iterator, first and last value, step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from pycparser import c_ast

from polynb.errors import Span
from polynb.source.c_idioms import fresh, without_casts
from polynb.source.c_literals import constant, shifted
from polynb.source.c_symbols import Symbol
from polynb.source.c_types import refuse
from polynb.source.c_values import Values
from polynb.source.tree import Binary, Call, Expr, Iterator, walk

_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WHY = "a loop's iterations must be known before it runs"


@dataclass(frozen=True, eq=False)
class Head:
    """Both bounds are inclusive, in the direction the loop runs."""

    iterator: Symbol
    lower: Expr
    upper: Expr
    step: int


@dataclass(eq=False)
class HeadReader:
    """Reads `for (i = lower; i < upper && ...; i += step)`. The iterator is declared in the
    innermost scope where the head declares it."""

    values: Values

    def read(self, node: Any) -> Head:
        iterator, first = self._start(node)
        if iterator in self.values.names.active:
            self._refuse_shared(iterator, node.init)
        lower = self._bound(first)
        iterator.iterates = True
        self.values.names.active.append(iterator)
        try:
            step = self._step(node, iterator)
            parts = self._bounds(node, iterator, step)
        finally:
            self.values.names.active.pop()
        upper = parts[0]
        for part in parts[1:]:
            span = self.values.places.span(node.cond)
            upper = Call("min" if step > 0 else "max", (upper, part), span=span)
        return Head(iterator, lower, upper, step)

    # -- i = lower ---------------------------------------------------------------------

    def _start(self, node: Any) -> tuple[Symbol, Any]:
        places, names = self.values.places, self.values.names
        match node.init:
            case c_ast.DeclList(decls=[c_ast.Decl(init=first) as d]) if first is not None:
                type_ = self.values.types.read(d)
                if type_.dims or not type_.integer:
                    refuse(
                        f"{d.name} cannot count a loop",
                        places.token(d),
                        reason="an iterator is an integer",
                        hint=f"`int {d.name}`",
                    )
                return names.declare(d.name, "local", type_, places.token(d)), first
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=first):
                span = places.span(node.init.lvalue)
                symbol = names.variable(name, span)
                if symbol.rank or symbol.integer is False or symbol.constant is not None:
                    refuse(
                        f"{name} cannot count a loop",
                        span,
                        reason="an iterator is an integer variable",
                        hint=f"`int {name}`",
                    )
                symbol.rank = 0
                return symbol, first
            case None:
                refuse(
                    "this loop does not say where it starts",
                    places.token(node),
                    reason=_WHY,
                    hint="`for (int i = 0; i < n; i++)`",
                )
        refuse(
            "a loop starts with one iterator and its first value",
            places.span(node.init),
            reason=_WHY,
            hint="`int i = 0` or `i = 0`, and other assignments before the loop",
        )

    def _refuse_shared(self, iterator: Symbol, node: Any) -> NoReturn:
        refuse(
            f"{iterator.name} already counts a loop around this one",
            self.values.places.find(node, iterator.name),
            reason="the inner loop would change the outer one's iterator",
            hint="another name for the inner iterator",
        )

    # -- i += step ---------------------------------------------------------------------

    def _step(self, node: Any, iterator: Symbol) -> int:
        if node.next is None:
            self._refuse_step(self.values.places.token(node), iterator)
        step = self._constant_step(node.next, iterator)
        if step is None:
            self._refuse_step(self.values.places.span(node.next), iterator)
        if step == 0:
            refuse(
                "a step of 0 never ends",
                self.values.places.span(node.next),
                hint=f"`{iterator.name}++`",
            )
        return step

    def _constant_step(self, node: Any, iterator: Symbol) -> int | None:
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

    def _signed(self, node: Any, op: str) -> int | None:
        value = constant(self.values.pure(node, "a loop's head"))
        return value if value is None or op == "+" else -value

    def _is(self, node: Any, iterator: Symbol) -> bool:
        return isinstance(node, c_ast.ID) and self.values.names.lookup(node.name) is iterator

    def _refuse_step(self, span: Span, iterator: Symbol) -> NoReturn:
        i = iterator.name
        refuse(
            f"a loop's step adds a constant to {i}",
            span,
            reason="only then are its iterations a regular set",
            hint=f"`{i}++`, `{i}--`, `{i} += 2` or `{i} = {i} - 3`",
        )

    # -- i < upper && ... --------------------------------------------------------------

    def _bounds(self, node: Any, iterator: Symbol, step: int) -> list[Expr]:
        """The last values that the parts of a conjunction allow."""
        if node.cond is None:
            refuse(
                "this loop does not say where it ends",
                self.values.places.token(node),
                reason=_WHY,
                hint="a condition such as `i < n`",
            )
        return [self._last(part, iterator, step) for part in _conjuncts(node.cond)]

    def _last(self, node: Any, iterator: Symbol, step: int) -> Expr:
        match node:
            case c_ast.BinaryOp(op="!=" | "==" as op, left=left):
                refuse(
                    f"`{op}` does not bound a loop",
                    self.values.places.operator(node, left),
                    reason="a step could jump over the one value that ends it",
                    hint="`<`" if step > 0 else "`>`",
                )
            case c_ast.BinaryOp(op=op, left=left, right=right) if op in _MIRROR:
                a, b = self._bound(left), self._bound(right)
                if self._counts(b, iterator) and not self._counts(a, iterator):
                    a, b, op = b, a, _MIRROR[op]
                last = self._solved(a, b, iterator)
                if last is None:
                    self._refuse_bound(node, iterator)
                self._check_direction(node, iterator, op, last, step)
                return last if "=" in op else shifted(last, -1 if step > 0 else 1)
        self._refuse_bound(node, iterator)

    def _solved(self, side: Expr, other: Expr, iterator: Symbol) -> Expr | None:
        """What the iterator is compared with: `i + 1 < n` compares i with n - 1."""
        match side:
            case Iterator() if not self._counts(other, iterator):
                return other
            case Binary(op="+" | "-" as op, left=Iterator(name=n), right=c) if (
                n == iterator.key and not self._counts(c, iterator)
            ):
                value = constant(c)
                if value is not None:
                    moved = shifted(other, -value if op == "+" else value)
                else:
                    inverse = "-" if op == "+" else "+"
                    moved = Binary(inverse, other, fresh(c), span=other.span)
                return None if self._counts(other, iterator) else moved
        return None

    def _counts(self, e: Expr, iterator: Symbol) -> bool:
        return any(isinstance(x, Iterator) and x.name == iterator.key for x in walk(e))

    def _check_direction(self, node: Any, iterator: Symbol, op: str, last: Expr, step: int) -> None:
        i, span = iterator.name, self.values.places.span(node)
        if (step > 0) != (op in ("<", "<=")):
            refuse(
                f"{i} counts {'up' if step > 0 else 'down'}, away from this bound",
                span,
                reason="the loop would end at once or never",
                hint=f"`{i} {_MIRROR[op]} ...`, or a step the other way",
            )
        unsigned = iterator.type is not None and not iterator.type.element.is_signed
        if step < 0 and unsigned and op == ">=" and constant(last) == 0:
            refuse(
                f"{i} is unsigned, so {i} >= 0 always holds",
                span,
                reason="after 0 comes the largest value, and the loop never ends",
                hint=f"`int {i}`",
            )

    def _bound(self, node: Any) -> Expr:
        return without_casts(self.values.pure(node, "a loop's head"), self.values.integer)

    def _refuse_bound(self, node: Any, iterator: Symbol) -> NoReturn:
        i = iterator.name
        refuse(
            f"this does not compare {i} with a bound",
            self.values.places.span(node),
            reason=_WHY,
            hint=f"`{i} < n`, or `{i} < n && {i} <= m`; other conditions belong in an `if` inside",
        )


def _conjuncts(node: Any) -> list[Any]:
    if isinstance(node, c_ast.BinaryOp) and node.op == "&&":
        return _conjuncts(node.left) + _conjuncts(node.right)
    return [node]
