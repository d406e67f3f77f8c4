"""The question about an expression of a statement, which a comment answers."""

from __future__ import annotations

from typing import Final

from polynb.scop.doubt import MEANT, Doubt
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression

RIGHT_ONES: Final = "are its subscripts the right ones?"
NAME_OR_CELL: Final = "is another name or cell meant?"


def shown(e: syntax.Expr) -> str:
    """As a person wrote it."""
    return print_expression(e) if e.span is None else e.span.text


def odd(e: syntax.Expr, s: syntax.Node, why: str, asks: str = NAME_OR_CELL) -> Doubt:
    mend = f"{'If they are' if asks == RIGHT_ONES else 'If not'}, {MEANT}"
    return Doubt(f"`{shown(e)}`", "", why, mend, e.span or s.span, asks)
