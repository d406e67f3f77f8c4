"""Sums of neighbours, row by row: where rounding may differ (`fast_math`), so that rows that are
computed side by side share the sums that they have in common.

The nine neighbours of `A[x][y]` and of `A[x + 1][y]` are in four rows, two of them in common; but
their sums in the order in which somebody wrote them have no part in common. As `(a row) + (a row) +
(a row)` they have two of three, and compilers see it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from polynb.scop.model import Scop, Statement
from polynb.source.normal_form import Linear, linear_form
from polynb.source.tree import (
    Access,
    Binary,
    Expr,
    Number,
    Unary,
    children,
    rebuild,
    with_children,
)
from polynb.source.type_inference import Types
from polynb.source.types import INT32, ElementType

FEWEST: Final = 4
"""Cells of a sum that is worth it."""


@dataclass(frozen=True, eq=False)
class _Cells:
    """`sum of c * A[x]`, with numbers c; one cell at least, all of one floating type."""

    terms: tuple[tuple[float, Access], ...]


def with_row_sums(scop: Scop) -> Scop:
    """The program whose sums of floating cells `c * A[x][y]`, with numbers c, are sums of rows.

    Claims that the values are the same but for rounding.
    """
    types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
    changed = tuple(_regrouped(s, types) for s in scop.statements)
    if all(a is b for a, b in zip(changed, scop.statements, strict=True)):
        return scop
    return replace(scop, statements=changed, program=None)


def _regrouped(s: Statement, types: Types) -> Statement:
    sums: dict[int, _Cells | None] = {}

    def visit(e: Expr, parts: tuple[Expr, ...]) -> Expr:
        # A sum is regrouped where it ends: below what is none.
        own = children(e)
        sums[id(e)] = _cells(e, [sums[id(c)] for c in own], types)
        if sums[id(e)] is None and not isinstance(e, Access):
            parts = tuple(_by_rows(p, sums[id(c)], types) for c, p in zip(own, parts, strict=True))
        return with_children(e, parts)

    expression = _by_rows(rebuild(s.expression, visit), sums[id(s.expression)], types)
    return s if expression is s.expression else replace(s, expression=expression)


def _cells(e: Expr, parts: Sequence[_Cells | None], types: Types) -> _Cells | None:
    """The sum of cells that an expression is, None if it is none."""
    match e:
        case Access() if e.subscripts and types.of(e).is_float:
            return _Cells(((1.0, e),))
        case Unary(op="-"):
            return _scaled(parts[0], -1.0)
        case Binary(op="+" | "-" as op):
            left, right = parts[0], _scaled(parts[1], 1.0 if op == "+" else -1.0)
            if left is None or right is None or types.of(e.left) is not types.of(e.right):
                return None
            return _Cells(left.terms + right.terms)
        case Binary(op="*", left=Number(value=c, type=t), right=x) if _alike(t, e, x, types):
            return _scaled(parts[1], float(c))
        case Binary(op="*", left=x, right=Number(value=c, type=t)) if _alike(t, e, x, types):
            return _scaled(parts[0], float(c))
    return None


def _alike(factor: ElementType, product: Expr, x: Expr, types: Types) -> bool:
    """Whether a factor leaves what is multiplied in its type, in which it is added up later."""
    return factor in (INT32, types.of(x)) and types.of(product) is types.of(x)


def _scaled(cells: _Cells | None, c: float) -> _Cells | None:
    if cells is None or c == 0:
        return None
    return _Cells(tuple((c * factor, a) for factor, a in cells.terms))


def _by_rows(e: Expr, cells: _Cells | None, types: Types) -> Expr:
    """The expression of a sum of cells as one of sums of rows, if there are several of several
    cells; else as it is."""
    if cells is None or len(cells.terms) < FEWEST:
        return e
    rows: dict[Hashable, list[tuple[float, Access]]] = {}
    for c, a in cells.terms:
        row = _row(a)
        if row is None:
            return e
        rows.setdefault(row, []).append((c, a))
    if sum(len(r) > 1 for r in rows.values()) < 2:
        return e
    parts = []
    for cells_of_row in rows.values():
        ordered = sorted(cells_of_row, key=lambda term: _place(term[1]))
        first = ordered[0][0]
        same = all(_exactly(c, first) for c, _ in ordered)
        factor = first if same else 1.0
        parts.append((factor, _sum([(c / factor, a) for c, a in ordered], types)))
    return _sum(parts, types)


def _exactly(c: float, factor: float) -> bool:
    """Whether c is a short number of times the factor, so that no more is rounded than before."""
    quotient = c / factor
    return quotient * factor == c and quotient.as_integer_ratio()[1] <= 2**10


def _row(a: Access) -> Hashable | None:
    """What tells the row of a cell: its array and all subscripts but the constant of the last."""
    forms = [linear_form(x) for x in a.subscripts]
    if any(f is None for f in forms):
        return None
    known = [(tuple(_terms(f)), f.constant) for f in forms if f is not None]
    return a.array, tuple(known[:-1]), known[-1][0]


def _terms(form: Linear) -> list[tuple[str, int]]:
    return sorted((repr(key), c) for key, (c, _) in form.terms.items())


def _place(a: Access) -> int:
    form = linear_form(a.subscripts[-1])
    return form.constant if form is not None else 0


def _sum(terms: Sequence[tuple[float, Expr]], types: Types) -> Expr:
    """`c * e` added up, as somebody would write it."""
    (c, e), *others = terms
    start = _times(c, e, types)
    return reduce(lambda so_far, t: _plus(so_far, t[0], t[1], types), others, start)


def _plus(e: Expr, c: float, other: Expr, types: Types) -> Expr:
    return Binary("-" if c < 0 else "+", e, _times(abs(c), other, types))


def _times(c: float, e: Expr, types: Types) -> Expr:
    if c == 1:
        return e
    return Unary("-", e) if c == -1 else Binary("*", Number(c, types.of(e)), e)
