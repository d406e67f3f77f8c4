"""What of a whole program's loop was not seen: registers, and ways that the run did not take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from polynb.tracing.programs import naming
from polynb.tracing.programs.assigned import assignments
from polynb.tracing.programs.certain import unsure_reads
from polynb.tracing.programs.deciding import changed_in, deciding
from polynb.tracing.programs.keeping import handed_on, is_private, of_iterations
from polynb.tracing.programs.ordered import ended_in, in_order
from polynb.tracing.programs.overriding import overridden
from polynb.tracing.programs.protocol import AccessStream
from polynb.tracing.programs.remaining import remaining
from polynb.tracing.programs.seen import SeenAt
from polynb.tracing.programs.silent import silent
from polynb.tracing.programs.symbols import CodeSymbol
from polynb.tracing.programs.texts import ProgramTexts
from polynb.tracing.programs.tokens import OWNERS, Tokens, loop_at, statement, words_at
from polynb.tracing.programs.unread import named, unread
from polynb.tracing.programs.untaken import not_taken
from polynb.tracing.programs.ways import LoopText, left_out, library_not_called, not_called
from polynb.tracing.records import Instruction, LoopOf, Remaining, Unread

WAY: Final = "a way that this run did not take"
TAKEN: Final = "; one that takes it would tell"
POINTER: Final = 8
"""Bytes of a variable that may lead elsewhere."""


@dataclass(frozen=True, eq=False)
class SeenRun:
    """What was seen of a run: each instruction with its stream; of each loop, the how manyth of its
    line it is, and the contexts that were `entered` in it, with their functions and the lines that
    called them; global `variables`; `columns` by places. `scalars`: variables in registers, too."""

    accesses: Sequence[tuple[Instruction, AccessStream]]
    which: Mapping[str, int]
    entered: Mapping[str, Mapping[int, tuple[str, int]]]
    variables: Sequence[CodeSymbol]
    columns: Mapping[int, int]
    texts: ProgramTexts
    scalars: bool

    def told(self, loops: Sequence[LoopOf]) -> tuple[LoopOf, ...]:
        """The loops with what was not seen in each, and those of which nothing was."""
        found = (replace(x, unseen=self.unseen_in(x), remains=self._left(x, loops)) for x in loops)
        return (*found, *silent(self.texts, loops))

    def _left(self, loop: LoopOf, loops: Sequence[LoopOf]) -> tuple[Remaining, ...]:
        """What of its variables in registers is read after it, also on ways that were not taken.
        (Where these are not seen, all that it writes is in doubt.)"""
        if not self.scalars or loop.name not in self.which:
            return ()
        mine = (x for x in loops if x.file == loop.file and x.name in self.which)
        names = {(x.line, self.which[x.name]): x.name for x in mine}
        at = loop.line, self.which[loop.name]
        return remaining(naming.lines_of(loop.file), at, names)

    def unseen_in(self, loop: LoopOf) -> str:
        """What was not, in words; "" for nothing."""
        if loop.name not in self.which:
            return "what calls hand back is not seen"
        at = naming.lines_of(loop.file), loop.line, self.which[loop.name]
        inside = [(i, a) for i, a in self.accesses if loop.name in i.loops]
        entered = self.entered[loop.name].values()
        called = {(name, at) for name, at in entered if at}
        ats: dict[int, set[int]] = {}
        for i, access in inside:
            if access.write and i.file == loop.file:
                ats.setdefault(i.line, set()).add(access.at)
        stores = {line: len(found) for line, found in ats.items()}
        variables = {v.name for v in self.variables}
        plain = Path(loop.file).suffix == ".c"
        function = naming.short(loop.function)
        text = LoopText(*at, function, self.texts, {name for name, _ in entered}, plain)
        hidden = (
            naming.hidden_in(*at)
            or not_taken(text, stores, variables, self.arrays)
            or not_written(*at)
            if self.scalars
            else handed_on(*at, stores, variables)
        )
        library = {
            (naming.short(i.function), i.line, "state" if i.state else "call" if a.called else "")
            for i, a in inside
        }
        ways = (
            not_called(text, called, variables)
            or library_not_called(text, library)
            or self._left_out(text, loop, inside)
        )
        found = hidden or in_order(text) or ended_in(text) or ways
        return found + TAKEN * found.endswith(WAY)

    def _left_out(
        self, text: LoopText, loop: LoopOf, inside: Sequence[tuple[Instruction, AccessStream]]
    ) -> str:
        """What a loop may hand on by ways that were not taken, in words."""
        own, called = SeenAt(), dict[str, list[SeenAt]]()
        for name, way in self._ways(loop, inside):
            if name == naming.short(loop.function):
                for n, found in way.loads.items():
                    own.loads.setdefault(n, set()).update(found)
                own.columns.update(way.columns)
            else:
                called.setdefault(name, []).append(way)
        every = {v.name for v in self.variables}
        return left_out(text, own, called, self.arrays) or overridden(text, called, every)

    def unread(self) -> Iterator[Unread]:
        """The reads in the program's texts that did not run."""
        seen: dict[str, dict[str, SeenAt]] = {}
        for i, access in self.accesses:
            way = seen.setdefault(i.file, {}).setdefault(naming.short(i.function), SeenAt())
            if not access.write:
                way.loads.setdefault(i.line, set()).add(access.at)
            if self.scalars:
                way.columns.add((i.line, self.columns.get(access.at, 0)))
            way.lines.add(i.line)
            for caller, site in zip(
                ("main", *(s.function for s in i.place)), i.place, strict=False
            ):
                by = seen.setdefault(site.file, {}).setdefault(naming.short(caller), SeenAt())
                by.lines.add(site.line)
        names = {v.name for v in self.variables}
        leading = names - self.arrays
        called = named(self.texts.texts)
        for file, text in self.texts.files.items():
            yield from unread(text, seen.get(file, {}), names, leading, called)

    @cached_property
    def arrays(self) -> frozenset[str]:
        """The global variables that lead nowhere else."""
        return frozenset(v.name for v in self.variables if v.end - v.start != POINTER)

    def _ways(
        self, loop: LoopOf, inside: Sequence[tuple[Instruction, AccessStream]]
    ) -> Iterator[tuple[str, SeenAt]]:
        """What was accessed in each context, which may be nothing, with its function."""
        names = {number: name for number, (name, _) in self.entered[loop.name].items()}
        ways = {number: SeenAt() for number in names}
        for i, access in inside:
            outer = naming.short(i.place[-1].function) if i.place else "main"
            names.setdefault(access.context, outer)
            way = ways.setdefault(access.context, SeenAt())
            if not access.write:
                way.loads.setdefault(i.line, set()).add(access.at)
                if self.scalars:
                    way.columns.add((i.line, self.columns.get(access.at, 0)))
            elif not access.local:
                way.stores.setdefault(i.line, set()).add(access.at)
        return ((names[number], way) for number, way in ways.items())


