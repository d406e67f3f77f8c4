"""What an expression reads, and what a statement writes, by the names of variables."""

from __future__ import annotations

from typing import Any, Final

from pycparser import c_ast

STEPPING: Final = ("++", "--", "p++", "p--")


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
    match node:
        case c_ast.Assignment(lvalue=place) if isinstance(place, c_ast.ID):
            found = {place.name}
        case c_ast.UnaryOp(op=op, expr=place) if op in STEPPING and isinstance(place, c_ast.ID):
            found = {place.name}
    return found.union(*(written_in(child) for _, child in node.children())) if node else found
