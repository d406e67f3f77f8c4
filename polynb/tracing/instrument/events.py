"""The events of instructions and conditions as C text: calls of the runtime (`runtime/trace.h`).

The paper has no instructions for conditions, since no value of theirs is stored. But what decides
whether something runs orders it as much as what it reads: `if (found) break;`, a state that a
`switch` asks for. So each is an event of its own kind, kept apart from the paper's instructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from polynb.errors import Span
from polynb.tracing.instrument import types
from polynb.tracing.instrument.parts import (
    Body,
    Deciding,
    Origin,
    StaticInstruction,
    TracedText,
    Value,
)
from polynb.tracing.instrument.places import base_of, cell_of
from polynb.tracing.instrument.reading import walk
from polynb.tracing.instrument.states import VOLATILE, state_memory
from polynb.tracing.instrument.types import Type
from polynb.tracing.library import library_call
from polynb.tracing.records import InstructionKind


class Events:
    """Makes instructions of a function, and the text that reports their instances."""

    count = 0

    def __init__(self, program: TracedText, body: Body) -> None:
        self.program, self.body, self.names = program, body, program.names

    def load(self, node: Any, t: Type, address: str, operands: Sequence[Origin]) -> tuple[int, str]:
        """An instruction that reads `t` at the C pointer `address`, and its event."""
        n = self._instruction("load", node, ("address",), t, placed=len(operands), place=node)
        told = "pn_load" if types.has_size(t) else "pn_load_range"
        event = f"{told}(pn_s + {n}, {address}, sizeof *{address}, {len(operands)}); "
        return n, self._ordered(node) + event + self._from(n, operands)

    def store(
        self, node: Any, t: Type, address: str, operands: Sequence[Origin], placed: int = 0
    ) -> str:
        """The event of an instruction that writes there; the first `placed` of the operands say
        where."""
        n = self._instruction("store", node, ("address",), t, placed=placed, place=node)
        told = "pn_store" if types.has_size(t) else "pn_store_range"
        event = f"{told}(pn_s + {n}, {address}, sizeof *{address}); "
        return self._ordered(node) + self._from(n, operands) + event

    def _ordered(self, place: Any) -> str:
        """What keeps volatile accesses in order, as it does what the library writes."""
        if not self.names.is_volatile(place):
            return ""
        told, at = "the order of volatile accesses", state_memory(VOLATILE)[0]
        self.program.states[VOLATILE] = None
        _, read = self.load_range(place, types.LONG, at, "8", (), told)
        return read + self.store_range(place, types.LONG, at, "8", (), told)

    def load_range(
        self, node: Any, t: Type, at: str, size: str, operands: Sequence[Origin], state: str = ""
    ) -> tuple[int, str]:
        """An instruction that reads `size` bytes of elements `t` (of the library's `state`)."""
        n = self._instruction("load", node, ("address",), t, state)
        event = f"pn_load_range(pn_s + {n}, {at}, {size}, {len(operands)}); "
        return n, event + self._from(n, operands)

    def store_range(
        self, node: Any, t: Type, at: str, size: str, operands: Sequence[Origin], state: str = ""
    ) -> str:
        """The event of one that writes them."""
        n = self._instruction("store", node, ("address",), t, state)
        return self._from(n, operands) + f"pn_store_range(pn_s + {n}, {at}, {size}); "

    def unknown(self, node: Any, operands: Sequence[Origin]) -> tuple[int, str]:
        """A call of which nothing is known but that it was made, and its event."""
        n = self._instruction("call", node, (), None)
        return n, self._from(n, operands) + f"pn_compute(pn_s + {n}); "

    def value(
        self, node: Any, t: Type, value: str, operands: Sequence[Origin], *, move: bool = False
    ) -> tuple[int, str]:
        """An instruction that computes (or only moves) a value of type `t`, and its event."""
        real = types.is_float(t) or types.is_record(t)
        kind: InstructionKind = "move" if move else "float" if real else "integer"
        n = self._instruction(kind, node, () if real else ("value",), t)
        label = "pn_compute" if real else "pn_value"
        rest = "" if real else f", (int64_t) ({value})"
        return n, self._from(n, operands) + f"{label}(pn_s + {n}{rest}); "

    def result(self, n: int) -> tuple[Origin, str]:
        """What later operands call the result of instruction n, and the text that keeps it: where
        an operator may leave the instruction out, a temporary says whether it ran; where a call
        beside may count the vector up, which it was."""
        again = self.program.components[self.body.name] in self.program.recursive
        counted = self.body.calls and again
        if not (self.body.conditional or counted):
            return Origin(number=n), ""
        temporary = self.temporary()
        return Origin(ref=temporary), f"pn_set(&{temporary}, pn_s + {n}); "

    def temporary(self) -> str:
        """A C variable that holds where a value came from, until the end of the expression."""
        name = self.body.new_ref("t")
        self.body.resets.append(name)
        return name

    def keep(self, ref: str, source: Origin | None) -> str:
        """The text that notes where the register `ref` belongs to got its value from."""
        if source is None:
            return f"{ref}.w = 0; "
        if source.number is not None:
            return f"pn_set(&{ref}, pn_s + {source.number}); "
        return f"{ref} = {source.ref}; "

    def reads(self, n: int, ref: str | None) -> None:
        """Instruction n reads a register."""
        more = self.program.instructions[n].unsure | self.body.unsure(ref)
        self.program.change(n, unsure=more)

    def writes(self, n: int, ref: str) -> None:
        """What writes a register runs as often as instruction n."""
        self.program.change(n, writes=self.program.instructions[n].writes | {ref})
        self.wrote(ref)

    def wrote(self, ref: str) -> None:
        """From here on a register has been written in this iteration."""
        self.body.certain = self.body.certain.also(ref, len(self.body.loops))

    def _from(self, n: int, operands: Sequence[Origin]) -> str:
        parts = []
        for o in operands:
            self.reads(n, o.ref)
        for slot, o in enumerate(operands):
            if o.number is not None:
                parts.append(f"pn_same(pn_s + {n}, {slot}, pn_s + {o.number}); ")
            else:
                parts.append(f"pn_from(pn_s + {n}, {slot}, &{o.ref}); ")
        return "".join(parts)

    def _instruction(
        self,
        kind: InstructionKind,
        node: Any,
        outputs: tuple[str, ...],
        t: Type,
        state: str = "",
        placed: int = 0,
        place: Any = None,
    ) -> int:
        program, body = self.program, self.body
        n = len(program.instructions)
        if kind in ("load", "store"):
            program.units.add(types.size(t))
        written = body.loops[-1].written if body.loops else body.written
        found = cell_of(place, self.names, written)
        made = StaticInstruction(
            **self.here(program.places.span(node)),
            number=n,
            kind=kind,
            text=program.text_of(node),
            outputs=outputs,
            size=types.size(t),
            statement=body.statement,
            state=state,
            element=types.kind(t),
            cut=kind == "integer" and self._cut(node, t),
            gives=kind in ("integer", "move") and any(map(_gives_memory, walk(node))),
            placed=placed,
            base=base_of(place, self.names),
            cell=() if found is None else (program.plain.visit(place), *found),
        )
        program.instructions.append(made)
        return n

    def here(self, span: Span) -> dict[str, Any]:
        """What is `Placed` where the text is."""
        body = self.body
        return {
            "span": span,
            "function": body.name,
            "loops": body.loops,
            "recorded": body.recorded,
            "order": self.program.next_order(),
            "under": body.under(),
            "arm": bool(body.arms),
        }

    # -- conditions: what branches and loops ask, and which loops they may end ------------------

    def condition(self, node: Any, operands: Sequence[Origin]) -> tuple[int | None, str]:
        """A condition that asks for these values, and its event; None where there are none."""
        if not operands:
            return None, ""
        n = self._instruction("condition", node, (), None)
        return n, self._from(n, operands) + f"pn_compute(pn_s + {n}); "

    def decides(self, n: int | None, loops: range, *, ends: bool = False) -> None:
        """Condition n decides whether these loops around it (by their places) go on."""
        if n is not None:
            known = self.program.instructions[n]
            self.program.change(n, leaves=known.leaves | {*loops}, ends=known.ends or ends)

    def left(self, depth: int, *, ends: bool = False) -> None:
        """Here all loops but the `depth` outermost are left: all conditions around, and those by
        which it may have been skipped, within the outermost loop that is left, decide on that."""
        for a in (*self.body.asked, *self.body.skips):
            if ends or a.depth > depth:
                self.decides(a.number, range(depth, a.depth), ends=ends)

    def broken(self) -> None:
        """A `break`: out of a switch, or of the innermost loop."""
        around = next((a for a in reversed(self.body.asked) if a.kind != "if"), None)
        if around is not None and around.kind == "loop":
            self.left(around.depth - 1)
        else:
            self.skipped(len(self.body.loops))

    def skipped(self, depth: int) -> None:
        """After a jump to within `depth` loops, what follows there runs as the conditions around
        the jump say."""
        for a in self.body.asked:
            lands = replace(a, kind="if", depth=depth) if depth < a.depth else a
            if lands not in self.body.skips:
                self.body.skips.append(lands)

    def governed(self, n: int | None, level: int, instructions: int, calls: int) -> None:
        """Of what was written since there were so many instructions and calls: the loop whose place
        is `level` ends where its conditions say, and where n does."""
        program = self.program
        known = enumerate(program.instructions[instructions:], instructions)
        deciding = [k for k, i in known if level in i.leaves] + [n] * (n is not None)
        more = frozenset((k, level) for k in deciding if k is not None)
        for k, i in enumerate(program.instructions[instructions:], instructions):
            program.change(k, under=i.under | more)
        for k, c in enumerate(program.calls[calls:], calls):
            program.calls[k] = replace(c, under=c.under | more)

    @contextmanager
    def under(self, asked: Deciding) -> Iterator[None]:
        """`with self.under(...)`: what is written inside runs as the condition says."""
        self.body.asked.append(asked)
        yield
        self.body.asked.pop()

    # -- text ----------------------------------------------------------------------------------

    def plain(self, node: Any) -> str:
        """A node as it is, without events."""
        text: str = self.program.plain.visit(node)
        return text

    def fresh(self, hint: str) -> str:
        """A name that no other variable of the function has."""
        self.count += 1
        return f"pn_{hint}{self.count}"

    def type_of(self, e: Any) -> Type:
        return self.names.type_of(e)

    def _cut(self, node: Any, t: Type) -> bool:
        """Whether an assignment to a place of type `t` keeps less than what is computed: a float's
        whole part, or that it is not zero."""
        if not isinstance(node, c_ast.Assignment):
            return False
        truth = isinstance(t, c_ast.IdentifierType) and t.names == ["_Bool"]
        adds = node.op in ("+=", "-=", "*=")
        return (truth and adds) or types.is_float(self.type_of(node.rvalue))

    def value_of(self, e: Any, *, used: bool = True) -> Value:
        """What `TracedExpressions` does."""
        raise NotImplementedError


def _gives_memory(x: Any) -> bool:
    called = isinstance(x, c_ast.FuncCall) and isinstance(x.name, c_ast.ID)
    known = library_call(x.name.name) if called else None
    return known is not None and bool(known.gives or known.block)
