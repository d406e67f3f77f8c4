"""What of a whole program's loop was not seen: registers, and ways that the run did not take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from polynb.tracing.programs import naming
from polynb.tracing.programs.assigned import assignments
from polynb.tracing.programs.certain import unsure_reads
from polynb.tracing.programs.deciding import changed_in, deciding
from polynb.tracing.programs.keeping import handed_on, is_private, not_taken, of_iterations
from polynb.tracing.programs.protocol import AccessStream
from polynb.tracing.programs.symbols import CodeSymbol
from polynb.tracing.programs.texts import ProgramTexts
from polynb.tracing.programs.tokens import OWNERS, Tokens, loop_at, statement, words_at
from polynb.tracing.programs.ways import LoopText, SeenAt, left_out, not_called
from polynb.tracing.records import CallSite, Instruction, LoopOf

POINTER: Final = 8
"""Bytes of a variable that may lead elsewhere."""


@dataclass(frozen=True, eq=False)
class SeenRun:
    """What was seen of a run: each instruction with its stream; of each loop, the how manyth of its
    line it is, and the functions that were `entered` in it; global `variables`; `columns` by
    places. `scalars`: variables in registers, too."""

    accesses: Sequence[tuple[Instruction, AccessStream]]
    which: Mapping[str, int]
    entered: Mapping[str, Set[str]]
    variables: Sequence[CodeSymbol]
    columns: Mapping[int, int]
    texts: ProgramTexts
    scalars: bool

    def unseen_in(self, loop: LoopOf) -> str:
        """What was not, in words; "" for nothing."""
        if loop.name not in self.which:
            return "what calls hand back is not seen"
        at = naming.lines_of(loop.file), loop.line, self.which[loop.name]
        inside = [(i, a) for i, a in self.accesses if loop.name in i.loops]
        called = {(naming.short(c.function), c.line) for i, _ in inside for c in i.place}
        ats: dict[int, set[int]] = {}
        for i, access in inside:
            if access.write and i.file == loop.file:
                ats.setdefault(i.line, set()).add(access.at)
        stores = {line: len(found) for line, found in ats.items()}
        variables = {v.name for v in self.variables}
        hidden = (
            naming.hidden_in(*at) or not_taken(*at, stores, variables) or not_written(*at)
            if self.scalars
            else handed_on(*at, stores, variables)
        )
        plain = Path(loop.file).suffix == ".c"
        text = LoopText(*at, self.texts, self.entered[loop.name], plain)
        return hidden or not_called(text, called, variables) or self._left_out(text, loop, inside)

    def _left_out(
        self, text: LoopText, loop: LoopOf, inside: Sequence[tuple[Instruction, AccessStream]]
    ) -> str:
        """What a loop may hand on by ways that were not taken, in words."""
        own, called = SeenAt(), dict[str, list[SeenAt]]()
        for place, way in self._ways(inside).items():
            name = naming.short(place[-1].function) if place else "main"
            if name == naming.short(loop.function):
                for n, found in way.loads.items():
                    own.loads.setdefault(n, set()).update(found)
                own.columns.update(way.columns)
            else:
                called.setdefault(name, []).append(way)
        sizes = ((v.name, v.end - v.start) for v in self.variables)
        return left_out(text, own, called, {name for name, size in sizes if size != POINTER})

    def _ways(
        self, inside: Sequence[tuple[Instruction, AccessStream]]
    ) -> Mapping[tuple[CallSite, ...], SeenAt]:
        """What was accessed, by the calls that led to it."""
        ways: dict[tuple[CallSite, ...], SeenAt] = {}
        for i, access in inside:
            way = ways.setdefault(i.place, SeenAt())
            if not access.write:
                way.loads.setdefault(i.line, set()).add(access.at)
                if self.scalars:
                    way.columns.add((i.line, self.columns.get(access.at, 0)))
            elif not access.local:
                way.stores.setdefault(i.line, set()).add(access.at)
        return ways


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
