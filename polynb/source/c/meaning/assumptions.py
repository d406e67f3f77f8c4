"""What a C text says of its parameters before it does anything: `assert(n >= 1);`, and
`if (n < 1) return;`, after which n is at least 1."""

from __future__ import annotations

from typing import Any, Final

from pycparser import c_ast

from polynb.source.tree import Binary, Expr, Unary

QUIET: Final = c_ast.Decl | c_ast.Typedef | c_ast.EmptyStatement | c_ast.Pragma
"""What may stand before an assumption."""
_OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def assumed(node: Any) -> tuple[Any, bool] | None:
    """The condition of an assumption, and whether it holds afterwards (or its opposite does); None
    of any other statement."""
    match node:
        case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=[condition])) if (
            name == "assert"
        ):
            return condition, True
        case c_ast.If(cond=condition, iftrue=then, iffalse=None) if _leaves(then):
            return condition, False
    return None


def _leaves(node: Any) -> bool:
    """Whether a statement only returns, and no value that is computed."""
    match node:
        case c_ast.Compound(block_items=[only]):
            return _leaves(only)
        case c_ast.Return(expr=None | c_ast.Constant() | c_ast.UnaryOp(expr=c_ast.Constant())):
            return True
    return False


def opposite(e: Expr) -> Expr:
    """The condition that holds where an integer one does not."""
    match e:
        case Binary(op="&&" | "||" as op, left=a, right=b):
            return Binary("||" if op == "&&" else "&&", opposite(a), opposite(b), span=e.span)
        case Binary(op=op, left=a, right=b) if op in _OPPOSITE:
            return Binary(_OPPOSITE[op], a, b, span=e.span)
        case Unary(op="!", operand=x):
            return x
    return Unary("!", e, span=e.span)
