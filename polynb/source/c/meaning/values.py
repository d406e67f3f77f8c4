"""pycparser's expressions -> the tree's. Writes inside an expression become statements before it
(paper CC'18, section 5.5): C leaves the order of a write and the other reads of an expression
open, so that every program that means something means the same afterwards."""

from __future__ import annotations

from collections.abc import Collection, Iterator as Iter
from contextlib import contextmanager
from dataclasses import dataclass, field

from pycparser import c_ast

from polynb.errors import Span
from polynb.source.c.meaning.conversions import Conversions
from polynb.source.c.meaning.functions import Functions
from polynb.source.c.meaning.idioms import (
    DIVISIONS,
    EXTREMA,
    IMPURE,
    PRINTING,
    SYNONYMS,
    boolean,
    division,
    fresh,
    integral,
    select,
)
from polynb.source.c.meaning.live_out import KILL
from polynb.source.c.meaning.symbols import Scopes, Symbol
from polynb.source.c.meaning.types import TypeReader
from polynb.source.c.read.grammar import Places
from polynb.source.c.read.literals import character, number
from polynb.source.literals import check_range
from polynb.source.mistakes import mistake
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Iterator,
    Number,
    Unary,
    walk,
)
from polynb.source.types import INT32, ElementType
from polynb.words import counted


