"""Copies of a subexpression that differ in subscripts: one function at several arguments.

`a[x][j] + w * (a[x+1][j] - a[x][j])` at `j = y/8` and at `j = y/8 + 1` is one function of j, as
long as neither x nor w changes along the innermost iterator y. Arguments are subscripts that do:
a division of y, or whatever data says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb.source.normal_form import Linear, affine_parts, linear_form
from polynb.source.tree import Access, Expr, Iterator, Let, own, rebuild, with_children

MOST: Final = 2
"""Arguments of a function whose values are worth a table."""


@dataclass(frozen=True)
class Application:
    """What a node is: a function (equal numbers, equal functions) at arguments, by the numbers of
    their expressions. What does not change along the iterator has no arguments."""

    function: int
    arguments: tuple[int, ...]


@dataclass(frozen=True)
class Quotient:
    """The argument `floord(y + shift, divisor)`."""

    divisor: int
    shift: int


class RepeatedFunctions:
    """The functions in the expressions it is shown, for one iterator."""

    def __init__(self, iterator: str) -> None:
        self.iterator = iterator
        self.argument: dict[int, Expr] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        # The nodes are kept so that their identities stay theirs.
        self._known: dict[int, tuple[Expr, _Node]] = {}

    def of(self, e: Expr) -> Application | None:
        """What a node is; None if the iterator has another part in it than by subscripts."""
        return self._node(e).copy

    def number(self, e: Expr) -> int:
        """Equal for expressions that are written in the same way, or affine and equal."""
        return self._node(e).number

    def quotient(self, argument: int) -> Quotient | None:
        """The argument as a division of the iterator, None if it is no affine expression.

        Raises ValueError for any other affine expression.
        """
        linear = linear_form(self.argument[argument])
        if linear is None:
            return None
        y = ("i", self.iterator)
        match [(key, c) for key, (c, _) in linear.terms.items()]:
            case [(key, 1)] if key == y:
                return Quotient(1, linear.constant)
            case [(("floord", inner, int(shift), int(divisor)), 1)] if inner == {(y, 1)}:
                return Quotient(divisor, shift + divisor * linear.constant)
        raise ValueError(f"{linear} is no division of {self.iterator}")

    def replaced(self, e: Expr, arguments: tuple[int, ...], by: tuple[str, ...]) -> Expr:
        """The function that a node is, of these iterators in place of its arguments."""
        iterators = {a: Iterator(n) for a, n in zip(arguments, by, strict=True)}

        def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
            if isinstance(node, Access):
                numbers = [self.number(x) for x in node.subscripts]
                parts = tuple(iterators.get(n, p) for n, p in zip(numbers, parts, strict=True))
            return with_children(node, parts)

        result: Expr = rebuild(e, visit)
        return result

    def _node(self, e: Expr) -> _Node:
        if id(e) not in self._known:
            affine = affine_parts(e)
            rebuild(e, lambda node, parts: self._visit(node, parts, affine))
        return self._known[id(e)][1]

    def _visit(self, e: Expr, parts: tuple[_Node, ...], affine: set[int]) -> _Node:
        if id(e) not in self._known:
            self._known[id(e)] = e, self._new(e, parts, affine)
        return self._known[id(e)][1]

    def _new(self, e: Expr, parts: tuple[_Node, ...], affine: set[int]) -> _Node:
        if isinstance(e, Let):
            return parts[0]
        varies = any(p.varies for p in parts)
        if isinstance(e, Iterator):
            varies = e.name == self.iterator
        if id(e) in affine:
            linear = linear_form(e)
            assert linear is not None
            number = self._number("affine", *_key(linear))
        else:
            number = self._number(type(e), own(e), tuple(p.number for p in parts))
        if not varies:
            return _Node(number, False, Application(self._number("same", number), ()))
        if id(e) in affine:
            return _Node(number, True, None)
        if isinstance(e, Access):
            return _Node(number, True, self._access(e, parts))
        return _Node(number, True, self._operation(e, parts))

    def _access(self, e: Access, parts: tuple[_Node, ...]) -> Application | None:
        arguments = tuple(dict.fromkeys(p.number for p in parts if p.varies))
        for x, p in zip(e.subscripts, parts, strict=True):
            self.argument.setdefault(p.number, x)
        subscripts = tuple(
            ("argument", arguments.index(p.number)) if p.varies else ("same", p.number)
            for p in parts
        )
        return self._copy(arguments, "cell", e.array, subscripts)

    def _operation(self, e: Expr, parts: tuple[_Node, ...]) -> Application | None:
        copies = [p.copy for p in parts]
        known = [c for c in copies if c is not None]
        if len(known) < len(copies):
            return None
        arguments = tuple(dict.fromkeys(a for c in known for a in c.arguments))
        places = {a: k for k, a in enumerate(arguments)}
        operands = tuple((c.function, tuple(places[a] for a in c.arguments)) for c in known)
        return self._copy(arguments, type(e), own(e), operands)

    def _copy(self, arguments: tuple[int, ...], *key: object) -> Application | None:
        return Application(self._number(*key), arguments) if len(arguments) <= MOST else None

    def _number(self, *key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


@dataclass(frozen=True)
class _Node:
    number: int
    varies: bool
    copy: Application | None


def _key(linear: Linear) -> tuple[object, ...]:
    terms = frozenset((key, c) for key, (c, _) in linear.terms.items())
    return terms, linear.constant, linear.wide
