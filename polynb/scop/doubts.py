"""Names of a program that were probably mistyped: nothing is wrong with them, and they are asked
about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from polynb.errors import Span
from polynb.source import tree as syntax
from polynb.source.functions import EXTREMA, MATH_FUNCTIONS
from polynb.source.typos import meant


@dataclass(frozen=True, eq=False)
class Doubt:
    """A name that looks like another, or ("") that nothing uses: `why` is what is odd about it,
    `silence` what says that it is right all the same ("" where nothing can)."""

    name: str
    meant: str
    why: str
    silence: str = ""
    span: Span | None = field(default=None, repr=False)

    @property
    def question(self) -> str:
        return f"did you mean {self.meant}?" if self.meant else "is it needed?"

    def __str__(self) -> str:
        line = f" (line {self.span.line})" if self.span is not None else ""
        rest = f" If not, {self.silence}." if self.silence else ""
        return f"{self.name} is {self.why}{line}: {self.question}{rest}"


@dataclass(eq=False)
class _Name:
    """Where an array, a scalar, a parameter or an iterator stands; `rank` is its number of
    subscripts."""

    rank: int = 0
    reads: list[Span | None] = field(default_factory=list)
    writes: list[Span | None] = field(default_factory=list)

    @property
    def dead(self) -> bool:
        """Written for nobody."""
        return bool(self.writes) and not self.reads


def only_named(d: syntax.Declaration) -> bool:
    """Whether `temp d;` says no more of an array than that. (A type or sizes declare one.)"""
    return d.role == "temp" and d.type is None and d.extents is None


def doubts(program: syntax.Program) -> tuple[Doubt, ...]:
    """The questions about a program, in the order of the text."""
    found = [*_Names(program).questions(), *_functions(program)]
    return tuple(sorted(found, key=lambda d: d.span.start if d.span is not None else 0))


class _Names:
    """All names of a program but its functions, and what declares them."""

    def __init__(self, program: syntax.Program) -> None:
        self.program = program
        self.names: dict[str, _Name] = defaultdict(_Name)
        for p in program.parameters:
            self.names[p].rank = 0
        self.constants = {*program.parameters}
        self._block(program.body)
        self.declared = {d.name: d for d in program.declarations if d.role or d.type or d.extents}

    def _block(self, body: tuple[syntax.Stmt, ...]) -> None:
        for s in body:
            match s:
                case syntax.Assign(target=target, value=value):
                    self._note(target, self.names[target.array].writes)
                    for e in (*target.subscripts, value):
                        self._reads(e)
                case syntax.For(iterator=i, lower=lower, upper=upper, body=inner):
                    self.constants.add(i)
                    self._reads(lower)
                    self._reads(upper)
                    self._block(inner)
                case syntax.If(condition=condition, then=a, otherwise=b):
                    self._reads(condition)
                    self._block(a)
                    self._block(b)

    def _reads(self, e: syntax.Expr) -> None:
        for x in syntax.walk(e):
            if isinstance(x, syntax.Access):
                self._note(x, self.names[x.array].reads)
            elif isinstance(x, syntax.Parameter | syntax.Iterator):
                self.names[x.name].reads.append(x.span)

    def _note(self, access: syntax.Access, places: list[Span | None]) -> None:
        self.names[access.array].rank = len(access.subscripts)
        places.append(access.span)

    # -- what is asked -------------------------------------------------------------------

    def questions(self) -> Iterator[Doubt]:
        for name, places in self.names.items():
            if name in self.program.undeclared:
                yield from self._parameter(name, places)
            elif name not in self.declared and name not in self.constants:
                yield from self._written(name, places) if places.dead else ()
                yield from self._read(name, places) if not places.writes else ()
        for name, d in self.declared.items():
            if name not in self.names and only_named(d):
                yield Doubt(name, "", "called temporary, and nothing uses it", span=d.span)
            elif name not in self.names and d.role != "temp":
                used = (n for n in self.names if n not in self.declared and n not in self.constants)
                other = meant(name, used)
                if other is not None:
                    yield Doubt(name, other, "declared and never used", span=d.span)

    def _read(self, name: str, places: _Name) -> Iterator[Doubt]:
        """Of a name that is only read: it is meant if it stands at several places, unless what it
        looks like is written for nobody."""
        known = (n for n in self._of_rank(places.rank) if n != name and self._established(n))
        other = meant(name, known)
        if other is not None and (len(places.reads) == 1 or self.names[other].dead):
            why = "read and never written"
            yield Doubt(name, other, why, self._silence(name, places.rank), places.reads[0])

    def _written(self, name: str, places: _Name) -> Iterator[Doubt]:
        """Of a name that is only written: what it looks like is a temporary that nothing writes."""
        empty = (
            n
            for n in self._of_rank(places.rank)
            if n in self.declared and self.declared[n].role == "temp" and not self.names[n].writes
        )
        other = meant(name, empty)
        if other is not None:
            why = f"written and never read, and {other} read and never written"
            yield Doubt(name, other, why, span=places.writes[0])

    def _parameter(self, name: str, places: _Name) -> Iterator[Doubt]:
        """Of a size that nothing declares."""
        if len(places.reads) == 1:
            known = (p for p in self.program.parameters if len(self.names[p].reads) > 1)
            declared = {*self.program.parameters} - {*self.program.undeclared}
            other = meant(name, {*known, *declared})
            if other is not None:
                why, span = "a size of its own, used once", places.reads[0]
                yield Doubt(name, other, why, f"`int {name};` says so", span)

    def _of_rank(self, rank: int) -> Iterator[str]:
        return (n for n, places in self.names.items() if places.rank == rank)

    def _established(self, name: str) -> bool:
        """Whether there is more to a name than that it is read once."""
        places = self.names[name]
        declared = name in self.declared or name in self.constants
        return declared or bool(places.writes) or len(places.reads) > 1

    def _silence(self, name: str, rank: int) -> str:
        declaration = f"input {name};"
        if self.program.language == "c":
            declaration = f"double {name}{'[]' + '[n]' * (rank - 1) if rank else ''};"
        return f"`{declaration}` says so"


def _functions(program: syntax.Program) -> Iterator[Doubt]:
    """Calls of what is no function, and looks like one."""
    defined = {f.name for f in program.functions}
    known = {*defined, *MATH_FUNCTIONS, *EXTREMA}
    asked: set[str] = set()
    for s in syntax.statements(program.body):
        for e in syntax.walk(s.value):
            if isinstance(e, syntax.Call) and e.function not in {*known, *asked}:
                asked.add(e.function)
                other = meant(e.function, known)
                if other is not None:
                    yield Doubt(e.function, other, "a function that nothing defines", span=e.span)