def not_written(lines: Sequence[str], line: int, which: int) -> str:
    """Which variable of the `which`-th loop of a line that is, in words; "" for none."""
    text = tuple(lines)
    tokens, _ = words_at(text)
    if (head := loop_at(text, line, which)) is None:
        return ""
    end = statement(tokens, head)
    writes: dict[str, list[int]] = {}
    for a in assignments(tokens, of_iterations(tokens, head), end):
        if a.name and a.how not in ("&", ".") and not is_private(tokens, head, end, a):
            writes.setdefault(a.name, []).append(a.at)
    changed = changed_in(tokens, head, end) if writes else frozenset[str]()
    for name, places in writes.items():
        for read in unsure_reads(tokens, head, name):
            for at in places:
                if not _comes_before(tokens, head, at, read):
                    continue
                asked = (c for c in deciding(text, at) if c.at > head)
                if found := next((c for c in asked if c.finds or c.names & changed), None):
                    return (
                        f"`{name}` is written (line {tokens[at][1]}) as `{found.text}` says, and "
                        f"line {tokens[read][1]} would take it from another iteration"
                    )
    return ""


def _comes_before(tokens: Tokens, head: int, at: int, read: int) -> bool:
    """Whether what stands at a token may run before another in one iteration: also in an earlier
    one of a loop within."""
    low, high = min(at, read), max(at, read)
    return at < read or any(
        tokens[j][0] in OWNERS[:3] and statement(tokens, j) > high for j in range(head + 1, low)
    )
