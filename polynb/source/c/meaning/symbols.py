"""The names of a C text: what each declares, in which scope.

In the tree that the readers build, a variable is called by its symbol's `key`, which no other
has; `resolve` gives every variable its final name when all of the text is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from polynb.errors import Edit, PolynbError, Span
from polynb.source.c.meaning.types import CType
from polynb.source.c.read.tokens import Token
from polynb.source.mistakes import mistake
from polynb.source.tree import Expr
from polynb.source.typos import meant_by_unknown


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


@dataclass(frozen=True, eq=False)
class ArgumentList:
    """The tokens of a function's arguments, from the `(` to the `)`."""

    tokens: Sequence[Token]

    def added(self, declaration: str, *, last: bool = False) -> list[Edit]:
        """The text with one more argument: before the others, whose extents may need it, or after
        them, whose names its own extents may need."""
        opening, *inside, closing = (t.span for t in self.tokens)
        source = opening.source
        if len(inside) < 2:  # `(void)`, `()`
            return [Edit(Span(source, opening.end, closing.start), declaration)]
        if last:
            return [Edit(Span(source, inside[-1].end, inside[-1].end), f", {declaration}")]
        return [Edit(Span(source, opening.end, opening.end), f"{declaration}, ")]

    def moved(self, name: str) -> tuple[str, list[Edit]] | None:
        """An argument of that name, and the text with it before the others; None if there is
        none, or it is the first."""
        commas = [k for k, t in enumerate(self.tokens) if t.text == ","]
        for first, end in pairwise([*commas, len(self.tokens) - 1]):
            one = self.tokens[first + 1 : end]
            names = list(takewhile(lambda t: t.text != "[", one))
            if len(one) > 1 and [t.text for t in names if t.kind == "name"][-1:] == [name]:
                source, stop = one[0].span.source, one[-1].span.end
                declaration = source.text[one[0].span.start : stop]
                removed = Edit(Span(source, self.tokens[first].span.start, stop), "")
                return declaration, [*self.added(declaration), removed]
        return None


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
            raise _undeclared(
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


def _undeclared(
    name: str,
    span: Span,
    *,
    rank: int,
    integer: bool,
    known: Mapping[str, int | None],
    arguments: ArgumentList | None,
) -> PolynbError:
    """What to do about a name that nothing declares. `rank` is the number of subscripts it is used
    with, `integer` whether it stands where only integers may; `known` are the names there are, and
    their ranks."""
    other = meant_by_unknown(name, [n for n, r in known.items() if r is None or r == rank])
    declaration = f"{'int' if integer and not rank else 'double'} {name}{'[n]' * rank}"
    hint, fix = f"an argument such as `{declaration}`", list[Edit]()
    moved = arguments.moved(name) if arguments is not None and integer and not rank else None
    if other is not None:
        hint, fix = f"did you mean {other}? If not, {hint}", [Edit(span, other)]
    elif moved is not None:
        declaration, fix = moved
        hint = f"`{declaration}` before the arguments that need it"
    elif arguments is not None and (not rank or "n" in known):
        fix = arguments.added(declaration, last=bool(rank))
    if not rank and moved is None:
        hint += f", or `#define {name} ...`"
    return mistake("c.undeclared", span, fix=fix, name=name, hint=hint)
