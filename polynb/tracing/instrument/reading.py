"""What a text says before it is rewritten: what an expression reads, what a statement writes, by
the names of variables; what a loop's head counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pycparser import c_ast

STEPPING: Final = ("++", "--", "p++", "p--")
COMPARING: Final = ("<", "<=", ">", ">=", "!=")
LOOPS: Final = (c_ast.For, c_ast.While, c_ast.DoWhile)


def walk(node: Any) -> Iterator[Any]:
    """It and all that is inside."""
    if node is not None:
        yield node
        for _, child in node.children():
            yield from walk(child)


def names_of(e: Any) -> set[str]:
    """The variables of arithmetic; "" stands for anything else, which no register is called."""
    match e:
        case None | c_ast.Constant():
            return set()
        case c_ast.ID(name=name):
            return {name}
        case c_ast.BinaryOp(left=a, right=b):
            return names_of(a) | names_of(b)
        case c_ast.UnaryOp(op="-" | "+", expr=inner) | c_ast.Cast(expr=inner):
            return names_of(inner)
    return {""}


def written_in(node: Any) -> set[str]:
    """The variables that are assigned somewhere inside."""
    found: set[str] = set()
    for x in walk(node):
        match x:
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)):
                found.add(name)
            case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in STEPPING:
                found.add(name)
    return found


def variables(e: Any) -> set[str]:
    """All names that an expression has."""
    return {x.name for x in walk(e) if isinstance(x, c_ast.ID)}


def steps(s: Any) -> bool:
    """Whether a `for` goes on by one step alone."""
    return isinstance(getattr(s, "next", None), c_ast.UnaryOp | c_ast.Assignment)


def begins(s: Any) -> str:
    """The variable that a `for` sets first; "" where none is, or not alone."""
    match getattr(s, "init", None):
        case c_ast.DeclList(decls=[c_ast.Decl(name=name)]):
            return str(name)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name)):
            return str(name)
    return ""


def iterator_of(s: Any) -> str:
    """The variable that a `for` counts, "" where none is."""
    if not isinstance(s, c_ast.For):
        return ""
    match s.next:
        case c_ast.UnaryOp(expr=c_ast.ID(name=name)) | c_ast.Assignment(lvalue=c_ast.ID(name=name)):
            return str(name)
    match s.init:
        case c_ast.DeclList(decls=[c_ast.Decl(name=name)]):
            return str(name)
        case c_ast.Assignment(lvalue=c_ast.ID(name=name)):
            return str(name)
    return ""


def is_counted(loop: Any, registers: set[str]) -> bool:
    """Whether a `for` counts a variable up or down by a constant or a variable, until it has
    passed a bound, none of which is written in its body: its condition is the iterator's."""
    match loop:
        case c_ast.For(cond=c_ast.BinaryOp(op=op) as cond, next=step) if op in COMPARING:
            pass
        case _:
            return False
    match step:
        case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=iterator)) if op in STEPPING:
            by: Any = None
        case c_ast.Assignment(op="+=" | "-=", lvalue=c_ast.ID(name=iterator), rvalue=by):
            pass
        case _:
            return False
    asked = names_of(cond) | names_of(by)
    fixed = iterator in asked and not asked & written_in(loop.stmt)
    return bool(fixed and asked <= registers and iterator not in names_of(by))


def has_effects(node: Any) -> bool:
    """Whether an expression assigns, or calls something."""
    return any(map(_acts, walk(node)))


def length_acts(node: Any) -> bool:
    """Whether an array's length does. What `sizeof` looks at is not evaluated: such a length may be
    a constant, which no variable may stand for."""
    if isinstance(node, c_ast.UnaryOp) and node.op in ("sizeof", "_Alignof"):
        return False
    inside = () if node is None else node.children()
    return _acts(node) or any(length_acts(child) for _, child in inside)


def _acts(x: Any) -> bool:
    step = isinstance(x, c_ast.UnaryOp) and x.op in STEPPING
    return step or isinstance(x, c_ast.Assignment | c_ast.FuncCall)


def labels(function: Any) -> dict[str, int]:
    """Within how many loops each label of a function stands."""
    found: dict[str, int] = {}

    def look(node: Any, depth: int) -> None:
        if isinstance(node, c_ast.Label):
            found[node.name] = depth
        inner = depth + isinstance(node, LOOPS)
        for _, child in node.children():
            look(child, inner)

    look(function.body, 0)
    return found
