"""What loops that ran would do on ways that a run did not take: in statements, in the arms of `?:`,
`&&` and `||`, in the functions that they call, and where a variable is not written after all."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Final

from polynb.graphs import reached
from polynb.tracing.instrument.parts import (
    CallPlace,
    Placed,
    SourceLoop,
    StaticInstruction,
    TracedText,
)
from polynb.tracing.library import library_call
from polynb.tracing.records import CallSite, Instruction, RegisterWrite, Skipped, Unread, Unsure

ACCESSES: Final = ("load", "store")
GIVEN: Final = re.compile(r"\**\(?argv\b")
"""What main is given, where no loop writes."""
Owned = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, eq=False)
class Ways:
    """Finds it, beside what `ran` (instructions by their contexts and numbers) and was `entered`
    (contexts by those around, the places of calls, and groups of functions). `under` gives the
    names of conditions."""

    program: TracedText
    ran: Mapping[tuple[int, int], Instruction]
    entered: Mapping[tuple[int, int, int], int]
    prefix: Mapping[int, tuple[str, ...]]
    places: Mapping[int, tuple[CallSite, ...]]
    make: Callable[[int, int], Instruction]
    under: Callable[[int, frozenset[tuple[int, int]]], frozenset[tuple[str, int]]]

    @cached_property
    def begun(self) -> Set[tuple[int, int, frozenset[tuple[int, int]]]]:
        """The statements, or parts of them under one condition, of which something ran."""
        static = self.program.instructions
        return {(c, static[n].statement, static[n].under) for c, n in self.ran}

    @cached_property
    def called(self) -> Set[tuple[int, int]]:
        """The calls that were made, by contexts and places."""
        return {(context, site) for context, site, _ in self.entered}

    @cached_property
    def worked(self) -> Set[tuple[int, str]]:
        """The functions of which something ran, by their contexts."""
        return {(c, self.program.instructions[n].function) for c, n in self.ran}

    @cached_property
    def functions(self) -> Set[tuple[int, str]]:
        """Those that were entered, by their contexts."""
        return self.worked | {(c, at[-1].function) for c, at in self.places.items() if at}

    def not_taken(self) -> tuple[Skipped, ...]:
        found = []
        for context, function in sorted(self.functions):
            prefix = self.prefix[context]
            mine = [i for i in self.program.instructions if i.function == function and i.recorded]
            for i in mine:
                if (prefix or i.loops) and self._left_out(context, i):
                    found.append(self._skipped(context, i, mine))
            for k, call in enumerate(self.program.calls, 1):
                if call.function == function and call.recorded and (prefix or call.loops):
                    for name in self._not_called(context, k, call):
                        found += self._calls(context, call, name)
        return tuple(found)

    def unread(self, own: Owned, lent: Container[str], named: Container[str]) -> Iterator[Unread]:
        """The reads that no context did, also of the variables that are `lent`, by calls; `own` are
        the variables of each function, with their lines. What is not `named` is not called."""
        ran = {number for _, number in self.ran}
        worked = {name for _, name in self.functions}
        for i in self.program.instructions:
            reads = i.kind in ("load", "call") and i.statement and not i.state
            reads = reads and (i.function in named or i.function in worked)
            if not reads or i.number in ran or GIVEN.match(i.text):
                continue
            yield _unread(i.base, i, own)
        made = {site for _, site in self.called}
        for k, call in enumerate(self.program.calls, 1):
            names = () if k in made else dict.fromkeys(re.findall(r"\w+", call.span.text))
            yield from (_unread(name, call, own) for name in names if name in lent)

    def _left_out(self, context: int, i: StaticInstruction) -> bool:
        """Whether an instruction did not run, and matters: parts of statements that ran did,
        unless they are in an arm, and but for stores of the library of which there was nothing."""
        counts = i.kind in (*ACCESSES, "call") or i.unsure or i.writes
        given = not i.statement  # a parameter in memory: told of where it comes from something
        if (context, i.number) in self.ran or given or not counts:
            return False
        begun = (context, i.statement, i.under) in self.begun
        return i.kind == "store" or i.arm or not begun

    def _not_called(self, context: int, k: int, call: CallPlace) -> list[str]:
        """The functions that a call may lead to, and did not: those that a pointer might, too."""
        if call.callee is not None:
            return [] if (context, k) in self.called else [call.callee]
        return [name for name in sorted(call.leads) if not self._entered(context, k, call, name)]

    def _entered(self, context: int, k: int, call: CallPlace, name: str) -> bool:
        """Whether a call led to a function; one of its own group goes on in the same context."""
        groups = self.program.components
        if name not in groups:
            return False
        own = groups[name] == groups[call.function]
        inside = context if own else self.entered.get((context, k, groups[name]))
        alone = not own and [*groups.values()].count(groups[name]) == 1
        return inside is not None and (alone or (inside, name) in self.worked)

    def _skipped(
        self, context: int, i: StaticInstruction, mine: list[StaticInstruction]
    ) -> Skipped:
        same = [
            self.ran[context, x.number].name
            for x in mine
            if i.cell and x.cell == i.cell and not x.arm and (context, x.number) in self.ran
            if x.loops == i.loops and x.under <= i.under
        ]
        recursive = self.program.components[i.function] in self.program.recursive
        made = self.make(context, i.number)
        return Skipped(made, self._hands(i), () if recursive else tuple(same), i.base)

    def _hands(self, i: Placed) -> tuple[str, ...]:
        """The loops whose iterations it may take a register from, or leave one to that reads it."""
        places = {q for _, q in i.unsure}
        asked = self.asked[i.function]
        return tuple(
            x.name
            for q, x in enumerate(i.loops)
            if q in places or any((ref, x.name) in asked for ref in i.writes)
        )

    @cached_property
    def asked(self) -> Mapping[str, Set[tuple[str, str]]]:
        """Of each function: the registers that are not written for certain where they are read, and
        of which loops."""
        found: dict[str, set[tuple[str, str]]] = {f: set() for f in self.program.components}
        for i in self.program.instructions:
            found[i.function] |= {(ref, i.loops[q].name) for ref, q in i.unsure}
        for c in self.program.calls:
            found[c.function] |= {(ref, c.loops[q].name) for ref, q in c.unsure}
        return found

    def unsure(self) -> tuple[Unsure, ...]:
        """The variables that iterations would take from others, were they not written."""
        found = list[Unsure]()
        for context, number in sorted(self.ran):
            i = self.program.instructions[number]
            found += self._unsure(context, i, self.ran[context, number])
        for context, site in sorted(self.called):
            if site and self.program.calls[site - 1].unsure:
                call = self.program.calls[site - 1]
                found += self._unsure(context, call, self._call(context, call))
        return tuple(found)

    def _unsure(self, context: int, i: Placed, made: Instruction) -> Iterator[Unsure]:
        """What a read may find that is not written for certain before it."""
        for ref, q in sorted(i.unsure) if i.recorded else ():
            writes = []
            for w in self.written.get((context, i.function, ref), ()):
                same = _common(i.loops, w.loops)
                if same > q and (w.order < i.order or same > q + 1):
                    under = tuple(sorted(self.under(context, w.under)))
                    writes.append(RegisterWrite(w.span.line, w.order < i.order, under))
            if writes:
                yield Unsure(made, ref.split("_", 2)[2], i.loops[q].name, tuple(writes))

    @cached_property
    def written(self) -> Mapping[tuple[int, str, str], list[Placed]]:
        """What wrote a register, by its context and function."""
        found: dict[tuple[int, str, str], list[Placed]] = {}
        wrote: list[tuple[int, Placed]] = []
        wrote += ((c, self.program.instructions[n]) for c, n in sorted(self.ran))
        wrote += ((c, self.program.calls[site - 1]) for c, site in sorted(self.called) if site)
        for context, w in wrote:
            for ref in w.writes:
                found.setdefault((context, w.function, ref), []).append(w)
        return found

    def _call(self, context: int, call: CallPlace) -> Instruction:
        loops = (*self.prefix[context], *(x.name for x in call.loops))
        at, place = call.span, self.places[context]
        return Instruction("", "call", at.line, at.column, at.text, loops, call.function, place)

    def _calls(self, context: int, call: CallPlace, name: str) -> Iterator[Skipped]:
        """A call that did not lead to a function: what that and those that it calls read, or, where
        one of them does more, the call."""
        made = self._call(context, call)
        if call.callee is None:
            made = replace(made, text=name)
        inside = self._reachable(name)
        reads = [i for i in inside or () if i.kind == "load"]
        if inside is None or any(i.kind in ("store", "call") or i.state for i in inside):
            yield Skipped(made)
            return
        hands = self._hands(call)
        for base in sorted({i.base for i in reads}):
            yield Skipped(replace(made, kind="load"), base=base)
        if hands:
            yield Skipped(replace(made, kind="move"), hands)

    def _reachable(self, name: str) -> list[StaticInstruction] | None:
        """The instructions of a function and of all that it may call; None where one is of the
        library and does more than to compute."""
        calls = self.program.calls
        found = reached([name], lambda f: {g for c in calls if c.function == f for g in c.leads})
        for other in found - self.program.components.keys():
            known = library_call(other)
            if known is None or not known.pure:
                return None
        return [i for i in self.program.instructions if i.function in found]


def _unread(variable: str, by: Placed, own: Owned) -> Unread:
    mine = own.get(by.function, {})
    function = by.function if variable in mine else ""
    return Unread(variable, by.span.line, function, mine.get(variable, 0))


def _common(a: Sequence[SourceLoop], b: Sequence[SourceLoop]) -> int:
    """How many loops are around both."""
    pairs = zip(a, b, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].name == pair[1].name, pairs))
