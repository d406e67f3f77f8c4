"""Calls of the library: what they read and write is reported for them, as far as that is known."""

from __future__ import annotations

import re
from typing import Any

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.assigning import Assigning
from polynb.tracing.instrument.formats import printed_strings, scanned_places
from polynb.tracing.instrument.library import STATES, STREAMS, LibraryCall, Touched, library_call
from polynb.tracing.instrument.parts import Origin, Value
from polynb.tracing.instrument.types import Type


class LibraryCalls(Assigning):
    """What calls functions that the text does not define."""

    def library(self, e: Any, name: str, before: str, *, used: bool) -> Value:
        """A call by that name. Of a function that nothing is known of, that it was called is an
        instruction of its own; `before` is text that goes before the call."""
        arguments = list(e.args.exprs) if e.args is not None else []
        values = [self.value_of(a) for a in arguments]
        operands = Value("").also(*values)
        found = library_call(name)
        touched = None if found is None else _touched(found, arguments)
        if found is not None and found.pure:
            text = f"{name}({', '.join(v.text for v in values)})"
            return Value(f"({{ {before}{text}; }})" if before else text, operands, computes=used)
        text, names = "", []
        for a, v in zip(arguments, values, strict=True):
            names.append(v.text)
            if not isinstance(a, c_ast.Constant):
                names[-1] = self.fresh("a")
                text += f"__auto_type {names[-1]} = {v.text}; "
        called = f"{name}({', '.join(names)})"
        if found is None or touched is None:
            n, event = self.unknown(e, operands)
            operand, kept = self.result(n)
            return Value(f"({{ {text}{event}{kept}{before}{called}; }})", (operand,), computes=used)
        call = _Reported(self, e, found, touched, names, operands)
        events = call.around(before + called, used=used)
        return Value(f"({{ {text}{events}}})", call.operands, computes=used)


class _Reported:
    """The events of one call. `operands` become what its result is made from."""

    def __init__(
        self,
        inside: LibraryCalls,
        e: Any,
        call: LibraryCall,
        touched: tuple[Touched, ...],
        names: list[str],
        operands: tuple[Origin, ...],
    ) -> None:
        self.inside, self.e, self.call, self.names = inside, e, call, names
        self.touched, self.result = touched, inside.fresh("q")
        self.arguments = self.operands = operands

    def around(self, called: str, *, used: bool) -> str:
        """The call between its events: those that depend on its result come after it; so do the
        writes of one that calls back."""
        early = [t for t in self.touched if not t.late]
        late = [t for t in self.touched if t.late]
        if self.call.calls_back:
            return f"{self._events(early[:1])}{called}; {self._events(early[1:])}"
        state = self._state(used=used)
        given = self._given()
        # what is read counts before what is written, the state first
        events = state[0] + self._events([t for t in early if not t.writes])
        writes = [t for t in early if t.writes]
        if not (late or given):
            return f"{events}{state[1]}{self._events(writes)}{called}; "
        reads = [t for t in late if not t.writes]
        return (
            f"{events}__auto_type {self.result} = {called}; {self._events(reads)}{state[1]}{given}"
            f"{self._events([*writes, *(t for t in late if t.writes)])}{self.result}; "
        )

    def _filled(self, text: str) -> str:
        text = text.replace("$r", self.result)
        return re.sub(r"\$(\d+)", lambda m: self.names[int(m[1])], text)

    def _events(self, touched: list[Touched]) -> str:
        """The sizes first: what is written may change them."""
        text, events = "", ""
        for t in touched:
            inside, node = self.inside, self.e
            at, size = inside.fresh("m"), inside.fresh("n")
            start = self.result if t.argument is None else self.names[t.argument]
            if t.argument is not None:
                node = self.e.args.exprs[t.argument]
            text += f"char *{at} = (char *) {start} + ({self._filled(t.offset)}); "
            text += f"size_t {size} = {self._filled(t.size)}; "
            events += self._event(t.writes, node, self._element(node), at, size)
        return text + events

    def _event(self, writes: bool, node: Any, t: Type, at: str, size: str, state: str = "") -> str:
        inside, sure = self.inside, size.isdigit()
        if writes:
            event = inside.store_range(node, t, at, size, self.operands, state)
            return event if sure else f"if ({size}) {{ {event}}} "
        if not sure:
            return self._perhaps(node, t, at, size)
        n, event = inside.load_range(node, t, at, size, self.arguments, state)
        operand, kept = inside.result(n)
        self.operands = Value("", self.operands).also(Value("", (operand,)))
        return event + kept

    def _perhaps(self, node: Any, t: Type, at: str, size: str) -> str:
        """A read of some bytes, or of none: then nothing comes from it."""
        inside = self.inside
        inside.body.conditional += 1
        n, event = inside.load_range(node, t, at, size, self.arguments)
        operand, kept = inside.result(n)
        inside.body.conditional -= 1
        self.operands = Value("", self.operands).also(Value("", (operand,)))
        return f"if ({size}) {{ {event}{kept}}} "

    def _element(self, node: Any) -> Type:
        """What the bytes are, as far as the argument's type says."""
        return types.element(self.inside.type_of(node)) or types.CHAR

    def _state(self, *, used: bool) -> tuple[str, str]:
        """The library's state is memory that is read and written; where its result is `used`, that
        is read from what was written."""
        state = self.call.state
        if state is None:
            return "", ""
        called, at = self.e.name.name, self._filled(state)
        if state in STATES or state in STREAMS:
            at = state_address(state)
            self.inside.program.states[state] = None
        kept = state in STATES and state != "files"
        told = f"the state of {called}" if kept else f"the order of {called}"
        read = self._event(False, self.e, types.LONG, at, "8", told)
        written = self._event(True, self.e, types.LONG, at, "8", told)
        if used:
            self.operands = self.arguments
            written += self._event(False, self.e, types.LONG, at, "8", told)
        return read, written

    def _given(self) -> str:
        """Memory that the library gives has a name from now on, and nobody wrote it."""
        if self.call.gives is None:
            return ""
        at, size = (self._filled(x) for x in self.call.gives)
        program, place = self.inside.program, self.inside.program.places.span(self.e)
        owners = self.inside.body.owners
        owner = owners.get(id(self.e), f"{self.e.name.name} of line {place.line}")
        number = program.block(owner, place.line, 1)
        given = f"pn_given({number}, {at}, {size}); "
        if not self.call.copies:
            return given
        return given + self._event(True, self.e, types.CHAR, at, size)


def state_address(state: str) -> str:
    """Where the runtime keeps it."""
    if state in STREAMS:
        return f"pn_files[{STREAMS.index(state)}]"
    return f"&pn_states[{STATES.index(state)}]"


def _touched(call: LibraryCall, arguments: list[Any]) -> tuple[Touched, ...] | None:
    """What a call touches, by its format too; None where that is not known. What a string between
    quotes holds, nobody wrote."""
    found = list(call.touched)
    for form, places in ((call.printed, printed_strings), (call.scanned, scanned_places)):
        if form is None:
            continue
        text = _literal(arguments[form]) if form < len(arguments) else None
        parts = None if text is None else places(text, form + 1)
        if parts is None:
            return None
        found += parts
    if any(t.argument is not None and t.argument >= len(arguments) for t in found):
        return None
    return tuple(t for t in found if t.argument is None or _literal(arguments[t.argument]) is None)


def _literal(e: Any) -> str | None:
    return e.value if isinstance(e, c_ast.Constant) and e.type == "string" else None
