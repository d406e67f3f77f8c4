"""pycparser's statements -> the tree's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from pycparser import c_ast

from polynb.source.c.meaning.declarations import Declarations
from polynb.source.c.meaning.loops import HeadReader
from polynb.source.c.meaning.symbols import Scopes
from polynb.source.c.meaning.values import Values
from polynb.source.c.read.grammar import Places
from polynb.source.mistakes import mistake
from polynb.source.tree import Binary, Expr, For, If, Stmt, Unary

MAX_DEPTH = 32  # loops inside each other; isl's sets of more dimensions take for ever
_REFUSED = {
    c_ast.While: "while", c_ast.DoWhile: "do", c_ast.Goto: "goto", c_ast.Switch: "switch",
    c_ast.Break: "break", c_ast.Continue: "continue", c_ast.Return: "return",
}  # fmt: skip

_QUIET = c_ast.Decl | c_ast.Typedef | c_ast.EmptyStatement | c_ast.Pragma
"""What may stand before an assumption."""
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


@dataclass(eq=False)
class Statements:
    """Reads statements. `top_scope` is how many scopes are open where the scop's own statements
    stand; `labels` are those met so far, each with its statement."""

    values: Values
    top_scope: int
    labels: dict[str, c_ast.Label] = field(default_factory=dict)

    @property
    def declarations(self) -> Declarations:
        return Declarations(self.values)

    @property
    def names(self) -> Scopes:
        return self.values.names

    @property
    def places(self) -> Places:
        return self.values.places

    def program(self, items: Sequence[c_ast.Node]) -> tuple[tuple[Stmt, ...], tuple[Expr, ...]]:
        """The statements of all, and what is assumed before the first of them."""
        assumptions: list[Expr] = []
        rest = list(items)
        body: list[Stmt] = []
        while rest and ((found := _assumed(rest[0])) is not None or isinstance(rest[0], _QUIET)):
            if found is None:
                body += self.read(rest.pop(0))
                continue
            condition, holds = found
            with self.names.only_integers():
                e = self.values.pure(condition, "an assumption")
            assumptions.append(e if holds else _opposite(e))
            rest.pop(0)
        return (*body, *self.block(rest)), tuple(assumptions)

    def block(self, items: Iterable[c_ast.Node]) -> tuple[Stmt, ...]:
        """The statements of a block, in the innermost scope."""
        return tuple(s for item in items for s in self.read(item))

    def read(self, node: c_ast.Node, label: str | None = None) -> list[Stmt]:
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
            case c_ast.Typedef():
                self.declarations.typedef(node)
                return []
            case c_ast.EmptyStatement() | c_ast.Pragma():
                return []
        if type(node) in _REFUSED:
            raise mistake(f"c.{_REFUSED[type(node)]}", self.places.token(node))
        self.values.statement(node)
        return self._parts(label)

    def _parts(self, label: str | None) -> list[Stmt]:
        """The writes of a statement: the first has its label, the others label_1, ..."""
        parts: list[Stmt] = []
        numbers = (n for k in count(1) if (n := f"{label}_{k}") not in self.labels)
        for part in self.values.take():
            name = label if not parts or label is None else next(numbers)
            parts.append(replace(part, label=name))
        return parts

    def _scoped(self, node: c_ast.Node) -> list[Stmt]:
        """A statement in a scope of its own; a block's items where it is one."""
        self.names.push()
        try:
            if isinstance(node, c_ast.Compound):
                return list(self.block(node.block_items or ()))
            return self.read(node)
        finally:
            self.names.pop()

    # -- control -----------------------------------------------------------------------

    def _for(self, node: c_ast.For) -> For:
        if len(self.names.active) == MAX_DEPTH:
            raise mistake("c.loops-too-deep", self.places.token(node), max_depth=MAX_DEPTH)
        self.names.push()
        try:
            head = HeadReader(self.values).read(node)
            self.names.active.append(head.iterator)
            body = self._scoped(node.stmt)
            self.names.active.pop()
        finally:
            self.names.pop()
        span = self.places.head(node)
        key = head.iterator.key
        return For(
            key,
            head.lower,
            head.upper,
            tuple(body),
            head.step,
            counter=head.counter,
            compared=head.compared,
            after=head.after,
            span=span,
        )

    def _if(self, node: c_ast.If) -> list[Stmt]:
        if isinstance(node.cond, c_ast.Assignment) and node.cond.op == "=":
            raise mistake("c.condition-assigns", self.places.span(node.cond))
        condition = self.values.read(node.cond)
        before = self._parts(None)
        then = self._scoped(node.iftrue)
        otherwise = self._scoped(node.iffalse) if node.iffalse is not None else []
        branches = tuple(then), tuple(otherwise)
        return [*before, If(condition, *branches, span=self.places.head(node))]

    def _labelled(self, node: c_ast.Label) -> list[Stmt]:
        name, place = node.name, self.places.token(node)
        if self.labels.get(name, node) is not node:
            raise mistake("c.label-twice", place, name=name)
        self.labels[name] = node
        simple = c_ast.Assignment | c_ast.UnaryOp | c_ast.ExprList | c_ast.FuncCall
        if not isinstance(node.stmt, simple):
            raise mistake("c.label-of-nothing", place, name=name)
        return self.read(node.stmt, name)

    def _declaration(self, node: c_ast.Decl) -> list[Stmt]:
        """A declaration among the statements: its initialiser becomes assignments."""
        top = len(self.names.scopes) == self.top_scope
        self.declarations.local(node, top)
        return self._parts(None)


# -- what is said of the parameters before all else: `assert(n >= 1);`, `if (n < 1) return;`


def _assumed(node: c_ast.Node) -> tuple[c_ast.Node, bool] | None:
    """The condition of an assumption, and whether it holds afterwards (or its opposite does); None
    of any other statement."""
    match node:
        case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=[condition])) if (
            name == "assert"
        ):
            return condition, True
        case c_ast.If(cond=condition, iftrue=then, iffalse=None) if _leaves(then):
            return condition, False
    return None


def _leaves(node: c_ast.Node) -> bool:
    """Whether a statement only returns, and no value that is computed."""
    match node:
        case c_ast.Compound(block_items=[only]):
            return _leaves(only)
        case c_ast.Return(expr=None | c_ast.Constant() | c_ast.UnaryOp(expr=c_ast.Constant())):
            return True
    return False


def _opposite(e: Expr) -> Expr:
    """The condition that holds where an integer one does not."""
    match e:
        case Binary(op="&&" | "||" as op, left=a, right=b):
            return Binary("||" if op == "&&" else "&&", _opposite(a), _opposite(b), span=e.span)
        case Binary(op=op, left=a, right=b) if op in _OPPOSITE:
            return Binary(_OPPOSITE[op], a, b, span=e.span)
        case Unary(op="!", operand=x):
            return x
    return Unary("!", e, span=e.span)
