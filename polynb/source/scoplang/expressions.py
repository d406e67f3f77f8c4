"""Lark's trees of expressions -> expressions, with names resolved and spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from polynb.errors import Edit, Source, Span
from polynb.source import operators
from polynb.source.functions import argument_names
from polynb.source.literals import read_number
from polynb.source.mistakes import mistake
from polynb.source.names import BUILTINS
from polynb.source.scoplang.scope import Scope
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Cast,
    Expr,
    Iterator,
    Let,
    Parameter,
    Select,
    Unary,
    walk,
)
from polynb.source.types import TYPES, element_type

DEEPEST = 80  # nested parentheses, subscripts, calls and ?: of an expression
LONGEST = 200  # operands of an expression in an affine place
Item: TypeAlias = Any  # lark.Tree or lark.Token; an optional part that is missing is None


# -- the few things that are asked of lark's trees (without importing lark)


def kind(item: Item) -> str:
    """A tree's rule or a token's terminal."""
    return str(item.data if hasattr(item, "data") else item.type)


def children(item: Item) -> list[Item]:
    """The direct parts of a tree."""
    return list(item.children)


def range_of(item: Item) -> tuple[int, int]:
    """The offsets of the first character and behind the last one."""
    place = item.meta if hasattr(item, "meta") else item
    return place.start_pos, place.end_pos


class _Operand(NamedTuple):
    """An expression and the characters it takes up, its parentheses included."""

    value: Expr
    start: int
    end: int

    @property
    def is_bare_comparison(self) -> bool:
        e = self.value
        bare = e.span is not None and e.span.start == self.start
        return bare and isinstance(e, Binary) and e.op in operators.COMPARISONS


class _Pending(NamedTuple):
    """An operator that waits for its right operand."""

    level: int
    op: str
    start: int
    prefix: bool


@dataclass(eq=False)
class Expressions:
    """Expressions of one program. `affine` says whether the place is an affine one: a subscript,
    bound, condition or extent, where `/` and `%` are floor division and its remainder."""

    source: Source
    scope: Scope
    affine: bool = False
    depth: int = 0

    def span(self, item: Item) -> Span:
        start, end = range_of(item)
        return Span(self.source, start, end)

    def value(self, item: Item) -> Expr:
        """An expression in a place for values."""
        return self._in(False, item)

    def affine_value(self, item: Item) -> Expr:
        """An expression in an affine place."""
        return self._in(True, item)

    def _in(self, affine: bool, item: Item) -> Expr:
        before, self.affine = self.affine, affine
        self.depth += 1
        if self.depth > DEEPEST:
            raise mistake("scop.too-deep", self.span(item), deepest=DEEPEST)
        result = self._expression(item)
        self.affine, self.depth = before, self.depth - 1
        return result

    def _expression(self, item: Item) -> Expr:
        if kind(item) == "infix":
            return self._infix(children(item))
        parts = [self._in(self.affine, x) for x in children(item)]
        return Select(*parts, span=self.span(item))

    # -- operators -----------------------------------------------------------------------

    def _infix(self, items: Sequence[Item]) -> Expr:
        """Dijkstra's shunting yard."""
        if self.affine and len(items) > 2 * LONGEST:
            raise mistake(
                "scop.many-operands",
                Span(self.source, range_of(items[0])[0], range_of(items[-1])[1]),
                longest=LONGEST,
            )
        operands: list[_Operand] = []
        pending: list[_Pending] = []
        after_operand = False
        for item in items:
            if not _is_operator(item):
                operands.append(self._operand(item))
                after_operand = True
                continue
            operator = _pending(item, prefix=not after_operand)
            if operator.prefix:
                self._check_not(operator, pending)
            while after_operand and pending and pending[-1].level >= operator.level:
                self._reduce(operands, pending.pop())
            pending.append(operator)
            after_operand = False
        while pending:
            self._reduce(operands, pending.pop())
        return operands[0].value

    def _check_not(self, operator: _Pending, pending: list[_Pending]) -> None:
        """`not` is looser than most operators, so it cannot stand behind one of them."""
        if pending and operator.level < pending[-1].level:
            raise mistake(
                "scop.not-looser",
                Span(self.source, operator.start, operator.start + len("not")),
                before=pending[-1],
            )

    def _reduce(self, operands: list[_Operand], operator: _Pending) -> None:
        right = operands.pop()
        start = operator.start if operator.prefix else operands[-1].start
        span = Span(self.source, start, right.end)
        if operator.prefix:
            result: Expr = Unary(operator.op, right.value, span=span)
        else:
            left = operands.pop()
            if operator.op in operators.COMPARISONS:
                self._check_chain(left, operator, right)
            result = Binary(operator.op, left.value, right.value, span=span)
            if self.affine and operators.divides(result) and not operators.is_data(result):
                op = "floord" if operator.op == "/" else "mod"
                result = Binary(op, left.value, right.value, span=span)
        operands.append(_Operand(result, start, right.end))

    def _check_chain(self, left: _Operand, operator: _Pending, right: _Operand) -> None:
        text = self.source.text
        first, last = text[left.start : left.end], text[right.start : right.end]
        match left, right:
            case _Operand(value=Binary(right=middle)), _ if left.is_bare_comparison:
                pass
            case _, _Operand(value=Binary(left=middle)) if right.is_bare_comparison:
                pass
            case _:
                return
        shared = middle.span.text if middle.span is not None else "..."
        if left.is_bare_comparison:
            both = f"{first} && {shared} {operator.op} {last}"
        else:
            both = f"{first} {operator.op} {shared} && {last}"
        raise mistake(
            "scop.chained",
            Span(self.source, operator.start, operator.start + len(operator.op)),
            fix=[Edit(Span(self.source, left.start, right.end), both)],
            both=both,
        )

    # -- operands ------------------------------------------------------------------------

    def _operand(self, item: Item) -> _Operand:
        start, end = range_of(item)
        match kind(item):
            case "NUMBER":
                value: Expr = read_number(str(item), self.span(item))
            case "access":
                value = self._name(item)
            case "call":
                value = self._call(item)
            case _:
                value = self._in(self.affine, children(item)[0])
        return _Operand(value, start, end)

    def _name(self, item: Item) -> Expr:
        """A parameter, iterator or `let`, or else a cell."""
        name, *subscripts = children(item)
        text, scope = str(name), self.scope
        if subscripts and (
            text in scope.parameters or text in scope.iterators or text in scope.lets
        ):
            scope.use(text, "array", self.span(name))
        if text in scope.parameters:
            return Parameter(text, span=self.span(item))
        if text in scope.iterators:
            return Iterator(text, span=self.span(item))
        if text in scope.lets:
            return self._let(scope.lets[text], item)
        if scope.restriction is None:
            return self.access(item)
        if text not in scope.restriction.arguments or subscripts:
            raise scope.not_allowed(text, self.span(name))
        return Access(text, span=self.span(item))

    def _let(self, let: Let, item: Item) -> Let:
        """A `let` is a value: in an affine place its `/` and `%` would mean something else."""
        division = next((x for x in walk(let.value) if operators.divides(x)), None)
        if self.affine and division is not None and not operators.is_data(division):
            raise mistake("scop.let-divides", self.span(item), let=let)
        return let

    def access(self, item: Item) -> Access:
        """A cell that is read or written."""
        name, *subscripts = children(item)
        self.scope.subscripted(str(name), len(subscripts), self.span(item))
        cells = tuple(self.affine_value(x) for x in subscripts)
        return Access(str(name), cells, span=self.span(item))

    def _call(self, item: Item) -> Expr:
        name, *rest = children(item)
        function, span = str(name), self.span(item)
        arguments = tuple(self._in(self.affine, x) for x in rest)
        self._check_arguments(name, span, len(arguments))
        if function in TYPES:
            return Cast(element_type(function), arguments[0], span=span)
        if function in ("floord", "mod"):
            return Binary(function, *arguments, span=span)
        return Call(function, arguments, span=span)

    def _check_arguments(self, name: Item, span: Span, count: int) -> None:
        function, scope = str(name), self.scope
        if scope.restriction is not None and function == scope.restriction.function:
            raise mistake("scop.function-recursive", self.span(name), function=function)
        if function not in TYPES and function not in BUILTINS:
            scope.use(function, "function", self.span(name))
        wanted, example = _arguments_of(function, scope)
        if wanted is None or count == wanted or (function in ("min", "max") and count > 2):
            return
        raise mistake(
            "scop.arguments", span, function=function, wanted=wanted, count=count, example=example
        )


def _arguments_of(function: str, scope: Scope) -> tuple[int | None, str]:
    """The number of arguments, None where any will do, and a call."""
    if function in TYPES:
        return 1, f"{function}(x)"
    if function in BUILTINS:
        return 2, f"{function}(a, b)"
    own = scope.functions.get(function)
    names = argument_names(function) if own is None else own.arguments
    return (None, "") if names is None else (len(names), f"{function}({', '.join(names)})")


def _is_operator(item: Item) -> bool:
    return kind(item) in ("OPERATOR", "SIGN", "BANG", "AND", "OR", "NOT")


def _pending(item: Item, prefix: bool) -> _Pending:
    text = str(item)
    op = operators.WORDS.get(text, text)
    if not prefix:
        level = operators.PRECEDENCE[op]
    else:
        level = operators.PRECEDENCE["not"] if text == "not" else operators.UNARY
    return _Pending(level, op, range_of(item)[0], prefix)
