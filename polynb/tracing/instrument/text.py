"""A whole C text, instrumented: its functions, its global variables, and how it is started."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pycparser import c_ast

from polynb.errors import PolynbError, Source
from polynb.source.c.read.grammar import Grammar, parse_grammar
from polynb.source.c.read.tokens import HEADERS, Token, preprocess
from polynb.tracing.instrument import types
from polynb.tracing.instrument.callgraph import CallGraph, call_graph, ending
from polynb.tracing.instrument.calling import ARGUMENTS
from polynb.tracing.instrument.dialect import WHOLE, adapted
from polynb.tracing.instrument.events import Events
from polynb.tracing.instrument.jumps import check_jumps
from polynb.tracing.instrument.lending import addressed, own_counters, uses
from polynb.tracing.instrument.names import TypedName, TypedNames
from polynb.tracing.instrument.parts import Body, Origin, SourceLoop, TracedText
from polynb.tracing.instrument.pointed import pointed_in
from polynb.tracing.instrument.reading import labels, walk, written_in
from polynb.tracing.instrument.statements import TracedStatements
from polynb.tracing.instrument.states import VARIABLES, state_memory
from polynb.tracing.library import STREAMS, LibraryCall, library_call

Start = Callable[[TracedText], str]
ENTRY = "pn_entry"
NAME = "text"
"""What the compiler calls the person's text."""
BARE = "the text"
"""What a bare loop nest is called where functions have names."""
DEEPEST = 24
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"][\w/]+\.h[>\"])", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Parsed:
    """A C text as it was written: pycparser's tree, its functions by name."""

    source: Source
    grammar: Grammar
    functions: Mapping[str, Any]

    @property
    def has_main(self) -> bool:
        return self.grammar.bare or "main" in self.functions

    @property
    def has_region(self) -> bool:
        """Whether a `#pragma scop` says which part is meant."""
        return any(t.kind == "pragma" for t in self.grammar.places.tokens)


@dataclass(frozen=True, eq=False)
class Instrumented:
    """C text that reports to the runtime, and what its numbers mean. `depth` is the most
    dimensions a vector has, `unit` the bytes whose last writer is remembered together."""

    text: str
    program: TracedText
    graph: CallGraph
    depth: int
    unit: int


def parsed(source: Source) -> Parsed:
    """The tree of a C text. Raises PolynbError, with the place."""
    grammar = parse_grammar(source, adapted(_tokens(source)), types.OPAQUE)
    _name_tags(grammar.file)
    found = [e for e in grammar.file.ext if isinstance(e, c_ast.FuncDef)]
    if grammar.bare:
        found[0].decl.coord = None
        return Parsed(source, grammar, {BARE: found[0]})
    for f in found:
        if f.param_decls:
            raise PolynbError(
                f"the parameters of {f.decl.name} are declared in the old way",
                span=grammar.places.token(f.decl),
                reason="what stands between `)` and `{` is C of 1978",
                hint="types within the brackets: `int f(int n)`",
            )
    return Parsed(source, grammar, {f.decl.name: f for f in found})


def _tokens(source: Source) -> list[Token]:
    try:
        return preprocess(source)
    except PolynbError as error:
        if not error.message.startswith("cannot include"):
            raise
        raise PolynbError(
            error.message,
            span=error.span,
            reason=error.reason,
            hint=f"paste what the program needs from it; or {WHOLE}",
        ) from None


def instrumented(text: Parsed, start: Start, only: str | None = None) -> Instrumented:
    """The text with events; `start` gives the C of `pn_entry`'s body after the global variables
    are named. `only` is the function outside of whose calls nothing is recorded."""
    grammar = text.grammar
    others = tuple(e for e in grammar.file.ext if not isinstance(e, c_ast.FuncDef))
    graph = call_graph(text.functions, others)
    names = TypedNames()
    program = TracedText(names, grammar.places, dict(graph.components), graph.recursive)
    lent = _lent(grammar.file, text.functions)
    program.lent = any(f is None or not f.pure for f in lent)
    program.lent_pure = bool(lent)
    program.pointed = pointed_in(grammar.file, text.functions)
    program.ending = ending(graph, text.functions)
    for name, record in types.RECORDS.items():
        names.add(TypedName(name, "typedef", record))
    for name in _of_library(grammar.file):
        names.add(TypedName(name, "variable", VARIABLES[name]))
        program.states[name] = None
    parts = _Text(program, text, only)
    headers = (h for h in dict.fromkeys(INCLUDE.findall(text.source.text)) if "pencil" not in h)
    lines = [f"#include {h}" for h in headers if HEADERS.fullmatch(h)]
    lines += [
        "#define main pn_main",  # the runtime has one of its own
        f'#line 1 "{NAME}"',
        *(parts.external(e) for e in grammar.file.ext),
    ]
    depth = max(graph.depth, 1)
    if depth > DEEPEST:
        raise PolynbError(
            f"iteration vectors of this text may have {depth} dimensions",
            reason=f"that is what loops and calls nested within each other come to; {DEEPEST} are "
            "the most that are followed",
            hint="a part of the program",
        )
    _keep_what_is_recorded(program, graph, text, only)
    begin = start(program)
    for state in program.states:
        (at, size), itself = state_memory(state), (*STREAMS, *VARIABLES)
        number = program.block(state if state in itself else f"{state}_state", 0, size)
        parts.globals.append(f"pn_local({number}, {at}, {size}, 1);")
    lines += [_tables(program, parts.globals, begin)]
    unit = min([8, *program.units])
    return Instrumented("\n".join(lines), program, graph, depth, unit)


