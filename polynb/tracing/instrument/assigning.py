"""Assignments, `x += y`, `x++` and initial values: who computed it, and where it was stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.events import Events
from polynb.tracing.instrument.parts import Origin, Value
from polynb.tracing.instrument.types import Type


@dataclass(frozen=True, eq=False)
class _Read:
    """A place that was read to be written again: the `text` that did it, its `pointer`, what it is
    called then (`target`), the C `kind` of its value, where its value came from, and what its
    address was `found` with."""

    place: Any
    type: Type
    text: str
    pointer: str
    target: str
    kind: str
    operand: Origin
    found: tuple[Origin, ...]


class Assigning(Events):
    """What stores values, in registers (variables whose address is never taken) and in memory."""

    def assign(self, e: Any, op: str, place: Any, right: Any) -> Value:
        """`place = right`, or with an operator (`+=`). Its value is what was stored."""
        ref, t = self.register(place), self.type_of(place)
        if op != "=":
            return self._update(e, op.removesuffix("="), place, right)
        self.own(right, self.program.text_of(place))
        if ref is None:
            return self._store(e, place, right, t)
        made = len(self.program.instructions), len(self.program.calls)
        value = self.value_of(right)
        name = self.plain(place)
        event, source = self.produced(e, t, name, value)
        self._wrote(ref, *made)
        text = f"({{ {name} = {value.text}; {event}{self.keep(ref, source)}{name}; }})"
        return Value(text, (Origin(ref=ref),), source=source)

    def _wrote(self, ref: str, instructions: int, calls: int) -> None:
        """A register is written by the last of what was made since there were so many."""
        program = self.program
        if len(program.instructions) > instructions:
            self.writes(len(program.instructions) - 1, ref)
        elif len(program.calls) > calls:
            made = program.calls[-1]
            program.calls[-1] = replace(made, writes=made.writes | {ref})
        self.wrote(ref)

    def own(self, value: Any, name: str) -> None:
        """Memory that is allocated here is called by what it is assigned to."""
        while isinstance(value, c_ast.Cast):
            value = value.expr
        if isinstance(value, c_ast.FuncCall):
            self.body.owners[id(value)] = name

    def produced(
        self, e: Any, t: Type, name: str, value: Value, *, memory: bool = False
    ) -> tuple[str, Origin | None]:
        """The event of what computes (or moves) a value that is now called `name`, and where the
        value comes from then. What is loaded or returned comes from there; in memory, a copy needs
        no instruction but the store."""
        if not value.computes and (value.source is not None or memory):
            return "", value.source
        n, event = self.value(e, t, name, value.operands, move=not value.computes)
        operand, kept = self.result(n)
        return event + kept, operand

    def initialised(self, node: Any, ref: str, t: Type, init: Any) -> str:
        """The initial value of a register: `double x = ...`."""
        self.own(init, node.name)
        value, q = self.value_of(init), self.fresh("q")
        event, source = self.produced(node, t, q, value)
        if not event and source is None:
            return value.text
        kept = self.keep(ref, source)
        return self.whole(
            Value(f"({{ __typeof__({node.name}) {q} = {value.text}; {event}{kept}{q}; }})")
        )

    def _store(self, e: Any, place: Any, right: Any, t: Type) -> Value:
        bits = self.is_bit_field(place)
        address = self.record_of(place) if bits else self.address(place)
        value = self.value_of(right)
        p, q = self.fresh("p"), self.fresh("q")
        target = f"{p}->{place.field.name}" if bits else f"*{p}"
        event, source = self.produced(e, t, q, value, memory=True)
        operands = Value("", address.operands).also(
            Value("", (source,) if source is not None else value.operands)
        )
        if bits:  # whose neighbours in the record stay what they were
            n, read = self.load(place, types.INT, p, address.operands)
            around, kept = self.result(n)
            event, operands = event + read + kept, (*operands, around)
        event += self.store(place, types.INT if bits else t, p, operands, len(address.operands))
        kind = f"__typeof__(+{target})" if bits else f"__typeof__({target})"
        pointer = f"__auto_type {p} = {address.text}"
        text = f"({{ {pointer}; {kind} {q} = {value.text}; {event}{target} = {q}; {q}; }})"
        if bits:  # which hold fewer than the value has
            text = f"({{ {pointer}; {kind} {q} = ({target} = {value.text}); {event}{q}; }})"
        made = (source,) if source is not None else value.operands  # `p = m = &x[k]` is of k
        return Value(text, made, source=source)

    def _update(self, e: Any, op: str, place: Any, rhs: Any) -> Value:
        ref, t, q = self.register(place), self.type_of(place), self.fresh("q")
        if ref is not None:
            name, right = self.plain(place), self.value_of(rhs)
            n, event = self.value(e, t, name, Value("", (Origin(ref=ref),)).also(right))
            self.writes(n, ref)
            operand, kept = self.result(n)
            text = (
                f"({{ __auto_type {q} = {right.text}; {name} {op}= {q}; {event}{kept}"
                f"{self.keep(ref, operand)}{name}; }})"
            )
            return Value(text, (operand,), source=operand)
        old = self._read(place, t)
        right = self.value_of(rhs)
        n, event = self.value(e, t, q, Value("", (old.operand,)).also(right))
        operand, kept = self.result(n)
        event += kept + self._written(old, operand)
        text = (
            f"({{ {old.text} __auto_type {q}r = {right.text}; {old.kind} {q} = {old.target}; "
            f"{q} {op}= {q}r; {event}{old.target} = {q}; {q}; }})"
        )
        if self.is_bit_field(place):
            changed = f"{old.kind} {q} = ({old.target} {op}= {q}r)"
            text = f"({{ {old.text} __auto_type {q}r = {right.text}; {changed}; {event}{q}; }})"
        return Value(text, (operand,), source=operand)

    def step(self, e: Any, op: str, place: Any, *, after: bool, used: bool) -> Value:
        """`x++` and its kin: an integer result, which is x after it."""
        ref, t, q = self.register(place), self.type_of(place), self.fresh("q")
        if ref is None:
            old = self._read(place, t)
            n, event = self.value(e, t, old.target, (old.operand,))
            operand, kept = self.result(n)
            event += kept + self._written(old, operand)
            text = f"({{ {old.text} {old.kind} {q} = {old.target}; {old.target} {op}= 1; {event}"
            if after:
                return Value(f"{text}{q}; }})", (old.operand,), source=old.operand)
            return Value(f"{text}{old.target}; }})", (operand,), source=operand)
        name = self.plain(place)
        n, event = self.value(e, t, name, (Origin(ref=ref),))
        self.writes(n, ref)
        operand, kept = self.result(n)
        text = f"{name} {op}= 1; {event}{kept}{self.keep(ref, operand)}"
        if not (after and used):
            return Value(f"({{ {text}{name}; }})", (operand,), source=operand)
        before = self.temporary()
        text = f"({{ __auto_type {q} = {name}; {before} = {ref}; {text}{q}; }})"
        return Value(text, (Origin(ref=before),))

    def _read(self, place: Any, t: Type) -> _Read:
        """What finds a place in memory and reads it, before it is written again."""
        bits = self.is_bit_field(place)
        t = types.INT if bits else t
        address = self.record_of(place) if bits else self.address(place)
        p = self.fresh("p")
        n, event = self.load(place, t, p, address.operands)
        operand, kept = self.result(n)
        target = f"{p}->{place.field.name}" if bits else f"*{p}"
        text = f"__auto_type {p} = {address.text}; {event}{kept}"
        kind = f"__typeof__(+{target})" if bits else "__auto_type"
        return _Read(place, t, text, p, target, kind, operand, address.operands)

    def _written(self, old: _Read, operand: Origin) -> str:
        operands = Value("", old.found).also(Value("", (operand,)))
        return self.store(old.place, old.type, old.pointer, operands, len(old.found))

    # What the other parts of `TracedExpressions` do.

    def whole(self, value: Value) -> str:
        raise NotImplementedError

    def address(self, place: Any) -> Value:
        raise NotImplementedError

    def register(self, place: Any) -> str | None:
        raise NotImplementedError

    def is_bit_field(self, e: Any) -> bool:
        raise NotImplementedError

    def record_of(self, e: Any) -> Value:
        raise NotImplementedError
