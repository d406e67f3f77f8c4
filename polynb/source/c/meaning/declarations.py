"""C's declarations -> symbols; initialisers -> assignments; constants -> their values."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import NoReturn

from pycparser import c_ast

from polynb.errors import PolynbError
from polynb.source.c.meaning.idioms import without_casts
from polynb.source.c.meaning.live_out import allocates
from polynb.source.c.meaning.symbols import Symbol
from polynb.source.c.meaning.types import CType
from polynb.source.c.meaning.values import Values
from polynb.source.c.read.literals import constant, converted, literal
from polynb.source.mistakes import mistake
from polynb.source.tree import Access, Expr, Number, Unary
from polynb.source.types import INT32

MAX_CELLS = 64  # of an array's initialiser: each becomes a statement

_LOCATIONS = c_ast.ID | c_ast.UnaryOp | c_ast.BinaryOp | c_ast.ArrayRef | c_ast.Cast
Cells = list[tuple[tuple[int, ...], c_ast.Node | None]]


@dataclass(eq=False)
class Declarations:
    """Reads declarations into the innermost scope; the initialisers' writes go to
    `values.before`."""

    values: Values

    def read(self, node: c_ast.Decl, kind: str, top: bool = False) -> Symbol | None:
        """What a declaration makes of a name; None for a prototype or a type of one's own.

        Constants (`const int n = 100;`, enumerators) stand for their values.
        """
        value = -1
        for part in getattr(getattr(node.type, "values", None), "enumerators", ()):
            value = self._enumerator(part, value + 1)
        if node.name is None or isinstance(node.type, c_ast.FuncDecl):
            return None
        type_ = self.values.types.read(node)
        known = None
        if type_.const and not type_.dims and node.init is not None:
            known = self._constant(node.init, type_)
        place = self.values.places.token(node)
        symbol = self.values.names.declare(node.name, kind, type_, place, top)
        symbol.constant = known
        if type_.dims and None not in type_.dims:
            with self.values.names.only_integers():
                symbol.extents = tuple(
                    without_casts(self.values.pure(d, "an extent"), self.values.integer)
                    for d in type_.dims
                )
        return symbol

    def typedef(self, node: c_ast.Typedef) -> None:
        """A name for a type, in the innermost scope."""
        self.values.names.scopes[-1][node.name] = self.values.types.read(node)

    def outside(self, node: c_ast.Decl | c_ast.Typedef, kind: str) -> None:
        """A declaration before the SCoP. What it cannot use is an error where it does."""
        try:
            if isinstance(node, c_ast.Typedef):
                self.typedef(node)
                return
            symbol = self.read(node, kind)
        except PolynbError as error:
            if node.name is not None:
                self.values.names.unusable(node.name, error)
            return
        if symbol is not None and symbol.type is not None and kind == "outer":
            own = allocates(node.init) is not None
            symbol.shared = symbol.type.static or (symbol.type.pointer and not own)
            if symbol.type.pointer and not own and isinstance(node.init, _LOCATIONS):
                symbol.error = mistake("c.points-elsewhere", symbol.span, symbol=symbol)

    def local(self, node: c_ast.Decl, top: bool) -> None:
        """A declaration among the statements."""
        symbol = self.read(node, "local", top)
        if symbol is None or symbol.type is None or symbol.constant is not None:
            return
        if symbol.type.static:
            raise mistake("c.static", symbol.span, symbol=symbol)
        if symbol.type.pointer:
            raise mistake("c.pointer-local", symbol.span, symbol=symbol)
        if node.init is not None and symbol.type.dims:
            self._fill(symbol, node.init)
        elif node.init is not None:
            self._set(symbol, node.init)

    # -- constants ---------------------------------------------------------------------

    def _constant(self, node: c_ast.Node, type_: CType) -> Expr | None:
        """The value of a constant, as a literal of its type; None where it is not known."""
        if isinstance(node, c_ast.InitList):
            return None
        value = self.values.pure(node, "a constant")
        known: int | float | None = constant(value)
        match value:
            case Number(value=float(v)):
                known = v
            case Unary(op="-", operand=Number(value=float(v))):
                known = -v
        if known is None or (type_.integer and isinstance(known, float)):
            return None
        if type_.boolean:
            return literal(int(known != 0), type_.element, value)
        return literal(converted(known, type_.element), type_.element, value)

    def _enumerator(self, node: c_ast.Enumerator, implied: int) -> int:
        """Declares an enumerator and gives its value."""
        value: int | None = implied
        if node.value is not None:
            value = constant(self.values.pure(node.value, "an enumerator"))
        if value is None:
            place = self.values.places.span(node.value)
            raise mistake("c.enumerator", place, name=node.name)
        span = self.values.places.token(node)
        symbol = self.values.names.declare(node.name, "enumerator", CType(INT32), span)
        symbol.constant = literal(value, INT32, Number(0, INT32, span=span))
        return value

    # -- initialisers ------------------------------------------------------------------

    def _set(self, symbol: Symbol, init: c_ast.Node) -> None:
        if isinstance(init, c_ast.InitList):
            self._refuse_list(init, "a scalar has one value")
        value = self.values.read(init)
        span = self.values.places.span(init)
        whole = symbol.span.to(span) if symbol.span else span
        element = symbol.type.element if symbol.type is not None else INT32
        symbol.named = not element.is_float and element.is_signed and element.size >= 4
        # An initialiser may set what is const afterwards, so that this is no `assign`.
        self.values.store(Access(symbol.key, (), span=symbol.span), symbol, value, whole)

    def _fill(self, symbol: Symbol, init: c_ast.Node) -> None:
        if symbol.extents is None and symbol.rank == 1 and isinstance(init, c_ast.InitList):
            # `double w[] = {1, 2, 3};` has as many cells as values.
            symbol.extents = (Number(len(init.exprs), INT32, span=symbol.span),)
        sizes = [constant(e) or 0 for e in symbol.extents or ()]
        if not isinstance(init, c_ast.InitList) or not 0 < prod(sizes or [0]) <= MAX_CELLS:
            self._refuse_list(init, f"only up to {MAX_CELLS} cells are written one by one")
        for index, node in self._cells(init, sizes):
            place = self.values.places.span(init if node is None else node)
            subscripts = tuple(Number(k, INT32, span=place) for k in index)
            value = Number(0, INT32, span=place) if node is None else self.values.read(node)
            target = Access(symbol.key, subscripts, span=symbol.span)
            self.values.store(target, symbol, value, place)

    def _cells(self, init: c_ast.InitList | None, sizes: list[int]) -> Cells:
        """Each cell of an array with its initialiser; None where C fills up with 0."""
        items = list(init.exprs) if init is not None else []
        nested = [isinstance(x, c_ast.InitList) for x in items]
        if len(items) > sizes[0] or any(n != (len(sizes) > 1) for n in nested):
            self._refuse_list(init, "the braces must match the extents")
        found: Cells = []
        for k in range(sizes[0]):
            item = items[k] if k < len(items) else None
            if len(sizes) == 1:
                found.append(((k,), item))
            else:
                found += [((k, *rest), x) for rest, x in self._cells(item, sizes[1:])]
        return found

    def _refuse_list(self, init: c_ast.Node, reason: str) -> NoReturn:
        raise mistake("c.initialiser", self.values.places.span(init), reason=reason)
