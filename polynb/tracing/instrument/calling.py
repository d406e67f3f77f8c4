"""Calls: of functions of the text, whose arguments' origins go with them, and of the library."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.assigning import Assigning
from polynb.tracing.instrument.parts import CallPlace, Origin, Value, is_name
from polynb.tracing.instrument.types import Type

ARGUMENTS: Final = 16
"""Arguments whose origins are passed on; further ones come from nowhere."""

ALLOCATING: Final = ("malloc", "calloc", "realloc", "free")
MOVING: Final = ("memcpy", "memmove", "memset")
"""What the runtime does in their stead: it names the block, and says who wrote its bytes last."""

ENDING: Final = ("exit", "_exit", "_Exit", "quick_exit")

REFUSED: Final = {
    **dict.fromkeys(("setjmp", "longjmp", "_setjmp", "sigsetjmp", "siglongjmp"), "jumps"),
    **dict.fromkeys(("fork", "vfork"), "a second process"),
    **dict.fromkeys(("pthread_create", "thrd_create"), "threads"),
}


class Calling(Assigning):
    """What calls functions."""

    def call(self, e: Any, *, used: bool) -> Value:
        """A call's value. A function of the text says itself where its value comes from; what the
        library gives is computed there, and what it writes is not seen."""
        name = e.name.name if isinstance(e.name, c_ast.ID) else None
        symbol = None if name is None else self.names.find(name)
        arguments = list(e.args.exprs) if e.args is not None else []
        if name in self.program.components and symbol is not None and symbol.kind == "function":
            return self._traced(e, name, Value(str(name)), arguments)
        if name is None or (symbol is not None and symbol.kind == "variable"):
            return self._traced(e, None, self.value_of(e.name), arguments)
        if name in REFUSED:
            raise self.program.refuse(
                f"{name} cannot be traced",
                e,
                f"a trace follows one thread from call to call, and this makes {REFUSED[name]}",
                "a part of the program without it",
            )
        before = self._callback(e, arguments)
        if name in ENDING:
            name = "pn_exit"
        values = [self.value_of(a) for a in arguments]
        texts = [v.text for v in values]
        operands = Value("").also(*values)
        if name in ALLOCATING:
            place = self.program.places.span(e)
            owner = self.body.owners.get(id(e), f"{name} of line {place.line}")
            block = self.program.block(owner, place.line, 1)
            name, texts = f"pn_{name}", [str(block), *texts]
        elif name in MOVING and len(texts) == 3:
            return self._moved(e, name, texts, operands)
        text = f"{name}({', '.join(texts)})"
        return Value(f"({{ {before}{text}; }})" if before else text, operands, computes=used)

    def _callback(self, e: Any, arguments: list[Any]) -> str:
        """Where the library is given a function of the text, it will be called from here."""
        if not any(is_name(a) and a.name in self.program.components for a in arguments):
            return ""
        return f"pn_callback = {self._place(e, None)}; "

    def _place(self, e: Any, callee: str | None) -> int:
        calls, body = self.program.calls, self.body
        place = self.program.places.span(e)
        number = len(calls) + 1
        order = self.program.next_order()
        calls.append(CallPlace(number, body.name, callee, place, body.loops, body.recorded, order))
        return number

    def _traced(self, e: Any, name: str | None, callee: Value, arguments: list[Any]) -> Value:
        number = self._place(e, name)
        text, passed = "", ""
        variables = []
        for k, a in enumerate(arguments):
            value, variable = self.value_of(a), self.fresh("a")
            text += f"__auto_type {variable} = {value.text}; "
            t = self.type_of(a)
            source = value.source or (value.operands[0] if len(value.operands) == 1 else None)
            if value.computes:
                n, event = self.value(a, t, variable, value.operands)
                source, kept = self.result(n)
                text += event + kept
            variables.append(variable)
            if k < ARGUMENTS:
                passed += self.keep(f"pn_arguments[{k}]", source)
        text += f"{passed}pn_site = {number}; "
        calls = self.program.calls
        calls[number - 1] = replace(calls[number - 1], order=self.program.next_order())
        function = callee.text if name is not None else f"({callee.text})"
        called = f"{function}({', '.join(variables)})"
        if types.is_void(self.names.result(e.name)):
            return Value(f"({{ {text}{called}; pn_site = 0; }})")
        result, ref = self.fresh("c"), self.temporary()
        text += f"__auto_type {result} = {called}; pn_site = 0; {ref} = pn_result; "
        operand = Origin(ref=ref)
        return Value(f"({{ {text}{result}; }})", (operand,), source=operand)

    def _moved(self, e: Any, name: str, texts: list[str], operands: tuple[Origin, ...]) -> Value:
        """memcpy and its kin: a load (not of memset) and a store of all their bytes."""
        to, source, size = (self.fresh("m") for _ in range(3))
        text = "".join(
            f"__auto_type {v} = {t}; " for v, t in zip((to, source, size), texts, strict=True)
        )
        used = operands
        if name != "memset":
            n, event = self.load(e.args.exprs[1], self._moved_type(e), source, operands)
            operand, kept = self.result(n)
            text += event.replace(f"sizeof *{source}", size) + kept
            used = (operand,)
        text += self.store(e.args.exprs[0], self._moved_type(e), to, used).replace(
            f"sizeof *{to}", size
        )
        return Value(f"({{ {text}{name}({to}, {source}, {size}); }})")

    def _moved_type(self, e: Any) -> Type:
        """What the bytes are, as far as the argument's type says."""
        return types.element(self.type_of(e.args.exprs[0])) or types.INT
