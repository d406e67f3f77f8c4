"""What loops that ran would do on ways that a run did not take: in statements, in the arms of `?:`,
`&&` and `||`, and in the functions that they call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property

from polynb.tracing.instrument.parts import CallPlace, StaticInstruction, TracedText
from polynb.tracing.records import CallSite, Instruction, Skipped

ACCESSES = ("load", "store")


@dataclass(frozen=True, eq=False)
class Ways:
    """Finds it, beside what `ran` (instructions by their contexts and numbers, with their names)
    and was `called` (by contexts and places)."""

    program: TracedText
    ran: Mapping[tuple[int, int], str]
    called: Set[tuple[int, int]]
    prefix: Mapping[int, tuple[str, ...]]
    places: Mapping[int, tuple[CallSite, ...]]
    make: Callable[[int, int], Instruction]

    @cached_property
    def begun(self) -> Set[tuple[int, int, frozenset[tuple[int, int]]]]:
        """The statements, or parts of them under one condition, of which something ran."""
        static = self.program.instructions
        return {(c, static[n].statement, static[n].under) for c, n in self.ran}

    @cached_property
    def functions(self) -> Set[tuple[int, str]]:
        """Those that were entered, by their contexts."""
        found = {(c, self.program.instructions[n].function) for c, n in self.ran}
        return found | {(c, at[-1].function) for c, at in self.places.items() if at}

    def not_taken(self) -> tuple[Skipped, ...]:
        found = []
        for context, function in sorted(self.functions):
            prefix = self.prefix[context]
            mine = [i for i in self.program.instructions if i.function == function and i.recorded]
            for i in mine:
                if (prefix or i.loops) and self._left_out(context, i):
                    found.append(self._skipped(context, i, mine))
            for k, call in enumerate(self.program.calls, 1):
                inside = call.caller == function and call.recorded and (prefix or call.loops)
                if inside and (context, k) not in self.called and self._sure(context, call):
                    found += self._calls(context, call)
        return tuple(found)

    def _left_out(self, context: int, i: StaticInstruction) -> bool:
        """Whether an instruction did not run, and matters: parts of statements that ran did,
        unless they are in an arm, and but for stores of the library of which there was nothing."""
        if (context, i.number) in self.ran or not (i.kind in (*ACCESSES, "call") or i.hands):
            return False
        begun = (context, i.statement, i.under) in self.begun
        return i.kind == "store" or i.arm or not begun

    def _sure(self, context: int, call: CallPlace) -> bool:
        """Whether a call that is not in the trace was not made: a pointer may lead elsewhere."""
        begun = any((c, under) == (context, call.under) for c, _, under in self.begun)
        return call.callee is not None or call.arm or not begun

    def _skipped(
        self, context: int, i: StaticInstruction, mine: list[StaticInstruction]
    ) -> Skipped:
        same = [
            self.ran[context, x.number]
            for x in mine
            if i.cell and x.cell == i.cell and not x.arm and (context, x.number) in self.ran
            if x.loops == i.loops and x.under <= i.under
        ]
        recursive = self.program.components[i.function] in self.program.recursive
        hands = tuple(x.name for k, x in enumerate(i.loops) if k in i.hands)
        made = self.make(context, i.number)
        return Skipped(made, hands, () if recursive else tuple(same), i.base)

    def _calls(self, context: int, call: CallPlace) -> Iterator[Skipped]:
        """A call that was not made: what the functions that it would lead to read, or, where one
        of them does more, the call."""
        loops = (*self.prefix[context], *(x.name for x in call.loops))
        place = self.places[context]
        made = Instruction(
            "", "call", call.span.line, call.span.column, call.span.text, loops, call.caller, place
        )
        inside = self._reachable(call)
        reads = [i for i in inside or () if i.kind == "load"]
        if inside is None or any(i.kind in ("store", "call") or i.state for i in inside):
            yield Skipped(made)
            return
        hands = tuple(x.name for k, x in enumerate(call.loops) if k in call.hands)
        for base in sorted({i.base for i in reads}):
            yield Skipped(replace(made, kind="load"), base=base)
        if hands:
            yield Skipped(replace(made, kind="move"), hands)

    def _reachable(self, call: CallPlace) -> list[StaticInstruction] | None:
        """The instructions of all functions that a call would lead to; None where a pointer says
        which."""
        left, found = [call.callee], set[str]()
        while left:
            if (name := left.pop()) is None:
                return None
            if name not in found:
                found.add(name)
                left += [c.callee for c in self.program.calls if c.caller == name]
        return [i for i in self.program.instructions if i.function in found]
