"""Rows of arrays that a loop finds by a division, as windows of rows are: looked up in front of it.

Compilers make no vectors of a loop in which `A[x - 4 * floord(x, 4)][y]` has a condition, though
its row is the same all along (Harris took 4 times as long).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator as Iter, Sequence

from polynb.source.lower_bounds import LowerBounds
from polynb.source.normal_form import normal_form
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Declaration,
    Expr,
    For,
    Iterator,
    Let,
    Number,
    Stmt,
    expressions,
    walk,
)


def divided_rows(loop: For) -> list[Access]:
    """The accesses `A[r][y]` in a loop whose rows r, one and the same in all iterations, are found
    by a division."""
    return [a for s in _always(loop.body) for e in expressions(s) for a in _rows(e, loop)]


def rows_exist(
    loop: For, rows: Iterable[Access], declared: Iterable[Declaration], known: LowerBounds
) -> bool:
    """Whether rows that each iteration of a loop accesses surely are in bounds, in front of it:
    sound, not exact. Where it has no iterations, they need not be, but those of a window are."""
    extents = {d.name: d.extents or () for d in declared}
    return _runs(loop, known) or all(_in_bounds(a, extents[a.array]) for a in rows)


def _runs(loop: For, known: LowerBounds) -> bool:
    first, last = (loop.lower, loop.upper) if loop.step > 0 else (loop.upper, loop.lower)
    return known.at_least(normal_form(Binary("-", last, first)), 0)


def _in_bounds(row: Access, extents: Sequence[Expr]) -> bool:
    return all(_is_below(x, n) for x, n in zip(row.subscripts[:-1], extents, strict=False))


def _is_below(subscript: Expr, extent: Expr) -> bool:
    match subscript, extent:
        case Number(value=int(x)), Number(value=int(n)):
            return 0 <= x < n
        case Binary(op="mod", right=Number(value=int(d))), Number(value=int(n)):
            return 0 < d <= n
    return False


def _always(body: tuple[Stmt, ...]) -> Iter[Assign]:
    """What each iteration runs: under a condition a row may be none."""
    return (s for s in body if isinstance(s, Assign))


def _rows(e: Expr, loop: For) -> Iter[Access]:
    for a in walk(e):
        if isinstance(a, Access) and len(a.subscripts) > 1:
            nodes = [x for row in a.subscripts[:-1] for x in walk(row)]
            divides = any(isinstance(x, Binary) and x.op in ("floord", "mod") for x in nodes)
            if divides and not any(_differs(x, loop) for x in nodes):
                yield a


def _differs(x: Expr, loop: For) -> bool:
    own = isinstance(x, Iterator) and x.name == loop.iterator
    return own or isinstance(x, Access | Let)
