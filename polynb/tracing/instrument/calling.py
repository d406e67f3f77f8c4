"""Calls: of functions of the text, whose arguments' origins go with them, and of the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.libraries import LibraryCalls
from polynb.tracing.instrument.parts import CallPlace, Deciding, Origin, Value
from polynb.tracing.library import library_call

ARGUMENTS: Final = 16
"""Arguments whose origins are passed on; further ones come from nowhere."""


class Calling(LibraryCalls):
    """What calls functions."""

    def call(self, e: Any, *, used: bool) -> Value:
        """A call's value. A function of the text says itself where its value comes from; what the
        library gives is computed there."""
        name = e.name.name if isinstance(e.name, c_ast.ID) else None
        symbol = None if name is None else self.names.find(name)
        arguments = list(e.args.exprs) if e.args is not None else []
        if name in self.program.components and symbol is not None and symbol.kind == "function":
            return self._traced(e, name, Value(str(name)), arguments)
        if name is None or (symbol is not None and symbol.kind == "variable"):
            return self._by_pointer(e, arguments)
        known = library_call(name)
        if known is not None and known.refused:
            raise self.program.refuse(
                f"{name} cannot be traced",
                e,
                f"a trace follows one thread from call to call, and this makes {known.refused}",
                "a part of the program without it",
            )
        if name in ("va_start", "va_copy", "va_arg"):
            return self.unnamed(e, name)
        before = self._callback(e, arguments)
        if known is not None and known.ends:
            self.left(0, ends=True)
        if known is None or not known.block:
            return self.library(e, name, before, used=used)
        values = [self.value_of(a) for a in arguments]
        if not used:  # `free(p)`, of which only the event of p is left
            values = [self._told(a, v) for a, v in zip(arguments, values, strict=True)]
        place = self.program.places.span(e)
        owner = self.body.owners.get(id(e), f"{name} of line {place.line}")
        block = self.program.block(owner, place.line, 1, given=True)
        texts = [str(block), *(v.text for v in values)]
        return Value(f"{known.by}({', '.join(texts)})", Value("").also(*values), computes=used)

    def _told(self, a: Any, v: Value) -> Value:
        """An argument whose origins nobody asks for."""
        q = self.fresh("q")
        event, _ = self.handed(a, self.type_of(a), q, v, anew=True)
        return Value(f"({{ __auto_type {q} = {v.text}; {event}{q}; }})") if event else v

    def _by_pointer(self, e: Any, arguments: list[Any]) -> Value:
        """A call of what an expression says: where it may be several functions, which one is asked
        like a condition."""
        callee, n = self.value_of(e.name), None
        if len(self.program.pointed.by(e.name)) > 1:
            n, event = self.condition(e.name, callee.operands)
            chosen = self.fresh("q")
            text = f"({{ __auto_type {chosen} = {callee.text}; {event}{chosen}; }})"
            callee = replace(callee, text=text)
        return self._traced(e, None, callee, arguments, n)

    def _callback(self, e: Any, arguments: list[Any]) -> str:
        """Where the library is given a function of the text, it will be called from here."""
        given = frozenset(name for a in arguments for name in self._given(a))
        if not given:
            return ""
        unsure = self.unknown(e, ())[1] if len(given) > 1 else ""  # which one, may be data's choice
        return f"{unsure}pn_callback = {self._place(e, None, given)}; "

    def _given(self, a: Any) -> frozenset[str]:
        """The functions of the text that an argument may be."""
        found, t = self.program.pointed.named(a), self.type_of(a)
        if found is None and types.is_function(types.element(t)):
            found = self.program.pointed.by(a)
        return (found or frozenset()) & self.program.components.keys()

    def _place(
        self, e: Any, callee: str | None, leads: frozenset[str], chosen: int | None = None
    ) -> int:
        """The number of a call, from 1; a condition may have chosen what is called."""
        with self.under(Deciding("if", chosen, len(self.body.loops))):
            here = self.here(self.program.places.span(e))
        self.program.calls.append(CallPlace(**here, callee=callee, leads=leads))
        return len(self.program.calls)

    def _traced(
        self,
        e: Any,
        name: str | None,
        callee: Value,
        arguments: list[Any],
        chosen: int | None = None,
    ) -> Value:
        if name in self.program.ending or (name is None and None in self.program.ending):
            self.left(0, ends=True)
        leads = self.program.pointed.by(e.name) if name is None else frozenset((name,))
        number = self._place(e, name, leads, chosen)
        text, passed, function = "", "", callee.text
        if name is None:  # before the call's own place is said: it may call, too
            function = self.fresh("f")
            text = f"__auto_type {function} = {callee.text}; "
        variables, asked = list[str](), [*callee.operands]
        for k, a in enumerate(arguments):
            value, variable = self.value_of(a), self.fresh("a")
            asked += value.operands
            text += f"__auto_type {variable} = {value.text}; "
            t = self.type_of(a)
            event, source = self.handed(a, t, variable, value, anew=k >= ARGUMENTS)
            text += event
            variables.append(variable)
            if k < ARGUMENTS:
                passed += self.keep(f"pn_arguments[{k}]", source)
        if name is None or self.program.names.is_variadic(name):
            rest = range(len(arguments), ARGUMENTS)
            passed += "".join(f"pn_arguments[{k}].w = 0; " for k in rest)
        text += f"{passed}pn_site = {number}; "
        calls = self.program.calls
        calls[number - 1] = replace(
            calls[number - 1],
            order=self.program.next_order(),
            unsure=frozenset().union(*(self.body.unsure(o.ref) for o in asked)),
        )
        called = f"{function}({', '.join(variables)})"
        after = self._untraced(e, number, asked) if name is None else ""
        if types.is_void(self.names.result(e.name)):
            return Value(f"({{ {text}{called}; {after}pn_site = 0; }})")
        result, ref = self.fresh("c"), self.temporary()
        text += f"__auto_type {result} = {called}; {after}pn_site = 0; {ref} = pn_result; "
        operand = Origin(ref=ref)
        return Value(f"({{ {text}{result}; }})", (operand,), source=operand)

    def handed(
        self, node: Any, t: Any, name: str, value: Value, *, anew: bool = False
    ) -> tuple[str, Origin | None]:
        """The event of what hands a value on, and where it comes from then: an instruction of its
        own where it is computed, or made of several (`&p[k]`), or where nobody takes it on."""
        several = value.source is None and len(value.operands) > 1
        if not (value.computes or several or (anew and value.operands)):
            return "", value.source or next(iter(value.operands), None)
        n, event = self.value(node, t, name, value.operands, move=not value.computes)
        source, kept = self.result(n)
        return event + kept, source

    def _untraced(self, e: Any, number: int, asked: Sequence[Origin]) -> str:
        """A pointer may be one to a function of the library: then no traced one took the call; and
        what it gives is made of what it was `asked` with."""
        if self.program.lent:
            n, event = self.unknown(e, asked)
        elif self.program.lent_pure and not types.is_void(self.names.result(e.name)):
            n, event = self.value(e, types.DOUBLE, "0", asked)  # of any type
        else:
            return ""
        return f"if (pn_site == {number}) {{ {event}pn_set(&pn_result, pn_s + {n}); }} "