def _of_library(file: Any) -> list[str]:
    """The variables of the library that a text uses, which declares none of that name."""
    nodes = list(walk(file))
    own = {x.name for x in nodes if isinstance(x, c_ast.Decl)}
    members = {id(x.field) for x in nodes if isinstance(x, c_ast.StructRef)}
    for x in nodes:
        members |= {id(n) for n in x.name} if isinstance(x, c_ast.NamedInitializer) else set()
    used = {x.name for x in nodes if isinstance(x, c_ast.ID) and id(x) not in members}
    return [name for name in VARIABLES if name in used and name not in own]


def _name_tags(file: Any) -> None:
    """Records without a tag get one, so that each is defined once however many declare it; those
    that are members without a name stay as they are."""
    count = 0

    def walk(node: Any, unnamed: bool) -> None:
        nonlocal count
        record = isinstance(node, c_ast.Struct | c_ast.Union)
        defines = (record and node.decls) or isinstance(node, c_ast.Enum)
        if defines and not (node.name or unnamed):
            count += 1
            node.name = f"pn_tag{count}"
        within = unnamed and isinstance(node, c_ast.Decl)
        for _, child in node.children():
            member = record and isinstance(child, c_ast.Decl) and child.name is None
            walk(child, within or member)

    walk(file, False)


class _Text:
    """Writes the external declarations, one after another."""

    def __init__(self, program: TracedText, text: Parsed, only: str | None) -> None:
        self.program, self.text, self.only = program, text, only
        self.globals: list[str] = []

    def external(self, e: Any) -> str:
        names, program = self.program.names, self.program
        if isinstance(e, c_ast.Typedef):
            if e.coord is None or e.coord.line < 2:
                return ""  # of the grammar's prelude: the headers say what they are
            names.declare(e)
            return program.declaration(e) + ";"
        if isinstance(e, c_ast.FuncDef):
            return self._function(e)
        if isinstance(e, c_ast.Decl):
            symbol = names.declare(e)
            if e.name and symbol.kind == "variable" and "extern" not in e.storage:
                number = program.block(e.name, program.places.token(e).line, 1)
                self.globals.append(f"pn_local({number}, &{e.name}, sizeof {e.name}, 1);")
            return program.declaration(e) + ";"
        return "" if isinstance(e, c_ast.Pragma) else str(program.plain.visit(e)) + ";"

    def _function(self, f: Any) -> str:
        program, names = self.program, self.program.names
        name = BARE if self.text.grammar.bare else f.decl.name
        check_jumps(program, f)
        kind = names.resolve(f.decl.type)
        if name != BARE:
            names.add(TypedName(name, "function", kind))
        names.push()
        found = uses(f)
        body = Body(name, addressed(found), kind.type, own_counters(found, self.text.functions))
        body.labels, body.written = labels(f), frozenset(written_in(f.body))
        body.recorded = not (self.text.has_region or self.only)
        statements = TracedStatements(program, body)
        arguments = self._parameters(f, body)
        component = program.components[name]
        if component in program.recursive:
            program.loops.append(
                SourceLoop(f"c{name}", "", name, self._line(f), None, recursion=True)
            )
        inside = statements.block(f.body.block_items)
        names.pop()
        c_name = "pn_bare" if name == BARE else name
        head = self._head(f, c_name)
        given = ", ".join(p.name for p in _named(f))
        recursive = int(component in program.recursive)
        refs = "".join(f"pn_ref {r}; {r}.w = 0; " for r in body.refs if r not in arguments)
        result = "" if types.is_void(kind.type) else f"typedef __typeof__({c_name}({given})) "
        return (
            f"{head} {{\npn_frame pn_f; pn_stream *const pn_s = pn_enter(&pn_f, {component}, "
            f"{recursive}); (void) pn_s;\n"
            "int64_t *const pn_v = pn_iv + pn_f.base; uint32_t *const pn_w = pn_words + "
            "pn_f.base; (void) pn_v; (void) pn_w;\n"
            + "".join(arguments.values())
            + refs
            + (f"{result}pn_returning;" if result else "")
            + ("pn_on = 1;" if name == self.only else "")
            + f"\n{inside}pn_leave(&pn_f);{' return 0;' if name == 'main' else ''}\n}}\n"
        )

    def _line(self, f: Any) -> int:
        return 1 if self.text.grammar.bare else self.program.places.token(f.decl).line

    def _head(self, f: Any, c_name: str) -> str:
        decl = f.decl
        if self.text.grammar.bare:
            return "void pn_bare(void)"
        decl.funcspec = [w for w in decl.funcspec if w != "inline"]
        if c_name != decl.name:
            inner = decl.type
            while not isinstance(inner, c_ast.TypeDecl):
                inner = inner.type
            inner.declname = decl.name = c_name
        place = self.program.places.range(f)[0]
        line = self.program.places.tokens[place].span.line
        return f"#line {line}\n{self.program.plain.visit(decl)}"

    def _parameters(self, f: Any, body: Body) -> dict[str, str]:
        """The names of parameters, and the text by which each hears of its origin: a register
        itself, memory by a store. What has no name is kept, where there is `...`."""
        names, found = self.program.names, {}
        for k, p in enumerate(_named(f)):
            t = names.resolve(p.type)
            t = types.pointer(t.type) if types.is_array(t) else t
            register = types.is_scalar(t) and id(p) not in body.addressed
            ref = body.register(p.name)
            names.add(TypedName(p.name, "variable", t, ref if register else None))
            found[ref] = f"pn_ref {ref} = pn_argument(&pn_f, {k}); "
            if not register:
                number = self.program.block(p.name, self._line(f), 1)
                stored = Events(self.program, body).store_range(
                    p, t, f"&{p.name}", f"sizeof {p.name}", (Origin(ref=ref),)
                )
                found[f"&{p.name}"] = (
                    f"pn_local({number}, &{p.name}, sizeof {p.name}, 0); "
                    f"if ({ref}.w) {{ {stored}}} "
                )
        if names.is_variadic(f.decl.name):
            for k in range(len(_named(f)), ARGUMENTS):
                ref = body.new_ref("more")
                found[ref] = f"pn_ref {ref} = pn_argument(&pn_f, {k}); "
                body.unnamed += (Origin(ref=ref),)
        return found


