"""pycparser's statements -> the tree's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, NoReturn

from pycparser import c_ast

from polynb.source.c_grammar import Places
from polynb.source.c_idioms import without_casts
from polynb.source.c_literals import constant, literal
from polynb.source.c_loops import HeadReader
from polynb.source.c_symbols import Names, Symbol
from polynb.source.c_types import CType, refuse
from polynb.source.c_values import Values
from polynb.source.tree import Access, Assign, Expr, For, If, Number, Stmt, Unary
from polynb.source.types import INT32

MAX_DEPTH = 32  # loops inside each other; isl's sets of more dimensions take for ever
MAX_CELLS = 64  # of an array's initialiser: each becomes a statement
_REFUSED = {
    c_ast.While: ("while", "how often it runs depends on data", "a `for` with affine bounds"),
    c_ast.DoWhile: ("do", "how often it runs depends on data", "a `for` with affine bounds"),
    c_ast.Goto: ("goto", "control must follow the loops", "`if` and `for`"),
    c_ast.Switch: ("switch", "control must follow the loops", "`if` and `else`"),
    c_ast.Break: (
        "break",
        "how often the loop runs would depend on data",
        "the condition in the loop's head, or an `if` around what follows",
    ),
    c_ast.Continue: (
        "continue",
        "control must follow the loops",
        "an `if` around the rest of the loop's body",
    ),
    c_ast.Return: (
        "return",
        "control must follow the loops",
        "`#pragma endscop` before it, or the result in an argument",
    ),
}


@dataclass(eq=False)
class Statements:
    """Reads statements; `labels` are those of the text, each of one statement."""

    values: Values
    labels: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> Names:
        return self.values.names

    @property
    def places(self) -> Places:
        return self.values.places

    def block(self, items: Iterable[Any]) -> tuple[Stmt, ...]:
        """The statements of a block, in the innermost scope."""
        return tuple(s for item in items for s in self.read(item))

    def read(self, node: Any, label: str | None = None) -> list[Stmt]:
        """What one statement becomes. Raises PolynbError for what a SCoP cannot say."""
        match node:
            case c_ast.For():
                return [self._for(node)]
            case c_ast.If():
                return self._if(node)
            case c_ast.Compound():
                return self._scoped(node)
            case c_ast.Label():
                return self._labelled(node)
            case c_ast.Decl():
                return self._declaration(node)
            case c_ast.Typedef(name=name):
                self.names.scopes[-1][name] = self.values.types.read(node)
                return []
            case c_ast.EmptyStatement() | c_ast.Pragma():
                return []
        if type(node) in _REFUSED:
            keyword, reason, hint = _REFUSED[type(node)]
            refuse(
                f"`{keyword}` cannot be part of a loop nest",
                self.places.token(node),
                reason=reason,
                hint=hint,
            )
        self.values.effect(node)
        return self._parts(label)

    def _parts(self, label: str | None) -> list[Stmt]:
        """The writes of a statement: the first has its label, the others label_1, ..."""
        parts: list[Stmt] = []
        numbers = (n for k in count(1) if (n := f"{label}_{k}") not in self.labels)
        for part in self.values.take():
            name = label if not parts or label is None else next(numbers)
            parts.append(replace(part, label=name))
        return parts

    def _scoped(self, node: Any) -> list[Stmt]:
        """A statement in a scope of its own; a block's items where it is one."""
        self.names.push()
        try:
            if isinstance(node, c_ast.Compound):
                return list(self.block(node.block_items or ()))
            return self.read(node)
        finally:
            self.names.pop()

    # -- control -----------------------------------------------------------------------

    def _for(self, node: Any) -> For:
        if len(self.names.active) == MAX_DEPTH:
            refuse(
                f"more than {MAX_DEPTH} loops inside each other",
                self.places.token(node),
                reason="sets of so many dimensions cannot be computed with",
                hint="fewer loops",
            )
        self.names.push()
        try:
            head = HeadReader(self.values).read(node)
            self.names.active.append(head.iterator)
            body = self._scoped(node.stmt)
            self.names.active.pop()
        finally:
            self.names.pop()
        span = self.places.token(node).to(self.places.span(node.next))
        key = head.iterator.key
        return For(key, head.lower, head.upper, tuple(body), head.step, span=span)

    def _if(self, node: Any) -> list[Stmt]:
        condition = without_casts(self.values.read(node.cond), self.values.integer)
        before = self._parts(None)
        then = self._scoped(node.iftrue)
        otherwise = self._scoped(node.iffalse) if node.iffalse is not None else []
        span = self.places.token(node).to(self.places.span(node.cond))
        return [*before, If(condition, tuple(then), tuple(otherwise), span=span)]

    def _labelled(self, node: Any) -> list[Stmt]:
        name, place = node.name, self.places.token(node)
        if self.labels.get(name, node) is not node:
            refuse(
                f"the label {name} names two statements",
                place,
                hint=f"another label, such as `{name}2`",
            )
        self.labels[name] = node
        simple = c_ast.Assignment | c_ast.UnaryOp | c_ast.ExprList | c_ast.FuncCall
        if not isinstance(node.stmt, simple):
            refuse(
                f"the label {name} names no assignment",
                place,
                reason="labels are the names of statements in the model",
                hint=f"`{name}:` before an assignment inside",
            )
        return self.read(node.stmt, name)

    # -- declarations ------------------------------------------------------------------

    def declare(self, node: Any, kind: str, top: bool = False) -> Symbol | None:
        """What a declaration makes of a name; None for a prototype or a type of one's own.

        Constants (`const int n = 100;`, enumerators) stand for their values.
        """
        for part in getattr(getattr(node.type, "values", None), "enumerators", ()):
            self._enumerator(part)
        if node.name is None or isinstance(node.type, c_ast.FuncDecl):
            return None
        type_ = self.values.types.read(node)
        value = None
        if type_.const and not type_.dims and node.init is not None and kind != "argument":
            value = self._constant(node.init, type_)
        symbol = self.names.declare(node.name, kind, type_, self.places.token(node), top)
        symbol.constant = value
        if type_.dims and None not in type_.dims:
            symbol.extents = tuple(
                without_casts(self.values.pure(d, "an extent"), self.values.integer)
                for d in type_.dims
            )
        return symbol

    def _constant(self, node: Any, type_: CType) -> Expr | None:
        if isinstance(node, c_ast.InitList):
            return None
        value = self.values.pure(node, "a constant")
        match value:
            case Number(value=v) | Unary(op="-", operand=Number(value=v)):
                sign = -1 if isinstance(value, Unary) else 1
                if type_.integer and isinstance(v, float):
                    return None
                return literal(sign * (v if type_.integer else float(v)), type_.element, value)
        whole = constant(value)
        if whole is None:
            return None
        return literal(whole if type_.integer else float(whole), type_.element, value)

    def _enumerator(self, node: Any) -> None:
        span = self.places.token(node)
        given = None if node.value is None else self.values.pure(node.value, "an enumerator")
        previous = [s for s in self.names.symbols.values() if s.kind == "enumerator"]
        value = constant(given) if given is not None else 0
        if given is None and previous and previous[-1].constant is not None:
            value = (constant(previous[-1].constant) or 0) + 1
        if value is None:
            refuse(f"{node.name} is no constant", self.places.span(node.value), hint="a number")
        symbol = self.names.declare(node.name, "enumerator", CType(INT32), span)
        symbol.constant = literal(value, INT32, Number(0, INT32, span=span))

    def _declaration(self, node: Any) -> list[Stmt]:
        """A declaration among the statements: its initialiser becomes assignments."""
        top = not self.names.active and len(self.names.scopes) == self.top_scope
        symbol = self.declare(node, "local", top)
        if symbol is None or symbol.type is None or symbol.constant is not None:
            return []
        if symbol.type.static:
            refuse(
                f"{symbol.name} is static",
                self.places.token(node),
                reason="it keeps its value from one call to the next",
                hint="leave `static` out, or make it an argument",
            )
        if symbol.type.pointer:
            refuse(
                f"{symbol.name} is a pointer",
                self.places.token(node),
                reason="it could point to any array",
                hint=f"an array of its own: `double {symbol.name}[n]`",
            )
        if node.init is None:
            return []
        self._initialise(symbol, symbol.type, node.init)
        return self._parts(None)

    top_scope: int = 0  # how many scopes there are where the scop's own statements stand

    def _initialise(self, symbol: Symbol, type_: CType, init: Any) -> None:
        span = self.places.token(init).to(self.places.span(init))
        if not type_.dims:
            if isinstance(init, c_ast.InitList):
                self._refuse_list(init, "a scalar has one value")
            value = self.values.read(init)
            target = Access(symbol.key, (), span=symbol.span)
            whole = symbol.span.to(span) if symbol.span else span
            self.values.store(target, symbol, value, whole)
            return
        sizes = [constant(e) for e in symbol.extents or ()]
        cells = 1
        for size in sizes:
            cells *= size or 0
        if not sizes or not 0 < cells <= MAX_CELLS or not isinstance(init, c_ast.InitList):
            self._refuse_list(init, f"only up to {MAX_CELLS} cells are written one by one")
        for index, node in self._cells(init, [s or 0 for s in sizes]):
            place = span if node is None else self.places.span(node)
            numbers = tuple(Number(k, INT32, span=place) for k in index)
            value = Number(0, INT32, span=place) if node is None else self.values.read(node)
            self.values.store(Access(symbol.key, numbers, span=symbol.span), symbol, value, place)

    def _cells(self, init: Any, sizes: list[int]) -> list[tuple[tuple[int, ...], Any]]:
        """Each cell of an array with its initialiser; None where C fills up with 0."""
        items = list(init.exprs) if init is not None else []
        nested = [isinstance(x, c_ast.InitList) for x in items]
        if len(items) > sizes[0] or any(n != (len(sizes) > 1) for n in nested):
            self._refuse_list(init, "the braces must match the extents")
        found: list[tuple[tuple[int, ...], Any]] = []
        for k in range(sizes[0]):
            item = items[k] if k < len(items) else None
            if len(sizes) == 1:
                found.append(((k,), item))
            else:
                found += [((k, *rest), x) for rest, x in self._cells(item, sizes[1:])]
        return found

    def _refuse_list(self, init: Any, reason: str) -> NoReturn:
        refuse(
            "this initialiser cannot become statements",
            self.places.span(init),
            reason=reason,
            hint="a loop that writes the array",
        )
