"""Calls of the library: what they read and write is reported for them, as far as that is known."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.events import Events
from polynb.tracing.instrument.formats import printed_strings, scanned_places
from polynb.tracing.instrument.parts import Origin, Value
from polynb.tracing.instrument.states import ERRNO, state_memory
from polynb.tracing.instrument.types import Type
from polynb.tracing.library import ORDERED, STREAMS, LibraryCall, Touched, library_call


class LibraryCalls(Events):
    """What calls functions that the text does not define."""

    def library(self, e: Any, name: str, before: str, *, used: bool) -> Value:
        """A call by that name. Of a function that nothing is known of, that it was called is an
        instruction of its own; `before` is text that goes before the call."""
        arguments = list(e.args.exprs) if e.args is not None else []
        values = [self.value_of(a) for a in arguments]
        operands = Value("").also(*values)
        found = self._known(name)
        touched = None if found is None else _touched(found, arguments)
        callee = (found.by if found is not None else "") or name
        if found is not None and found.pure:
            text = f"{callee}({', '.join(v.text for v in values)})"
            return Value(f"({{ {before}{text}; }})" if before else text, operands, computes=used)
        text, names = "", []
        for a, v in zip(arguments, values, strict=True):
            names.append(v.text)
            if not isinstance(a, c_ast.Constant):
                names[-1] = self.fresh("a")
                text += f"__auto_type {names[-1]} = {v.text}; "
        called = f"{callee}({', '.join(names)})"
        if found is None or touched is None:
            n, event = self.unknown(e, operands)
            operand, kept = self.result(n)
            return Value(f"({{ {text}{event}{kept}{before}{called}; }})", (operand,), computes=used)
        call = _Reported(self, e, found, touched, names, operands)
        events = call.around(before + called, used=used)
        return Value(f"({{ {text}{events}}})", call.operands, computes=used)

    def unnamed(self, e: Any, name: str) -> Value:
        """`va_start`, `va_copy` and `va_arg`: a list of unnamed arguments is memory, written with
        what they were made from, and read, and set to the next, by each `va_arg`."""
        first, second = e.args.exprs
        at, size = self.fresh("m"), "sizeof(va_list)"
        text = f"char *{at} = pn_list({self.plain(first)}); "
        if name == "va_arg":
            n, event = self.load_range(e, types.LONG, at, size, ())
            operand, kept = self.result(n)
            event += kept + self.store_range(e, types.LONG, at, size, (operand,))
            called = f"va_arg({self.plain(first)}, {self.plain(second.to_type)})"
            return Value(f"({{ {text}{event}{called}; }})", (operand,), source=operand)
        called = f"{name}({self.plain(first)}, {self.plain(second)}); "
        if name == "va_start":
            event = self.store_range(e, types.LONG, at, size, self.body.unnamed)
        else:
            n, event = self.load_range(e, types.LONG, f"pn_list({self.plain(second)})", size, ())
            operand, kept = self.result(n)
            event += kept + self.store_range(e, types.LONG, at, size, (operand,))
        return Value(f"({{ {text}{called}{event}}})")

    def _known(self, name: str) -> LibraryCall | None:
        """What a call does; where the text asks for `errno`, one that may set it goes on with it:
        what it does not change stays."""
        found = library_call(name)
        if found is not None and found.sets and self.names.find(found.sets):
            return None
        if found is None or not (found.errs and self.names.find(ERRNO)):
            return found
        return replace(found, state=ERRNO)


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
            if t.writes and not self._whole(t.size, types.size(self._element(node))):
                inside.program.units.add(1)
            events += self._event(t.writes, node, self._element(node), at, size)
        return text + events

    def _whole(self, size: str, element: int) -> bool:
        """Whether so many bytes are whole elements, as far as the text says: `n * sizeof *p`."""
        given = [self.e.args.exprs[int(k)] for k in re.findall(r"\$(\d+)", size)]
        return any(_is_multiple(e, element) for e in given) if given else "$r" not in size

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
        called, memory, size = self.e.name.name, self._filled(state), 8
        if "$" not in state:
            memory, size = state_memory(state)
            self.inside.program.states[state] = None
        seen = "$" in state or state in (*STREAMS, *ORDERED)
        told = f"the order of {called}" if seen else f"the state of {called}"
        at = self.inside.fresh("m")
        read = f"const void *{at} = {memory}; "
        read += self._event(False, self.e, types.LONG, at, str(size), told)
        if self.call.asks:
            return read, ""
        written = self._event(True, self.e, types.LONG, at, str(size), told)
        if used:
            self.operands = self.arguments
            written += self._event(False, self.e, types.LONG, at, str(size), told)
        return read, written

    def _given(self) -> str:
        """Memory that the library gives has a name from now on, and nobody wrote it."""
        if self.call.gives is None:
            return ""
        at, size = (self._filled(x) for x in self.call.gives)
        program, place = self.inside.program, self.inside.program.places.span(self.e)
        owners = self.inside.body.owners
        owner = owners.get(id(self.e), f"{self.e.name.name} of line {place.line}")
        number = program.block(owner, place.line, 1, given=True)
        given = f"pn_given({number}, {at}, {size}); "
        if not self.call.copies:
            return given
        return given + self._event(True, self.e, types.CHAR, at, size)


def _is_multiple(e: Any, element: int) -> bool:
    """Whether a factor of a size is one of elements, or a number of bytes that are such."""
    match e:
        case c_ast.BinaryOp(op="*", left=a, right=b):
            return _is_multiple(a, element) or _is_multiple(b, element)
        case c_ast.Cast(expr=x):
            return _is_multiple(x, element)
        case c_ast.UnaryOp(op="sizeof"):
            return True
        case c_ast.Constant(type=t, value=v) if t.endswith("int"):
            digits = v.rstrip("uUlL")
            return int(digits, 8 if re.fullmatch("0[0-7]+", digits) else 0) % element == 0
    return False


def _touched(call: LibraryCall, arguments: list[Any]) -> tuple[Touched, ...] | None:
    """What a call touches, by its format too; None where that is not known. What a string between
    quotes holds, nobody wrote; to where nothing is pointed to, nobody writes."""
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
    given = {k: a for k, a in enumerate(arguments) if _literal(a) is None}
    apart = {k for k in given if not _is_null(given[k])}
    return tuple(
        t for t in found if t.argument is None or t.argument in (apart if t.writes else given)
    )


def _is_null(e: Any) -> bool:
    while isinstance(e, c_ast.Cast):
        e = e.expr
    return (isinstance(e, c_ast.Constant) and e.value == "0") or getattr(e, "name", "") == "NULL"


def _literal(e: Any) -> str | None:
    return e.value if isinstance(e, c_ast.Constant) and e.type == "string" else None
