"""How a traced text is started: its `main`, a call in C, or a function with sizes and seeded
arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from polynb.errors import PolynbError
from polynb.tracing.instrument import types
from polynb.tracing.instrument.callgraph import call_graph
from polynb.tracing.instrument.parts import TracedText
from polynb.tracing.instrument.text import BARE, Parsed, Start
from polynb.words import listed

WRITE_MAIN = 'a `main` in the text that prepares what is passed, or call="f(...)"'


def starting(text: Parsed, call: str | None, sizes: Mapping[str, int | float]) -> tuple[Start, str]:
    """The C that starts the program, given what was found in it, and its words for a person.

    Raises PolynbError where it does not say what to run.
    """
    functions = text.functions
    named = call is not None and call.strip() in functions
    if call is not None and not named:
        called = re.match(r"\s*([A-Za-z_]\w*)\s*\(", call)
        if called is None or called[1] not in functions:
            raise PolynbError(
                f"call={call!r} calls no function of this text",
                reason=f"it has {listed(sorted(functions))}",
                hint=f'call="{next(iter(functions))}(...)", in C',
            )
        return (lambda _: f"(void) ({call.rstrip(';')}); return 0;"), call
    if not named and text.has_main:
        _no_sizes(sizes, text.grammar.bare)
        return _main(text)
    if named and call is not None:
        name = call.strip()
    else:
        calls = call_graph(functions).calls
        first = [f for f in functions if not any(f in c for g, c in calls.items() if g != f)]
        if len(first) != 1:
            raise PolynbError(
                "this text has several functions that could be the first, and no main",
                reason=f"it has {listed(sorted(first or functions))}",
                hint=f'call="{(first or [*functions])[-1]}", or a call in C, or a `main`',
            )
        name = first[0]
    return (lambda program: _with_arrays(program, functions[name], sizes)), name


def _no_sizes(sizes: Mapping[str, Any], bare: bool) -> None:
    if sizes and bare:
        raise PolynbError(
            f"{listed(sorted(sizes))} cannot be given: the text has no function to call",
            reason="sizes are the arguments of a function",
            hint="the loops in a function, `void f(int n, double A[n]) { ... }`",
        )
    if sizes:
        raise PolynbError(
            f"{listed(sorted(sizes))} cannot be given: the text has a main",
            reason="sizes are for a function that is called with arrays of its declared extents",
            hint='call="f" to run the function f instead of main',
        )


def _main(text: Parsed) -> tuple[Start, str]:
    if text.grammar.bare:
        return (lambda _: "pn_bare(); return 0;"), BARE
    decl = text.functions["main"].decl
    parameters = decl.type.args.params if decl.type.args is not None else []
    count = sum(isinstance(p, c_ast.Decl) for p in parameters)
    given = ", ".join(["argc", "argv", "0"][:count])
    void = getattr(decl.type.type.type, "names", None) == ["void"]
    tail = f"pn_main({given});"
    return (lambda _: f"{tail} return 0;" if void else f"return {tail}"), "main"


def _with_arrays(program: TracedText, f: Any, sizes: Mapping[str, int | float]) -> str:
    """A call of a function: numbers as given, arrays of their extents with seeded values."""
    args = f.decl.type.args
    parameters = [p for p in (args.params if args is not None else []) if isinstance(p, c_ast.Decl)]
    known = {p.name for p in parameters}
    for name in sizes:
        if name not in known:
            raise PolynbError(
                f"{f.decl.name} has no parameter {name!r}",
                reason=f"it has {listed([p.name for p in parameters]) or 'none'}",
                hint=f"sizes of {f.decl.name}, by name",
            )
    lines, given = [], []
    for p in parameters:
        t = program.names.resolve(p.type)
        lines.append(_argument(program, f, p, t, sizes))
        given.append(p.name)
    return f"{{ {' '.join(lines)} {f.decl.name}({', '.join(given)}); return 0; }}"


def _argument(program: TracedText, f: Any, p: Any, t: Any, sizes: Mapping[str, int | float]) -> str:
    if types.is_scalar(t) and not types.is_pointer(t):
        if p.name in sizes:
            return f"{program.plain.visit(p)} = {sizes[p.name]};"
        if types.is_float(t):
            return f"{program.plain.visit(p)} = 1.5;"
        raise PolynbError(
            f"{p.name} of {f.decl.name} has no value",
            span=program.places.token(p),
            hint=f'{p.name}=10, say, or call="{f.decl.name}(...)"',
        )
    extents, inner = [], p.type
    if isinstance(inner, c_ast.PtrDecl) and isinstance(inner.type, c_ast.ArrayDecl):
        inner = c_ast.ArrayDecl(inner.type, None, [])
    while isinstance(inner, c_ast.ArrayDecl):
        extents.append(inner.dim)
        inner = inner.type
    element = program.names.resolve(inner)
    if not extents or None in extents or types.is_pointer(element):
        raise PolynbError(
            f"how large {p.name} of {f.decl.name} is cannot be known",
            span=program.places.token(p),
            reason="its declaration has no extents",
            hint=f"`{p.name}[n]` with n a parameter, or {WRITE_MAIN}",
        )
    count = " * ".join(f"(size_t) ({program.plain.visit(e)})" for e in extents)
    size = types.size(element)
    kind = size if types.is_float(element) else -size if types.is_scalar(element) else 0
    number = program.block(p.name, program.places.token(p).line, size, given=True)
    declared = program.plain.visit(inner.type)
    return f"void *{p.name} = pn_array({number}, {count}, sizeof({declared}), {kind});"