def _lent(file: Any, functions: Mapping[str, Any]) -> list[LibraryCall | None]:
    """What the functions do that are mentioned other than to be called, and not defined here: those
    of the library, and those that are declared."""
    declared = [x for x in walk(file) if isinstance(x, c_ast.Decl) and x.name]
    variables = {x.name for x in declared if not isinstance(x.type, c_ast.FuncDecl)}
    called = {id(x.name) for x in walk(file) if isinstance(x, c_ast.FuncCall)}
    members = {id(x.field) for x in walk(file) if isinstance(x, c_ast.StructRef)}
    names = {
        x.name for x in walk(file) if isinstance(x, c_ast.ID) and id(x) not in called | members
    } - (functions.keys() | variables)
    others = {x.name for x in declared} & names
    return [library_call(n) for n in sorted(names) if n in others or library_call(n) is not None]


def _named(f: Any) -> list[Any]:
    """The parameters that have names (`void` and `...` have none)."""
    args = f.decl.type.args
    parts = args.params if args is not None else []
    return [p for p in parts if isinstance(p, c_ast.Decl) and p.name]


def _keep_what_is_recorded(
    program: TracedText, graph: CallGraph, text: Parsed, only: str | None
) -> None:
    """Mark what runs within the region, or the one function: its instructions have numbers."""
    if only is not None:
        inside = graph.reachable(only)
    else:
        called = {f for c in program.calls if c.recorded for f in c.leads} & graph.calls.keys()
        inside = frozenset().union(*(graph.reachable(f) for f in called))
    program.instructions[:] = [
        replace(i, recorded=i.recorded or i.function in inside) for i in program.instructions
    ]
    program.calls[:] = [
        replace(c, recorded=c.recorded or c.function in inside) for c in program.calls
    ]


def _tables(program: TracedText, named: list[str], start: str) -> str:
    """What the runtime must know: each instruction's depth and labels, each component's range."""
    rows = ", ".join(f"{{{len(i.loops)}, {len(i.outputs)}}}" for i in program.instructions)
    ranges = []
    for component in range(len(set(program.components.values()))):
        own = [i.number for i in program.instructions if _component(program, i) == component]
        ranges.append(f"{{{min(own, default=0)}, {max(own, default=-1) + 1}}}")
    ranges.append("{0, -1}")
    sites = ", ".join(str(len(c.loops)) for c in program.calls)
    first = "".join(f"  {line}\n" for line in named)
    return (
        f"pn_static pn_instructions[] = {{{rows or '{0, 0}'}}};\n"
        f"pn_range pn_components[] = {{{', '.join(ranges)}}};\n"
        f"int pn_sites[] = {{0{', ' * bool(sites)}{sites}}};\n"
        f'__attribute__((visibility("default"))) int {ENTRY}(int argc, char **argv) {{\n'
        f"  pn_program(pn_instructions, pn_components, pn_sites);\n{first}  {start}\n}}\n"
    )


def _component(program: TracedText, instruction: Any) -> int:
    return program.components[instruction.function]
