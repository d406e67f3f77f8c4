"""Which part of a C text is the SCoP: between `#pragma scop` and `#pragma endscop`, a whole
function, or a bare loop nest."""

from __future__ import annotations

from collections.abc import Iterator as Iter
from dataclasses import dataclass

from pycparser import c_ast

from polynb.errors import Span
from polynb.source.c.meaning.functions import formula
from polynb.source.c.meaning.live_out import (
    Afterwards,
    Nodes,
    aliased,
    all_nodes,
    allocates,
    escaping,
    kills,
    names,
    released,
    without_tail,
)
from polynb.source.c.read.grammar import Grammar, Places
from polynb.source.mistakes import mistake

_LOOPS = c_ast.For | c_ast.While | c_ast.DoWhile


@dataclass(frozen=True, eq=False)
class Region:
    """The statements of a SCoP and what surrounds them.

    `name` and `arguments` are the function's (None and () for a bare nest). `outer` are the
    declarations in force before the statements, one list for each block around them. `after` is
    what happens to the variables afterwards; `killed` are the nodes of those that the region itself
    kills. `returned` is what a function makes of them at its end, as written; "" where that is
    one of them, or nothing.
    """

    name: str | None
    arguments: tuple[c_ast.Decl, ...]
    outer: tuple[Nodes, ...]
    items: Nodes
    after: Afterwards
    killed: tuple[c_ast.ID, ...]
    returned: str = ""


@dataclass(frozen=True, eq=False)
class _Mark:
    """A pragma: the nodes around it, the innermost block last, and its position there."""

    around: Nodes
    position: int
    node: c_ast.Pragma

    @property
    def block(self) -> c_ast.Compound:
        return self.around[-1]


def find_region(grammar: Grammar, function: str | None) -> Region:
    """The SCoP of a text; of the function of that name, where one is given. Raises PolynbError
    if there is none, or more than one."""
    places = grammar.places
    functions = [e for e in grammar.file.ext if isinstance(e, c_ast.FuncDef)]
    for e in grammar.file.ext:
        if isinstance(e, c_ast.Pragma):
            raise mistake("c.pragma-outside", places.token(e), pragma=e.string)
    chosen = functions[0] if grammar.bare else _choose(functions, function, places)
    start, end = _marks(chosen, places)
    name = None if grammar.bare else chosen.decl.name
    arguments = () if grammar.bare else _arguments(chosen, places)
    if start is None or end is None:
        return _whole(chosen, name, arguments, places)
    items = start.block.block_items
    inside = tuple(items[start.position + 1 : end.position])
    rest, dead, killed = kills(inside, places)
    used = frozenset(_used_later(start, end)) | frozenset(escaping(chosen.body, inside))
    copied = frozenset(aliased(chosen.body, inside))
    after = Afterwards(used, copied, {**dead, **released(_following(end), places)})
    outer = tuple(_declared(node, start) for node in start.around)
    return Region(name, arguments, outer, rest, after, killed)


def _choose(functions: list[c_ast.FuncDef], wanted: str | None, places: Places) -> c_ast.FuncDef:
    names = [f.decl.name for f in functions]
    if wanted is not None:
        for f in functions:
            if f.decl.name == wanted:
                return f
        span = Span(places.tokens[0].span.source, 0, 0)
        raise mistake("c.no-function", span, wanted=wanted, names=", ".join(names))
    marked = [f for f in functions if list(_pragmas(f.body, ()))]
    some = marked or [f for f in functions if formula(f) is None]
    if not some:
        raise mistake("c.no-nest", places.token(functions[0].decl), name=names[0])
    if len(some) > 1:
        row = "c.which-pragma" if marked else "c.which-function"
        meant = ", ".join(f.decl.name for f in some)
        raise mistake(row, places.token(some[1].decl), names=meant)
    return some[0]


