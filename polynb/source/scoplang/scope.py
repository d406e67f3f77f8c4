"""What the names of a program in the SCoP language stand for, each only one thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from polynb.errors import Edit, PolynbError, Span
from polynb.source.mistakes import Words, mistake, table
from polynb.source.tree import Define, Let
from polynb.source.typos import meant
from polynb.words import counted

Kind = Literal["parameter", "array", "iterator", "function", "let"]


@dataclass(frozen=True, eq=False)
class Restriction:
    """A place where only parameters and `arguments` have a meaning; `what` is the place, and
    `function` the name that is being defined there."""

    what: str
    arguments: tuple[str, ...] = ()
    function: str = ""


@dataclass(eq=False)
class Scope:
    """Filled up while the program is read from top to bottom."""

    kinds: dict[str, tuple[Kind, Span]] = field(default_factory=dict)
    ranks: dict[str, tuple[int, Span]] = field(default_factory=dict)
    parameters: list[str] = field(default_factory=list)
    functions: dict[str, Define] = field(default_factory=dict)
    iterators: list[str] = field(default_factory=list)
    lets: dict[str, Let] = field(default_factory=dict)
    restriction: Restriction | None = None

    def use(self, name: str, kind: Kind, span: Span) -> None:
        """Note what a name is. Raises PolynbError if it is something else already."""
        known, first = self.kinds.setdefault(name, (kind, span))
        if known != kind:
            row, rows = f"{known}-as-{kind}", table("scop")
            row, called = row if row in rows else "two-kinds", rows["two-kinds"]["kinds"]
            words: Words = {"known": called[known], "other": called[kind]}
            raise mistake(f"scop.{row}", span, name=name, first=first, **words)

    def declare_parameter(self, name: str, span: Span) -> None:
        if name in self.parameters:
            raise mistake("scop.parameter-twice", span, name=name, line=self.kinds[name][1].line)
        self.use(name, "parameter", span)
        self.parameters.append(name)

    def declare_function(self, name: str, span: Span) -> None:
        """Note that a definition begins: in its body, the name is no defined function yet."""
        known, first = self.kinds.get(name, (None, span))
        if known == "function":
            row = "scop.function-twice" if name in self.functions else "scop.function-late"
            raise mistake(row, span, name=name, first=first)
        self.use(name, "function", span)

    def subscripted(self, name: str, rank: int, span: Span) -> None:
        """Note an array's number of dimensions. Raises PolynbError for another number."""
        self.use(name, "array", span)
        known, first = self.ranks.setdefault(name, (rank, span))
        if known != rank:
            here, there = (counted(n, "subscript", "no") for n in (rank, known))
            words: Words = {"name": name, "here": here, "there": there, "first": first}
            raise mistake("scop.subscripts", span, subscripts="[...]" * known, **words)

    def not_allowed(self, name: str, span: Span) -> PolynbError:
        """The error for a name that the restriction does not know."""
        assert self.restriction is not None
        known = [*self.restriction.arguments, *self.parameters]
        other, fix = meant(name, known), list[Edit]()
        hint = f"one of: {', '.join(known)}" if known else f"declare it before: `param {name};`"
        if other is not None:
            hint, fix = f"did you mean {other}?", [Edit(span, other)]
        elif not known:
            text = span.source.text
            start = len(text) - len(text.lstrip())
            fix = [Edit(Span(span.source, start, start), f"param {name}; ")]
        return mistake(
            "scop.not-allowed",
            span,
            fix=fix,
            name=name,
            restriction=self.restriction,
            arguments="its arguments and " * bool(self.restriction.arguments),
            hint=hint,
        )
