"""The events of an instruction as C text: calls of the runtime (`runtime/trace.h`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from polynb.tracing.instrument import types
from polynb.tracing.instrument.parts import Body, Origin, StaticInstruction, TracedText
from polynb.tracing.instrument.places import base_of, cell_of
from polynb.tracing.instrument.types import Type
from polynb.tracing.records import InstructionKind


class Events:
    """Makes instructions of a function, and the text that reports their instances."""

    def __init__(self, program: TracedText, body: Body) -> None:
        self.program, self.body, self.names = program, body, program.names

    def load(self, node: Any, t: Type, address: str, operands: Sequence[Origin]) -> tuple[int, str]:
        """An instruction that reads `t` at the C pointer `address`, and its event."""
        n = self._instruction("load", node, ("address",), t, placed=len(operands), place=node)
        return n, f"pn_load(pn_s + {n}, {address}, sizeof *{address}, {len(operands)}); " + (
            self._from(n, operands)
        )

    def store(
        self, node: Any, t: Type, address: str, operands: Sequence[Origin], placed: int = 0
    ) -> str:
        """The event of an instruction that writes there; the first `placed` of the operands say
        where."""
        n = self._instruction("store", node, ("address",), t, placed=placed, place=node)
        return self._from(n, operands) + f"pn_store(pn_s + {n}, {address}, sizeof *{address}); "

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
        an operator may leave the instruction out, a temporary says whether it ran."""
        if not self.body.conditional:
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
        known = self.program.instructions[n]
        more = known.unsure | self.body.unsure(ref)
        self.program.instructions[n] = replace(known, unsure=more)

    def writes(self, n: int, ref: str) -> None:
        """What writes a register runs as often as instruction n."""
        known = self.program.instructions[n]
        self.program.instructions[n] = replace(known, writes=known.writes | {ref})
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
        program.instructions.append(
            StaticInstruction(
                n,
                kind,
                program.places.span(node),
                program.text_of(node),
                body.loops,
                body.name,
                outputs,
                types.size(t),
                body.statement,
                body.recorded,
                program.next_order(),
                state,
                types.kind(t),
                under=body.under(),
                placed=placed,
                arm=bool(body.arms),
                base=base_of(place, self.names),
                cell=() if found is None else (program.plain.visit(place), *found),
            )
        )
        return n
