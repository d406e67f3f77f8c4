"""Which part of a C text is the SCoP: between `#pragma scop` and `#pragma endscop`, a whole
function, or a bare loop nest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator as Iter
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from polynb.errors import Span
from polynb.source.c_functions import formula
from polynb.source.c_grammar import Grammar, Places
from polynb.source.c_types import refuse

_LOOPS = c_ast.For | c_ast.While | c_ast.DoWhile


@dataclass(frozen=True, eq=False)
class Region:
    """The statements of a SCoP and what surrounds them.

    `name` and `arguments` are the function's (None and () for a bare nest). `outer` are the
    declarations in force before the statements, one list for each block around them. `later` are
    the names that the function may use after the statements.
    """

    name: str | None
    arguments: tuple[Any, ...]
    outer: tuple[tuple[Any, ...], ...]
    items: tuple[Any, ...]
    later: frozenset[str]


@dataclass(frozen=True, eq=False)
class _Mark:
    """A pragma: the nodes around it, the innermost block last, and its position there."""

    around: tuple[Any, ...]
    position: int
    node: Any

    @property
    def block(self) -> Any:
        return self.around[-1]


def find_region(grammar: Grammar, function: str | None) -> Region:
    """The SCoP of a text; of the function of that name, where one is given. Raises PolynbError
    if there is none, or more than one."""
    places = grammar.places
    functions = [e for e in grammar.file.ext if isinstance(e, c_ast.FuncDef)]
    for e in grammar.file.ext:
        if isinstance(e, c_ast.Pragma):
            refuse(
                f"#pragma {e.string} stands outside a function",
                places.token(e),
                hint="pragmas around the loops, inside the function",
            )
    chosen = functions[0] if grammar.bare else _choose(functions, function, places)
    start, end = _marks(chosen, places)
    name = None if grammar.bare else chosen.decl.name
    arguments = () if grammar.bare else _arguments(chosen, places)
    if start is None or end is None:
        return _whole(chosen, name, arguments)
    items = start.block.block_items
    inside = tuple(items[start.position + 1 : end.position])
    return Region(
        name,
        arguments,
        tuple(_declared(node, start) for node in start.around),
        inside,
        frozenset(_used_later(start, end)) | frozenset(_escaping(chosen.body, inside)),
    )


def _choose(functions: list[Any], wanted: str | None, places: Places) -> Any:
    names = [f.decl.name for f in functions]
    if wanted is not None:
        for f in functions:
            if f.decl.name == wanted:
                return f
        span = Span(places.tokens[0].span.source, 0, 0)
        refuse(f"there is no function {wanted}", span, hint=f"one of: {', '.join(names)}")
    marked = [f for f in functions if list(_pragmas(f.body, ()))]
    some = marked or [f for f in functions if formula(f) is None]
    if not some:
        refuse(
            f"{names[0]} has no loop nest",
            places.token(functions[0].decl),
            reason="its body is only a formula",
            hint="a function with assignments",
        )
    if len(some) > 1:
        refuse(
            f"which function is meant: {', '.join(f.decl.name for f in some)}?",
            places.token(some[1].decl),
            reason="a program is one loop nest",
            hint="`#pragma scop` and `#pragma endscop` in one of them only"
            if not marked
            else "one `#pragma scop` only",
        )
    return some[0]


def _arguments(function: Any, places: Places) -> tuple[Any, ...]:
    found = []
    given = function.decl.type.args
    for p in given.params if given else ():
        if isinstance(p, c_ast.EllipsisParam | c_ast.ID):
            refuse(
                "every argument needs a type and a name",
                places.token(p),
                hint="arguments such as `int n, double A[n]`",
            )
        if isinstance(p, c_ast.Decl):
            found.append(p)
    return tuple(found)


def _whole(function: Any, name: str | None, arguments: tuple[Any, ...]) -> Region:
    """The whole body; what a `return` at its end uses is used later."""
    items = tuple(function.body.block_items or ())
    later: frozenset[str] = frozenset()
    if name is not None and items and isinstance(items[-1], c_ast.Return):
        later = frozenset(_names(items[-1:]))
        items = items[:-1]
    return Region(name, arguments, (), items, later)


# -- pragmas -----------------------------------------------------------------------------


def _pragmas(node: Any, around: tuple[Any, ...]) -> Iter[_Mark]:
    around = (*around, node)
    if isinstance(node, c_ast.Compound):
        for k, item in enumerate(node.block_items or ()):
            if isinstance(item, c_ast.Pragma):
                yield _Mark(around, k, item)
            else:
                yield from _pragmas(item, around)
        return
    for _, child in node.children():
        yield from _pragmas(child, around)


def _marks(function: Any, places: Places) -> tuple[_Mark | None, _Mark | None]:
    """The one `#pragma scop` and its end."""
    start: _Mark | None = None
    end: _Mark | None = None
    for mark in _pragmas(function.body, ()):
        place = places.token(mark.node)
        opens = mark.node.string == "scop"
        if opens and start is not None:
            refuse(
                "a second #pragma scop",
                place,
                reason="a program is one loop nest",
                hint="one region around all of it, or two programs",
            )
        if not opens and (start is None or end is not None):
            refuse("#pragma endscop ends nothing", place, hint="a #pragma scop before it")
        if not opens and start is not None and start.block is not mark.block:
            refuse(
                "#pragma endscop stands in another block than #pragma scop",
                place,
                hint="both in the same pair of braces",
            )
        start, end = (mark, end) if opens else (start, mark)
    if start is not None and end is None:
        refuse(
            "#pragma scop has no end",
            places.token(start.node),
            hint="#pragma endscop after the loops",
        )
    return start, end


def _position(node: Any, inner: Any) -> int:
    """The position of the item of a block that `inner` stands in."""
    return next(
        k for k, item in enumerate(node.block_items) if any(x is inner for x in _all((item,)))
    )


def _declared(node: Any, start: _Mark) -> tuple[Any, ...]:
    """What a node around the region declares before it."""
    match node:
        case c_ast.Compound(block_items=items):
            before = items[: _position(node, start.node)]
            kinds = c_ast.Decl | c_ast.Typedef
            return tuple(x for x in before if isinstance(x, kinds))
        case c_ast.For(init=c_ast.DeclList(decls=decls)):
            return tuple(decls)
    return ()


# -- what is used after the region -------------------------------------------------------


def _used_later(start: _Mark, end: _Mark) -> Iter[str]:
    for node in start.around:
        if isinstance(node, _LOOPS):
            yield from _names((node,))
        if isinstance(node, c_ast.Compound):
            yield from _names(node.block_items[_position(node, end.node) + 1 :])


def _names(nodes: Iterable[Any]) -> Iter[str]:
    """The variables that code mentions. What is only freed is not used."""
    for node in nodes:
        match node:
            case c_ast.ID(name=name):
                yield name
            case c_ast.FuncCall(name=c_ast.ID(name="free")):
                pass
            case c_ast.FuncCall(name=c_ast.ID(), args=args):
                yield from _names(() if args is None else (args,))
            case _:
                yield from _names(child for _, child in node.children())


def _escaping(body: Any, inside: tuple[Any, ...]) -> Iter[str]:
    """The variables whose address is taken outside the region: anything may use them later."""
    skipped = {id(x) for item in inside for x in _all((item,))}
    for node in _all((body,)):
        if isinstance(node, c_ast.UnaryOp) and node.op == "&" and id(node) not in skipped:
            yield from _names((node.expr,))


def _all(nodes: Iterable[Any]) -> Iter[Any]:
    for node in nodes:
        yield node
        yield from _all(child for _, child in node.children())
