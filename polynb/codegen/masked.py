"""Loops of which gcc makes wrong vectors: reads under a condition, beside each other.

`o[2*t] = c[2*t] > 1 ? b[2*t] : 0; o[2*t+1] = c[2*t] > 1 ? b[2*t+1] : 0;` in one loop gives other
values with gcc 12 and -O3 where the processor has loads with masks (AVX2 and later): of what is
stored, or summed up, side by side it applies the mask of one iteration to others. Whether it does
depends on what its other passes leave, so such kernels have to have no masks (`run/compilers.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator as Iter, Mapping, Sequence

from polynb.source.c.print.together import is_written_out
from polynb.source.functions import EXTREMA
from polynb.source.normal_form import linear_form
from polynb.source.operators import evaluated
from polynb.source.tree import (
    Access,
    Assign,
    Call,
    Expr,
    For,
    If,
    Number,
    Program,
    Select,
    Stmt,
    every,
    expressions,
    iterators,
    walk,
)


def reads_in_groups(program: Program) -> bool:
    """Whether a loop may read cells under conditions for values that it stores into cells beside
    each other, or sums up in several places: sound, not exact."""
    extents = {d.name: d.extents or () for d in program.declarations}
    loops = (s for s in every(program.body) if isinstance(s, For))
    return any(_in_groups(loop, extents) for loop in loops)


def selects_in_vectors(program: Program) -> bool:
    """Whether a loop that is to run in vectors selects one of several values, as the largest and
    the least of numbers do, or calls a function that the program defines, which may."""
    loops = (s for s in every(program.body) if isinstance(s, For) and s.kind == "vector")
    nodes = (x for f in loops for s in every(f.body) for e in expressions(s) for x in walk(e))
    calls = {*EXTREMA, *(f.name for f in program.functions)}
    return any(
        isinstance(x, Select) or (isinstance(x, Call) and x.function in calls) for x in nodes
    )


def _in_groups(loop: For, extents: Mapping[str, Sequence[Expr]]) -> bool:
    stores = [*_stores(loop.body, loop.iterator)]
    if not any(_reads(s, under) for s, _, under in stores):
        return False
    groups = Counter[str]()
    for s, times, _ in stores:
        stride = _stride(s.target, loop, extents[s.target.array])
        if stride == 0 and _sums(s):
            groups[""] += times
        elif stride is not None and abs(stride) > 1:
            groups[s.target.array] += times
    return any(n > 1 for n in groups.values())


def _stores(
    body: Sequence[Stmt], iterator: str, times: int = 1, under: bool = False
) -> Iter[tuple[Assign, int, bool]]:
    """The assignments of an iteration, how often each runs, and whether there is a condition around
    that is not the same in all iterations."""
    for s in body:
        match s:
            case Assign():
                yield s, times, under
            case If(condition=c, then=a, otherwise=b):
                yield from _stores((*a, *b), iterator, times, under or varies(c, iterator))
            case For() if is_written_out(s):
                yield from _stores(s.body, iterator, 2, under)


def varies(e: Expr, iterator: str) -> bool:
    """Whether a value may differ from one iteration to another: whatever is read, may."""
    return iterator in iterators(e) or any(isinstance(x, Access) for x in walk(e))


def _reads(s: Assign, under: bool) -> bool:
    """Whether a cell is read, or not, by a condition."""
    always = set[int]() if under else evaluated(s.value)
    return any(
        isinstance(x, Access) and x.subscripts and id(x) not in always for x in walk(s.value)
    )


def _sums(s: Assign) -> bool:
    return any(isinstance(x, Access) and x.array == s.target.array for x in walk(s.value))


def _stride(target: Access, loop: For, extents: Sequence[Expr]) -> int | None:
    """How many cells lie between those of two iterations; None where compilers do not know it."""
    total, size = 0, 1
    for x, n in zip(reversed(target.subscripts), reversed(extents), strict=True):
        form = linear_form(x)
        if form is None:
            return None
        own = form.terms.get(("i", loop.iterator))
        if own is not None and size == 0:
            return None
        total += (own[0] if own is not None else 0) * size * loop.step
        size = size * n.value if isinstance(n, Number) and isinstance(n.value, int) else 0
    return total
