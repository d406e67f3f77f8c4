"""Where the names of a program stand, and what their values go into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from polynb.errors import Span
from polynb.source import tree as syntax

ELSEWHERE = ""  # where no assignment reads: a bound, a condition


@dataclass(frozen=True)
class Mention:
    """A place where a name is read or written. `into` is the array that the statement writes,
    `loops` are the iterators around it; `indexes`: it stands in a subscript; `again`: of a write,
    whether each iteration of the innermost loop writes the same cell; `begins`: whether it writes
    a number, or a cell that no loop chooses, as first values are."""

    span: Span | None
    into: str
    loops: tuple[str, ...] = ()
    indexes: bool = False
    again: bool = False
    begins: bool = False


@dataclass(eq=False)
class Occurring:
    """An array, a scalar, a parameter or an iterator; `rank` is its number of subscripts."""

    rank: int = 0
    reads: list[Mention] = field(default_factory=list)
    writes: list[Mention] = field(default_factory=list)

    @property
    def dead(self) -> bool:
        """Written for nobody."""
        return bool(self.writes) and not self.reads

    @property
    def only_read(self) -> bool:
        return bool(self.reads) and not self.writes


class Mentions:
    """All names of a program but its functions, in the order of the text. `constants` are its
    parameters and iterators, `declared` what it says more of than that it is temporary."""

    def __init__(self, program: syntax.Program) -> None:
        self.program = program
        self.names: dict[str, Occurring] = defaultdict(Occurring)
        for p in program.parameters:
            self.names[p].rank = 0
        self.constants = {*program.parameters}
        self._block(program.body, ())
        self.declared = {d.name: d for d in program.declarations if d.role or d.type or d.extents}
        self.temporaries = {d.name for d in program.declarations if d.role == "temp"}

    def _block(self, body: tuple[syntax.Stmt, ...], loops: tuple[str, ...]) -> None:
        for s in body:
            match s:
                case syntax.Assign(target=target, value=value):
                    self._write(target, value, loops)
                    for e in target.subscripts:
                        self._reads(e, target.array, loops, True)
                    self._reads(value, target.array, loops)
                case syntax.For(iterator=i, lower=lower, upper=upper, body=inner):
                    self.constants.add(i)
                    self._reads(lower, ELSEWHERE, loops)
                    self._reads(upper, ELSEWHERE, loops)
                    self._block(inner, (*loops, i))
                case syntax.If(condition=condition, then=a, otherwise=b):
                    self._reads(condition, ELSEWHERE, loops)
                    self._block(a, loops)
                    self._block(b, loops)

    def _write(self, target: syntax.Access, value: syntax.Expr, loops: tuple[str, ...]) -> None:
        used = {x.name for e in target.subscripts for x in syntax.walk(e)
                if isinstance(x, syntax.Iterator)}  # fmt: skip
        again = bool(loops) and loops[-1] not in used
        begins = not used or isinstance(value, syntax.Number)
        place = Mention(target.span, target.array, loops, again=again, begins=begins)
        self._note(target).writes.append(place)

    def _reads(
        self, e: syntax.Expr, into: str, loops: tuple[str, ...], indexes: bool = False
    ) -> None:
        inside = {id(x) for a in syntax.accesses(e) for x in syntax.walk(*a.subscripts)}
        for x in syntax.walk(e):
            place = Mention(x.span, into, loops, indexes or id(x) in inside)
            if isinstance(x, syntax.Access):
                self._note(x).reads.append(place)
            elif isinstance(x, syntax.Parameter | syntax.Iterator):
                self.names[x.name].reads.append(place)

    def _note(self, access: syntax.Access) -> Occurring:
        name = self.names[access.array]
        name.rank = len(access.subscripts)
        return name

    # -- kinds of names ------------------------------------------------------------------

    def undeclared(self) -> Iterator[tuple[str, Occurring]]:
        """The arrays and scalars of which the text says nothing."""
        for name, places in self.names.items():
            if name not in self.declared and name not in self.constants:
                yield name, places

    @cached_property
    def needed(self) -> frozenset[str]:
        """What goes, on any way, into something that is kept, or that decides what runs."""
        feeds: dict[str, set[str]] = defaultdict(set)
        for name, places in self.names.items():
            for read in places.reads:
                feeds[read.into].add(name)
        found = {ELSEWHERE} | {n for n in self.names if n not in self.temporaries}
        new = set(found)
        while new:
            new = {n for into in new for n in feeds[into]} - found
            found |= new
        return frozenset(found)

    @cached_property
    def lost(self) -> tuple[str, ...]:
        """The temporaries whose values go nowhere: the last ones of what is computed in vain."""
        vain = [n for n in self.names if n in self.temporaries and n not in self.needed]
        vain = [n for n in vain if self.names[n].writes]
        last = [n for n in vain if all(r.into == n for r in self.names[n].reads)]
        return tuple(last or vain)

    @cached_property
    def unset(self) -> tuple[str, ...]:
        """The temporaries that are read and never written."""
        return tuple(n for n in self.names if n in self.temporaries and self.names[n].only_read)

    def of_rank(self, rank: int) -> Iterator[str]:
        return (n for n, places in self.names.items() if places.rank == rank)
