"""The polyhedral model of a program: statements, their domains, accesses and times.

Everything is frozen; a pass builds a new Scop. Dataclasses that hold isl objects compare by
identity (isl's equality is semantic, its hash structural).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import overload

from polynb import isl as _isl
from polynb.conveniences import Conveniences, Markup, Portable, below
from polynb.errors import Span
from polynb.scop.doubt import Doubt
from polynb.scop.schedule import Tree
from polynb.source import tree as syntax
from polynb.source.types import ElementType
from polynb.words import counted


@dataclass(frozen=True, eq=False)
class Array(Portable):
    """An array, or a scalar (no extents).

    `extents[k]` is `[params] -> { [e] }`, the number of cells of dimension k, or None where
    nothing bounds it. `role` is input (only read), output (written before it is read, live-out),
    inout, or temp (not live-out). `live_in`: some cell is read before the program writes it, so
    that a kernel needs the array as an argument. `sized`: the extents were declared, not inferred
    from the accesses. `why` says where role, type and extents come from. `storage` is the memory
    that it lives in, `{ A[x] -> M[y] }`, another array, which several may share; None: its own
    (see `scop/storage.py`).
    """

    name: str
    type: ElementType
    extents: tuple[_isl.PwAff | None, ...]
    role: str
    live_in: bool = False
    sized: bool = False
    why: str = ""
    span: Span | None = field(default=None, repr=False)
    storage: _isl.Map | None = field(default=None, repr=False)

    @property
    def live_out(self) -> bool:
        return self.role in ("output", "inout")

    @property
    def dimensions(self) -> int:
        return len(self.extents)


@dataclass(frozen=True, eq=False)
class MemoryAccess(Portable):
    """One read or write of a statement.

    `relation` is `{ S[i] -> A[x] }`. A must access touches exactly these cells; a may access
    (`must` False: a data-dependent subscript or condition) touches some of them. `node` is the
    access in the statement's expression (or its target), with its span.
    """

    array: str
    relation: _isl.Map
    node: syntax.Access
    must: bool = True

    @property
    def span(self) -> Span | None:
        return self.node.span


@dataclass(frozen=True, eq=False)
class Statement(Portable):
    """An assignment in its loops: `domain` is `{ S[i] : ... }`, `schedule` `{ S[i] -> [t] }`.

    Every instance reads all its `reads` (one for each access node of `expression` and `guard`,
    left to right), then does its one `write`. `guard` is a data-dependent condition, under which
    the write happens. `origin` is the label in the source text of the statement that this one
    is a piece of.
    """

    name: str
    iterators: tuple[str, ...]
    domain: _isl.Set
    write: MemoryAccess
    reads: tuple[MemoryAccess, ...]
    expression: syntax.Expr
    schedule: _isl.Map
    origin: str
    guard: syntax.Expr | None = None
    span: Span | None = field(default=None, repr=False)

    @cached_property
    def start(self) -> tuple[int, ...]:
        """The numbers that all its times begin with, up to the first loop: what tells which of two
        statements of different nests is first."""
        found = []
        for k in range(self.schedule.dim(_isl.OUT)):
            value = self.schedule.plain_get_val_if_fixed(_isl.OUT, k)
            if not value.is_int():
                break
            found.append(value.to_python())
        return tuple(found)

    @property
    def accesses(self) -> tuple[MemoryAccess, ...]:
        """Its reads, and its write after them."""
        return *self.reads, self.write

    @property
    def affine(self) -> bool:
        """Whether everything it touches, and whether it runs, is known exactly."""
        return self.guard is None and all(a.must for a in self.accesses)


def roots(s: Statement) -> tuple[syntax.Expr, ...]:
    """All that an instance evaluates: its value, the subscripts of its write, and its guard."""
    guard = () if s.guard is None else (s.guard,)
    return (s.expression, *s.write.node.subscripts, *guard)


def constant_order(first: Statement, then: Statement) -> int | None:
    """-1 if all instances of one statement run before all of another, 1 if after; None if that
    depends on the instances (or is not found at a glance).

    The times of two loop nests differ in a constant before any loop variable. So do those of
    most pairs of statements of a large program, and comparing them in general would be the most
    expensive part of asking what depends on what.
    """
    for a, b in zip(first.start, then.start, strict=False):
        if a != b:
            return -1 if a < b else 1
    return None


@dataclass(frozen=True, eq=False)
class Narrow:
    """A part of a text that C computes in a type which holds less than the model's integers: it has
    no meaning for iterators `{ [i] : ... }` and parameters that make it too large, or too small.
    `bound`: it is part of one of a loop."""

    node: syntax.Expr
    type: ElementType
    domain: _isl.Set
    bound: bool = False


@dataclass(frozen=True, eq=False)
class Scop(Conveniences):
    """A static control part.

    `statements` are in textual order. `context` is what is assumed of the parameters
    (`[N] -> { : N >= 3 }`); `requires` what must hold, besides, for all accesses to be in bounds.
    `program` is the syntax tree it was built from, None for a Scop from isl sets or from a pass.
    `parameter_types` are the parameters that C declares, in whose ranges their values are; `narrow`
    is what its text computes in fewer bits than the model, and the kernels made of it; `ends`, what
    its loops do after their last turns.
    """

    name: str
    parameters: tuple[str, ...]
    context: _isl.Set
    requires: _isl.Set
    arrays: Mapping[str, Array]
    statements: tuple[Statement, ...]
    schedule: Tree
    functions: tuple[syntax.Define, ...] = ()
    program: syntax.Program | None = field(default=None, repr=False)
    parameter_types: Mapping[str, ElementType] = field(default_factory=dict)
    narrow: tuple[Narrow, ...] = field(default=(), repr=False)
    ends: tuple[Narrow, ...] = field(default=(), repr=False)

    @cached_property
    def by_name(self) -> Mapping[str, Statement]:
        return {s.name: s for s in self.statements}

    @property
    def assumed(self) -> _isl.Set:
        """`{ : context and requires }`: the parameter values a kernel may be called with."""
        return self.context.intersect(self.requires)

    @property
    def temporaries(self) -> tuple[str, ...]:
        """The arrays that are not live-out and are written, in the order of declaration."""
        written = {s.write.array for s in self.statements}
        return tuple(n for n, a in self.arrays.items() if a.role == "temp" and n in written)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What was perhaps mistyped in its text: names that look like others, cells that nothing
        has written, values that nobody gets. Nothing is wrong; each says what silences it."""
        found: tuple[Doubt, ...] = self._below("doubts")
        return found

    @property
    def isl(self) -> IslView:
        """The isl objects: domain, schedule, reads, writes, context."""
        return IslView(self)

    def to_c(self) -> str:
        """The program as a C99 function."""
        text: str = self._below("to_c")
        return text

    def __str__(self) -> str:
        text: str = self._below("to_text")
        return text

    def __repr__(self) -> str:
        asked = "".join(f"; {d.name}: {d.question}" for d in self.doubts)
        return f"<Scop {self.name}: {counted(len(self.statements), 'statement')}{asked}>"

    @overload
    def to_html(self, file: None = None, **parameters: int) -> Markup: ...

    @overload
    def to_html(self, file: str | PathLike[str], **parameters: int) -> Path: ...

    def to_html(self, file: str | PathLike[str] | None = None, **parameters: int) -> Markup | Path:
        """One page with the program, its iteration space and dependences, linked, which needs no
        network: as text, or written to `file`, whose path is returned."""
        page: Markup | Path = self._below("to_html", file, parameters)
        return page

    def to_svg(self, **parameters: int) -> Markup:
        """A picture of the program, its iteration space and dependences, for slides."""
        picture: Markup = self._below("to_svg", None, None, parameters)
        return picture

    @staticmethod
    def from_isl(
        domain: _isl.UnionLike,
        schedule: _isl.UnionLike | _isl.Schedule,
        reads: _isl.UnionLike,
        writes: _isl.UnionLike,
        *,
        context: _isl.UnionLike = "{ : }",
        temp: str | Sequence[str] = (),
        name: str = "kernel",
    ) -> Scop:
        """A Scop from sets of one's own: a domain `{ S[i] : ... }`, a schedule (a map
        `{ S[i] -> [t] }` or an `islpy.Schedule`), reads and writes `{ S[i] -> A[x] }`, each an
        islpy object or isl text. `temp` names arrays that are not live-out."""
        read = below("from_isl")
        scop: Scop = read(domain, schedule, reads, writes, context=context, temp=temp, name=name)
        return scop


@dataclass(frozen=True, eq=False)
class IslView:
    """A Scop as unions of isl sets and maps."""

    scop: Scop

    @property
    def context(self) -> _isl.Set:
        return self.scop.context

    @property
    def domain(self) -> _isl.UnionSet:
        """`{ S[i] : ... }` of all statements."""
        return _isl.union_set(s.domain for s in self.scop.statements)

    @property
    def schedule(self) -> _isl.UnionMap:
        """`{ S[i] -> [t] }`, restricted to the domains."""
        return _isl.union_map(s.schedule.intersect_domain(s.domain) for s in self.scop.statements)

    @property
    def reads(self) -> _isl.UnionMap:
        """`{ S[i] -> A[x] }` of all reads."""
        return _isl.union_map(r.relation for s in self.scop.statements for r in s.reads)

    @property
    def writes(self) -> _isl.UnionMap:
        """`{ S[i] -> A[x] }` of all writes."""
        return _isl.union_map(s.write.relation for s in self.scop.statements)
