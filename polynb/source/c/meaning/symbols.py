"""The names of a C text: what each declares, in which scope.

In the tree that the readers build, a variable is called by its symbol's `key`, which no other
has; c_resolve gives every variable its final name when all of the text is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from polynb.errors import PolynbError, Span
from polynb.source.c.meaning.types import CType
from polynb.source.c.meaning.undeclared import ArgumentList, refuse_undeclared
from polynb.source.mistakes import mistake
from polynb.source.tree import Expr


@dataclass(eq=False)
class Symbol:
    """A variable. `kind` says where it is declared: argument, global (file scope, or the top of
    a text without a function), outer (in the function, before `#pragma scop`), local, free (not
    at all), or temporary (made by splitting a statement)."""

    name: str
    key: str
    kind: str
    type: CType | None = None
    span: Span | None = None
    rank: int | None = None  # subscripts of an access; None until known
    extents: tuple[Expr, ...] | None = None
    constant: Expr | None = None  # what a constant stands for
    iterates: bool = False  # some loop counts with it
    top: bool = False  # declared where the scop's own statements stand
    named: bool = False  # a signed integer that its initialiser gives a value
    shared: bool = False  # other code may know it: a pointer's target, a static variable
    error: PolynbError | None = None  # why it cannot be used, if somebody does

    @property
    def integer(self) -> bool | None:
        """None where nothing declares a type."""
        return None if self.type is None else self.type.integer


@dataclass(eq=False)
class Scopes:
    """The scopes, innermost last. `free`: undeclared names are variables (a bare loop nest)."""

    free: bool
    symbols: dict[str, Symbol] = field(default_factory=dict)
    scopes: list[dict[str, Symbol | CType]] = field(default_factory=lambda: [{}])
    active: list[Symbol] = field(default_factory=list)  # the iterators of the loops around
    integers: bool = False  # what is read is an extent, a bound or a subscript
    arguments: ArgumentList | None = None  # of the function, if there is one

    @contextmanager
    def only_integers(self) -> Iterator[None]:
        """While extents, bounds and subscripts are read."""
        before, self.integers = self.integers, True
        try:
            yield
        finally:
            self.integers = before

    def push(self) -> None:
        self.scopes.append({})

    def pop(self) -> None:
        self.scopes.pop()

    def lookup(self, name: str) -> Symbol | CType | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def typedef(self, name: str) -> CType | None:
        found = self.lookup(name)
        return found if isinstance(found, CType) else None

    def variable(self, name: str, span: Span, rank: int = 0) -> Symbol:
        """The variable of that name. Raises PolynbError if there is none; `rank` is the number of
        subscripts it is used with."""
        found = self.lookup(name)
        if isinstance(found, Symbol):
            if found.error is not None:
                raise found.error
            return found
        if not self.free:
            known = {
                n: s.rank
                for scope in self.scopes
                for n, s in scope.items()
                if isinstance(s, Symbol)
            }
            refuse_undeclared(
                name,
                span,
                rank=rank,
                integer=self.integers,
                known=known,
                arguments=self.arguments,
            )
        return self._enter(self.scopes[0], Symbol(name, "", "free", span=span))

    def declare(self, name: str, kind: str, type: CType, span: Span, top: bool = False) -> Symbol:
        """A new variable in the innermost scope. Raises PolynbError for a second one there."""
        if isinstance(self.scopes[-1].get(name), Symbol):
            raise mistake("c.declared-twice", span, name=name)
        rank = len(type.dims)
        symbol = Symbol(name, "", kind, type, span, rank, top=top)
        return self._enter(self.scopes[-1], symbol)

    def unusable(self, name: str, error: PolynbError) -> None:
        """A variable in the innermost scope that no SCoP can use."""
        self._enter(self.scopes[-1], Symbol(name, "", "global", error=error))

    def temporary(self, name: str, type: CType | None) -> Symbol:
        """A new scalar that holds a value between the parts of a split statement."""
        return self._enter({}, Symbol(name, "", "temporary", type, rank=0))

    def _enter(self, scope: dict[str, Symbol | CType], symbol: Symbol) -> Symbol:
        symbol.key = f"{symbol.name}#{len(self.symbols)}"
        self.symbols[symbol.key] = symbol
        scope[symbol.name] = symbol
        return symbol
