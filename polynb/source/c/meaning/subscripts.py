"""Subscripts that name no cell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from pycparser import c_ast

from polynb.errors import Edit, Span
from polynb.source.c.meaning.symbols import Symbol
from polynb.source.c.meaning.types import refuse
from polynb.source.c.read.grammar import Places


def refuse_lists(array: str, subscripts: Iterable[Any], places: Places) -> None:
    """Raises PolynbError for `A[i, j]`, of which C sees the last one alone."""
    for x in subscripts:
        if isinstance(x, c_ast.ExprList):
            inside = "][".join(places.span(e).text for e in x.exprs)
            refuse(
                "every subscript has its own brackets",
                places.span(x),
                hint=f"`{array}[{inside}]`",
                fix=[Edit(places.span(x), inside)],
            )


def refuse_rank(symbol: Symbol, count: int, span: Span) -> NoReturn:
    """Refuse more or fewer subscripts than an array has."""
    dims = f"has {symbol.rank} subscript{'s' * (symbol.rank != 1)}"
    refuse(
        f"{symbol.name} {dims if symbol.rank else 'is a scalar'}, "
        f"not {count} subscript{'s' * (count != 1)}",
        span,
        reason="an access names one cell",
        hint=f"`{symbol.name}{'[i]' * (symbol.rank or 0)}`",
    )
