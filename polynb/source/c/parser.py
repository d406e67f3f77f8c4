"""C text -> syntax tree.

pcpp preprocesses, pycparser knows the grammar (`read`), and `meaning` says what the parts mean:
which region is meant, types, symbols, declarations, values, loops and statements, in which each
variable is called by a key of its own; `resolve` finds parameters, roles and final names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from polynb.errors import Source, Span
from polynb.source.mistakes import mistake
from polynb.source.tree import Program

if TYPE_CHECKING:
    from polynb.source.c.meaning.symbols import ArgumentList
    from polynb.source.c.read.grammar import Grammar
    from polynb.source.c.read.tokens import Token

DEFAULT_NAME = "kernel"


def parse_c(text: str | Source, name: str = DEFAULT_NAME, function: str | None = None) -> Program:
    """The program in a C text: the region between `#pragma scop` and `#pragma endscop`, or the
    whole function (the one called `function`, where there are several), or a bare loop nest.

    The program keeps the function's name unless another is asked for. Iterators and parameters
    are int64 in the tree, whatever the text declares; casts say where C would convert them. Values
    and conditions wrap around as in C; bounds that do are refused, or the parameter values for
    which they do (`Scop.requires`). `assert(n >= 1);` and `if (n < 1) return;` before all else are
    assumptions.
    Locals are temporaries, unless the function uses them after the region or keeps a pointer to
    them (functions called before it are taken not to); so is what is freed or killed, by
    `__pencil_kill(A);`, right after the region or at its end. In a bare nest, top declarations are
    its arrays. `/` and `%` are C's. `A[restrict static n][m]`, `double (*A)[m]`
    and `double *x` are arrays; extents that are left open are inferred. Arguments are taken not
    to overlap. A pure function that the text defines becomes a `define`.

    Raises PolynbError, with the place, for text that is not C or no static control part.
    """
    from polynb.source.c.read.grammar import parse_grammar
    from polynb.source.c.read.tokens import preprocess

    source = text if isinstance(text, Source) else Source(text)
    tokens = preprocess(source)
    try:
        return _program(source, parse_grammar(source, tokens), name, function)
    except RecursionError:
        raise mistake("c.too-deep", _deepest(tokens)) from None


def _program(source: Source, grammar: Grammar, name: str, function: str | None) -> Program:
    from pycparser import c_ast

    from polynb.source.c.meaning.declarations import Declarations
    from polynb.source.c.meaning.functions import Functions
    from polynb.source.c.meaning.region import find_region
    from polynb.source.c.meaning.resolve import Resolver
    from polynb.source.c.meaning.statements import Statements
    from polynb.source.c.meaning.symbols import Scopes
    from polynb.source.c.meaning.values import Values

    region = find_region(grammar, function)
    names = Scopes(free=grammar.bare, arguments=_argument_list(grammar, region.name))
    given = {e.decl.name: e for e in grammar.file.ext if isinstance(e, c_ast.FuncDef)}
    values = Values(names, grammar.places, Functions({} if grammar.bare else given))
    declarations = Declarations(values)
    # In a bare nest, what is declared before `#pragma scop` is nobody's temporary.
    outer = "global" if grammar.bare else "outer"
    layers = [("global", grammar.globals), ("argument", region.arguments)]
    for kind, layer in layers + [(outer, layer) for layer in region.outer]:
        names.push()
        for node in layer:
            declarations.outside(node, kind)
    statements = Statements(values, top_scope=len(names.scopes))
    body, assumptions = statements.program(region.items)
    functions = values.functions.defines
    resolver = Resolver(names.symbols, region.after, grammar.bare, functions)
    resolved = resolver.resolve(body, assumptions)
    resolver.check_kills(
        (names.variable(x.name, grammar.places.span(x)), grammar.places.span(x))
        for x in region.killed
    )
    tokens = grammar.places.tokens
    return Program(
        resolved.parameters,
        resolved.declarations,
        resolved.body,
        assumptions=resolved.assumptions,
        functions=tuple(functions.values()),
        parameter_types=resolved.types,
        undeclared=resolved.undeclared,
        unused=tuple(d for d in resolved.unused if _occurs_once(d.name, source)),
        name=region.name if region.name is not None and name == DEFAULT_NAME else name,
        language="c",
        source=source,
        returned=region.returned,
        span=Span(source, tokens[0].span.start, max(t.span.end for t in tokens)),
    )


def _occurs_once(name: str, source: Source) -> bool:
    return len(re.findall(rf"\b{name}\b", source.text)) == 1


def _argument_list(grammar: Grammar, function: str | None) -> ArgumentList | None:
    """The arguments of the function of that name; None for a bare loop nest."""
    from pycparser import c_ast

    from polynb.source.c.meaning.symbols import ArgumentList

    for e in grammar.file.ext:
        if isinstance(e, c_ast.FuncDef) and e.decl.name == function and not grammar.bare:
            first = (grammar.places.index(e.decl.type.type) or 0) + 1
            last = grammar.places.partner.get(first)
            if last is not None:
                return ArgumentList(grammar.places.tokens[first : last + 1])
    return None


def _deepest(tokens: list[Token]) -> Span:
    """The bracket that most others are open around."""
    depth, deepest, span = 0, 0, tokens[0].span
    for token in tokens:
        if token.kind == "operator" and token.text in "([{":
            depth += 1
            if depth > deepest:
                deepest, span = depth, token.span
        elif token.kind == "operator" and token.text in ")]}":
            depth -= 1
    return span
