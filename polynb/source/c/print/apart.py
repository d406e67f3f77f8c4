"""Loops whose iterations may run together in vectors although they write several rows of an array:
compilers are told so.

Whether two cells in rows of n numbers are the same one a compiler does not know: it asks at run
time, in vain where rows alternate, or makes no vectors of the loop. (Nothing is said of loops of
which compilers know: gcc leaves other things undone then, and jacobi-1d ran at 0.83 of its speed.)
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from polynb.source.c.print.together import in_order_together, is_written_out
from polynb.source.normal_form import linear_form, same_form
from polynb.source.tree import Access, Assign, Expr, For, every, expressions, iterators, walk

TOGETHER: Final = "#pragma GCC ivdep"


def rows_apart(loop: For, scalars: Collection[str]) -> bool:
    """Whether a loop accesses a row of an array and writes another one, and no iteration accesses a
    cell that another one writes, as far as subscripts tell (each is within its dimension), but for
    those of local `scalars`; there is no loop inside but such as are written out, and accesses that
    are taken together stay in order."""
    body = tuple(every(loop.body))
    loops = [s for s in body if isinstance(s, For)]
    if not all(map(is_written_out, loops)):
        return False
    inner = {s.iterator for s in loops}
    nodes = [x for s in body for e in expressions(s) for x in walk(e) if isinstance(x, Access)]
    written = [s.target for s in body if isinstance(s, Assign)]
    pairs = [
        tuple(zip(w.subscripts, a.subscripts, strict=True))
        for w in written
        for a in nodes
        if a.array == w.array and (a.subscripts or a.array not in scalars)
    ]
    if not any(not same_form(a, b) for pair in pairs for a, b in pair[:-1]):
        return False
    if not all(any(_differ(a, b, loop, inner) for a, b in pair) for pair in pairs):
        return False
    return in_order_together(loop)


def _differ(a: Expr, b: Expr, loop: For, inner: Collection[str]) -> bool:
    """Whether two subscripts differ in any two iterations of a loop, in whichever of those of
    `inner` ones."""
    first, second = linear_form(a), linear_form(b)
    if first is None or second is None:
        return False
    between = first.plus(second, -1)
    coefficient = first.terms.get(("i", loop.iterator), (0,))[0]
    others = [atom for key, (_, atom) in first.terms.items() if key != ("i", loop.iterator)]
    if between.terms or iterators(*others) & {loop.iterator, *inner}:
        return False
    if not coefficient:
        return between.constant != 0
    return between.constant == 0 or between.constant % (coefficient * loop.step) != 0