@dataclass(eq=False)
class Values:
    """Reads expressions. `before` are the writes met so far, which the caller takes; `after`
    those of `x++`, which C may do at any time before the next sequence point: where that is the
    end of the statement (`ends`), they follow it, and no temporary has to remember x. `writing`
    are the names of what the assignments around will write."""

    names: Scopes
    places: Places
    functions: Functions
    before: list[Assign] = field(default_factory=list)
    after: list[Assign] = field(default_factory=list)
    ends: bool = False
    writing: list[str] = field(default_factory=list)

    @property
    def types(self) -> TypeReader:
        return TypeReader(self.places, self.names.typedef)

    def take(self) -> list[Assign]:
        """The writes met since the last call, in order."""
        taken = self.before + self.after
        self.before, self.after = [], []
        return taken

    def integer(self, e: Expr) -> bool:
        """Whether a value is an integer for sure."""
        return integral(e, lambda key: bool(self.names.symbols[key].integer))

    def type_of(self, e: Expr) -> ElementType:
        """The type that C gives an expression; of a number that nothing declares, int64."""
        known = {k for k, s in self.names.symbols.items() if s.type is None and not s.rank}
        return Conversions(self.names.symbols, known, self.functions.defines).type_of(e)

    # -- expressions -------------------------------------------------------------------

    def read(self, node: c_ast.Node) -> Expr:
        """The value of an expression. Raises PolynbError for what a SCoP cannot say."""
        span = self.places.span(node)
        match node:
            case c_ast.ID():
                return self._variable(node, span)
            case c_ast.ArrayRef():
                return self._cell(node)[0]
            case c_ast.Constant():
                return self._literal(node, span)
            case c_ast.BinaryOp(op=op):
                if op in ("&&", "||"):
                    left = self._sequenced(node.left)
                    return Binary(op, left, self.pure(node.right, f"`{op}`"), span=span)
                return Binary(op, self.read(node.left), self.read(node.right), span=span)
            case c_ast.UnaryOp():
                return self._unary(node, span)
            case c_ast.TernaryOp():
                condition = self._sequenced(node.cond)
                then = self.pure(node.iftrue, "a branch of `?:`")
                otherwise = self.pure(node.iffalse, "a branch of `?:`")
                return select(condition, then, otherwise, self.integer, span)
            case c_ast.Cast():
                return self._cast(node, span)
            case c_ast.FuncCall():
                return self._call(node, span)
            case c_ast.Assignment():
                return self.assign(node)
            case c_ast.ExprList(exprs=parts):
                for part in parts[:-1]:
                    self.effect(part)
                return self._sequenced(parts[-1])
        return self._unsupported(node)

    def pure(self, node: c_ast.Node, where: str) -> Expr:
        """The value of an expression that may not write."""
        count = len(self.before)
        value = self._sequenced(node)
        if len(self.before) > count:
            raise mistake("c.may-not-write", self.before[count].span, where=where)
        return value

    def _sequenced(self, node: c_ast.Node) -> Expr:
        """The value of an operand after which there is a sequence point: its writes are done."""
        ends, self.ends = self.ends, False
        try:
            return self.read(node)
        finally:
            self.ends = ends

    def _variable(self, node: c_ast.ID, span: Span) -> Expr:
        symbol = self.names.variable(node.name, span)
        if symbol in self.names.active:
            return Iterator(symbol.key, span=span)
        if symbol.constant is not None:
            return fresh(symbol.constant)
        if symbol.rank is None:
            symbol.rank = 0
        if symbol.rank:
            raise mistake("c.array-value", span, symbol=symbol, subscripts="[i]" * symbol.rank)
        return Access(symbol.key, (), span=span)

    def _cell(self, node: c_ast.ArrayRef) -> tuple[Access, Symbol]:
        subscripts: list[c_ast.Node] = []
        base = node
        while isinstance(base, c_ast.ArrayRef):
            subscripts.insert(0, base.subscript)
            base = base.name
        if not isinstance(base, c_ast.ID):
            self._unsupported(base)
        name = self.places.span(base)
        for x in subscripts:
            if isinstance(x, c_ast.ExprList):  # `A[i, j]`, of which C sees the last one alone
                inside = "][".join(self.places.span(e).text for e in x.exprs)
                raise mistake(
                    "c.subscript-list", self.places.span(x), array=base.name, inside=inside
                )
        symbol = self.names.variable(base.name, name, len(subscripts))
        if symbol.rank is None and symbol not in self.names.active:
            symbol.rank = len(subscripts)
        if symbol.rank != len(subscripts) or symbol in self.names.active:
            rank = symbol.rank or 0
            has = f"has {counted(rank, 'subscript')}" if rank else "is a scalar"
            right, count = symbol.name + "[i]" * rank, len(subscripts)
            place = self.places.span(node)
            raise mistake(
                "c.subscript-count", place, symbol=symbol, has=has, count=count, right=right
            )
        with self.names.only_integers():
            indices = tuple(self.read(s) for s in subscripts)
        return Access(symbol.key, indices, span=self.places.span(node)), symbol

    def _literal(self, node: c_ast.Constant, span: Span) -> Expr:
        if node.type == "string":
            raise mistake("c.string", span)
        if node.value.endswith("'"):
            code = character(node.value)
            if code is None:
                raise mistake("c.character-several", span, value=node.value)
            return Number(code, INT32, span=span)
        value, kind = number(node.value) or (0, None)
        if kind is None:
            raise mistake("c.long-double", span, value=node.value, plain=node.value.rstrip("lL"))
        if kind.is_float:
            check_range(node.value, value, kind, span)
        return Number(value, kind, span=span)

    def _unary(self, node: c_ast.UnaryOp, span: Span) -> Expr:
        match node.op:
            case "-" | "+" | "!" | "~" as op:
                return Unary(op, self.read(node.expr), span=span)
            case "++" | "--":
                return self.step(node)
            case "p++" | "p--":
                return self._step_later(node, span)
            case "*" | "&" as op:
                raise mistake("c.pointer-operator", self.places.find(node, op), op=op)
        return self._unsupported(node)

    def _cast(self, node: c_ast.Cast, span: Span) -> Expr:
        type_ = self.types.read(node.to_type)
        if type_.dims:
            raise mistake("c.pointer-cast", self.places.span(node.to_type))
        value = self.read(node.expr)
        if type_.boolean:
            return boolean(value)
        return Cast(type_.element, value, span=span)

    def _call(self, node: c_ast.FuncCall, span: Span) -> Expr:
        if not isinstance(node.name, c_ast.ID):
            self._unsupported(node.name)
        name, place = node.name.name, self.places.span(node.name)
        if name in IMPURE:
            raise mistake("c.impure", place, name=name)
        arguments = tuple(self.read(a) for a in (node.args.exprs if node.args else ()))
        if name in EXTREMA:
            if len(arguments) != 2:
                raise mistake("c.two-arguments", place, name=name)
            return self.functions.extremum(name, arguments, self, span)
        own = name in self.functions.given
        if name in DIVISIONS and not own:
            if len(arguments) != 2:
                raise mistake("c.two-arguments-n", place, name=name)
            return division(name, *arguments, span)
        self.functions.use(name, place, len(arguments), self)
        if name in DIVISIONS:  # where it is affine, it is seen to be
            return self.functions.inlined(name, arguments)
        return Call(name if own else SYNONYMS.get(name, name), arguments, span=span)

    # -- writes ------------------------------------------------------------------------

    def assign(self, node: c_ast.Assignment, valued: bool = True) -> Expr:
        """`a = e`, `a += e`: the write goes to `before`; gives its value, if it is asked for."""
        target, symbol = self.target(node.lvalue)
        with self._writing(node.lvalue):
            value = self.read(node.rvalue)
        span = self.places.span(node)
        if node.op != "=":
            value = Binary(node.op[:-1], fresh(target), value, span=span)
        return self._written(target, symbol, value, span, valued)

    def step(self, node: c_ast.UnaryOp, valued: bool = True) -> Expr:
        """`++x`, `x--`: the write goes to `before`; gives its value, if it is asked for."""
        target, symbol = self.target(node.expr)
        span = self.places.span(node)
        return self._written(target, symbol, _stepped(node, target, span), span, valued)

    def _written(
        self, target: Access, symbol: Symbol, value: Expr, span: Span, valued: bool
    ) -> Expr:
        """What can be read where a write was. The cell, unless its subscripts read what is written:
        of `B[0] = A[A[0]] = 3`, `A[A[0]]` may be another cell afterwards."""
        if not valued or not self._depends(target, {symbol.name}):
            self.store(target, symbol, value, span)
            return fresh(target)
        new = self.names.temporary(f"{symbol.name}_new", symbol.type)
        self.store(Access(new.key, span=span), new, value, span)
        self.store(target, symbol, Access(new.key, span=span), span)
        return Access(new.key, span=span)

    def _step_later(self, node: c_ast.UnaryOp, span: Span) -> Expr:
        """The value of `x++`: what x was."""
        target, symbol = self.target(node.expr)
        step = _stepped(node, target, span)
        # After `k = C[k]++`, or `C[i] = C[C[i]]++`, there may be another cell in its place.
        if self.ends and not self._depends(target, self.writing):
            before, self.before = self.before, []
            self.store(target, symbol, step, span)
            # First, since its subscripts are from before the other steps: `A[k++]++`.
            self.after, self.before = self.before + self.after, before
            return fresh(target)
        old = self.names.temporary(f"{symbol.name}_old", symbol.type)
        self.before.append(Assign(Access(old.key, span=span), fresh(target), span=span))
        self.store(target, symbol, step, span)
        return Access(old.key, span=span)

    def _depends(self, target: Access, names: Collection[str]) -> bool:
        """Whether variables of these names say which cell of its array a target is."""
        nodes = (x for e in target.subscripts for x in walk(e) if isinstance(x, Access))
        return any(self.names.symbols[x.array].name in names for x in nodes)

    @contextmanager
    def _writing(self, node: c_ast.Node) -> Iter[None]:
        """While parts of an assignment are read that is going to write there."""
        while isinstance(node, c_ast.ArrayRef):
            node = node.name
        self.writing.append(node.name if isinstance(node, c_ast.ID) else "")
        try:
            yield
        finally:
            self.writing.pop()

    def target(self, node: c_ast.Node) -> tuple[Access, Symbol]:
        """What an assignment writes."""
        span = self.places.span(node)
        match node:
            case c_ast.ArrayRef():
                with self._writing(node):
                    target, symbol = self._cell(node)
            case c_ast.ID():
                symbol = self.names.variable(node.name, span)
                if symbol in self.names.active:
                    raise mistake("c.assign-iterator", span, symbol=symbol)
                if symbol.rank:
                    raise mistake(
                        "c.assign-array", span, symbol=symbol, subscripts="[i]" * symbol.rank
                    )
                symbol.rank = 0
                target = Access(symbol.key, (), span=span)
            case c_ast.UnaryOp(op="*"):
                self._unary(node, span)
            case _:
                raise mistake("c.assign-what", span)
        if symbol.constant is not None or (symbol.type is not None and symbol.type.const):
            raise mistake("c.assign-const", span, symbol=symbol)
        return target, symbol

    def store(self, target: Access, symbol: Symbol, value: Expr, span: Span) -> None:
        if symbol.type is not None and symbol.type.boolean:
            value = boolean(value)
        self.before.append(Assign(target, value, span=span))

    def statement(self, node: c_ast.Node) -> None:
        """An expression as a statement."""
        self.ends = True
        self.effect(node)
        self.ends = False

    def effect(self, node: c_ast.Node) -> None:
        """An expression of which only the writes count; a sequence point follows it."""
        match node:
            case c_ast.Assignment():
                self.assign(node, valued=False)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                self.step(node, valued=False)
            case c_ast.ExprList(exprs=parts):
                for part in parts:
                    self.effect(part)
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.TypeDecl(type=kind))) if getattr(
                kind, "names", None
            ) == ["void"]:
                self.pure(node.expr, "`(void)`")
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name == KILL:
                raise mistake("c.kill-inside", self.places.span(node))
            case c_ast.FuncCall(name=c_ast.ID(name=name)):
                row = "c.call-prints" if name in PRINTING else "c.call-effect"
                raise mistake(row, self.places.span(node.name), name=name)
            case _:
                self.read(node)
                raise mistake("c.no-effect", self.places.span(node))
        self.before, self.after = self.before + self.after, []

    def _unsupported(self, node: c_ast.Node) -> Expr:
        match node:
            case c_ast.StructRef(type=op):
                raise mistake("c.member", self.places.find(node, op))
            case c_ast.UnaryOp(op="sizeof"):
                raise mistake("c.sizeof", self.places.span(node))
        raise mistake("c.no-expression", self.places.span(node))


def _stepped(node: c_ast.UnaryOp, target: Access, span: Span) -> Expr:
    """What `x++` or `--x` makes of x."""
    return Binary(node.op[-1], fresh(target), Number(1, INT32, span=span), span=span)