def _arguments(function: c_ast.FuncDef, places: Places) -> tuple[c_ast.Decl, ...]:
    found = []
    given = function.decl.type.args
    for p in given.params if given else ():
        if isinstance(p, c_ast.EllipsisParam | c_ast.ID):
            raise mistake("c.argument-incomplete", places.token(p))
        if isinstance(p, c_ast.Decl):
            found.append(p)
    return tuple(found)


def _whole(
    function: c_ast.FuncDef, name: str | None, arguments: tuple[c_ast.Decl, ...], places: Places
) -> Region:
    """The whole body, without the memory that it allocates before and frees at its end; what a
    `return` at its end uses is used later."""
    items = tuple(function.body.block_items or ())
    used, returned = frozenset[str](), ""
    if name is not None and items and isinstance(items[-1], c_ast.Return):
        used = frozenset(names(items[-1:]))
        plain = isinstance(items[-1].expr, c_ast.ID | c_ast.ArrayRef)
        returned = " ".join(places.span(items[-1].expr).text.split()) if used and not plain else ""
        items = items[:-1]
    items, tail = without_tail(items, places)
    allocated = tuple(x for x in items if _is_heap(x)) if name is not None else ()
    rest, dead, killed = kills([x for x in items if x not in allocated], places)
    after = Afterwards(used, dead={**dead, **released(tail, places)})
    return Region(name, arguments, (allocated,), rest, after, killed, returned)


def _is_heap(node: c_ast.Node) -> bool:
    """`double *t = malloc(...);` (What calloc gives has a content.)"""
    return isinstance(node, c_ast.Decl) and allocates(node.init) not in (None, "calloc")


# -- pragmas -----------------------------------------------------------------------------


def _pragmas(node: c_ast.Node, around: Nodes) -> Iter[_Mark]:
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


def _marks(function: c_ast.FuncDef, places: Places) -> tuple[_Mark | None, _Mark | None]:
    """The one `#pragma scop` and its end."""
    start: _Mark | None = None
    end: _Mark | None = None
    for mark in _pragmas(function.body, ()):
        place = places.token(mark.node)
        opens = mark.node.string == "scop"
        if opens and start is not None:
            raise mistake("c.pragma-twice", place)
        if not opens and (start is None or end is not None):
            raise mistake("c.pragma-ends-nothing", place)
        if not opens and start is not None and start.block is not mark.block:
            raise mistake("c.pragma-apart", place)
        start, end = (mark, end) if opens else (start, mark)
    if start is not None and end is None:
        raise mistake("c.pragma-open", places.token(start.node))
    return start, end


def _position(node: c_ast.Compound, inner: c_ast.Node) -> int:
    """The position of the item of a block that `inner` stands in."""
    return next(
        k for k, item in enumerate(node.block_items) if any(x is inner for x in all_nodes((item,)))
    )


def _declared(node: c_ast.Node, start: _Mark) -> Nodes:
    """What a node around the region declares before it."""
    match node:
        case c_ast.Compound(block_items=items):
            before = items[: _position(node, start.node)]
            kinds = c_ast.Decl | c_ast.Typedef
            return tuple(x for x in before if isinstance(x, kinds))
        case c_ast.For(init=c_ast.DeclList(decls=decls)):
            return tuple(decls)
    return ()


# -- what comes after the region ---------------------------------------------------------


def _used_later(start: _Mark, end: _Mark) -> Iter[str]:
    for node in start.around:
        if isinstance(node, _LOOPS):
            yield from names((node,))
        if isinstance(node, c_ast.Compound):
            yield from names(node.block_items[_position(node, end.node) + 1 :])


def _following(end: _Mark) -> Iter[c_ast.Node]:
    """The statements that are executed after the region, up to the end of a loop around it."""
    for node in reversed(end.around):
        if isinstance(node, c_ast.Compound):
            yield from node.block_items[_position(node, end.node) + 1 :]
        elif not isinstance(node, c_ast.If | c_ast.Label):
            return
