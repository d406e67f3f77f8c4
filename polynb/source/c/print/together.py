"""Loops whose iterations compute the same when compilers take accesses of cells side by side
together, as they do in vectors: `A[x][2*y]` and `A[x][2*y+1]`.

They load where the first one was and store where the last one was. Past what stands in between they
go if they cannot tell whether it is of the same cells, and have been told that iterations are
apart: gcc 12 read `A[k][2*y]` before the `A[x][2*y]` that was written above it, where k was x.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator as Iter, Set
from dataclasses import dataclass
from typing import Final

from polynb.source.normal_form import Linear, linear_form
from polynb.source.tree import (
    Access,
    Assign,
    Expr,
    For,
    every,
    expressions,
    iterators,
    own,
    rebuild,
    walk,
)

WRITTEN_OUT: Final = 16
"""Iterations of a loop, at most, that gcc has one after the other without the loop."""


@dataclass(frozen=True, eq=False)
class _Cell:
    """An access: where it stands, its subscripts, and the iterators in each of them."""

    place: int
    written: bool
    subscripts: tuple[Expr, ...]
    forms: tuple[Linear | None, ...]
    iterators: tuple[frozenset[str], ...]


def in_order_together(loop: For) -> bool:
    """Whether that holds of a loop, as far as subscripts tell."""
    loops = [s for s in every(loop.body) if isinstance(s, For)]
    inner = frozenset(s.iterator for s in loops)
    written_out = frozenset(s.iterator for s in loops if is_written_out(s))
    return all(_in_order(cells, loop, inner, written_out) for cells in _of_each_written(loop))


def is_written_out(loop: For) -> bool:
    """Whether gcc has the few iterations of an inner loop one after the other without it."""
    first, last = linear_form(loop.lower), linear_form(loop.upper)
    if first is None or last is None or first.terms or last.terms:
        return False
    return abs(last.constant - first.constant) < WRITTEN_OUT * abs(loop.step)


def _of_each_written(loop: For) -> Iter[list[_Cell]]:
    """The accesses of each array that is written, in their order."""
    found: dict[str, list[_Cell]] = {}
    written = {s.target.array for s in every(loop.body) if isinstance(s, Assign)}
    for k, s in enumerate(every(loop.body)):
        target = s.target if isinstance(s, Assign) else None
        nodes = (x for e in expressions(s) for x in walk(e) if isinstance(x, Access))
        for x in nodes:
            if x.array in written:
                found.setdefault(x.array, []).append(_cell(x, 2 * k + (x is target), x is target))
    return (sorted(cells, key=lambda c: c.place) for cells in found.values())


def _cell(a: Access, place: int, written: bool) -> _Cell:
    forms, names = map(linear_form, a.subscripts), map(iterators, a.subscripts)
    return _Cell(place, written, a.subscripts, tuple(forms), tuple(names))


def _in_order(cells: list[_Cell], loop: For, inner: Set[str], written_out: Set[str]) -> bool:
    """Whether nothing that may be one of its cells stands inside of any group."""
    bases = [_base(c, written_out) for c in cells]
    for base in dict.fromkeys(bases):
        alike = [c for c, b in zip(cells, bases, strict=True) if b == base]
        for written in (False, True):
            group = [c for c in alike if c.written == written]
            if not _taken_together(group, loop, written_out):
                continue
            repeated = any(i & written_out for c in group for i in c.iterators)
            between = (
                c
                for c, b in zip(cells, bases, strict=True)
                if b != base and (written or c.written)
                if repeated or group[0].place < c.place < group[-1].place
            )
            if not all(_apart(c, g, inner) for c in between for g in group):
                return False
    return True


def _base(c: _Cell, written_out: Set[str]) -> Hashable:
    """What is equal for accesses that are some cells apart, which compilers see."""
    found: list[Hashable] = []
    for form, e in zip(c.forms, c.subscripts, strict=True):
        terms = {} if form is None else form.terms
        kept = ((k, n) for k, (n, _) in terms.items() if k not in {("i", i) for i in written_out})
        found.append(rebuild(e, _written) if form is None else frozenset(kept))
    return tuple(found)


def _written(e: Expr, parts: tuple[Hashable, ...]) -> Hashable:
    return type(e), own(e), parts


def _taken_together(group: list[_Cell], loop: For, written_out: Set[str]) -> bool:
    """Whether accesses of a base are several, now or when loops are written out, and go on in an
    iteration, but not from one cell to the next."""
    if not group or any(
        f is None and loop.iterator in i
        for f, i in zip(group[0].forms, group[0].iterators, strict=True)
    ):
        return False
    constants = {tuple(f and f.constant for f in c.forms) for c in group}
    if len(constants) == 1 and not any(i & written_out for c in group for i in c.iterators):
        return False
    steps = [f.terms.get(("i", loop.iterator), (0,))[0] if f else 0 for f in group[0].forms]
    return any(steps) and abs(steps[-1] * loop.step) != 1


def _apart(a: _Cell, b: _Cell, inner: Set[str]) -> bool:
    """Whether two accesses of an iteration are of different cells, for sure."""
    return any(
        x is not None and y is not None and not inner & (m | n) and _never_nothing(x.plus(y, -1))
        for x, y, m, n in zip(a.forms, b.forms, a.iterators, b.iterators, strict=True)
    )


def _never_nothing(apart: Linear) -> bool:
    """Whether that is not zero: a number, or remainders of numbers that are some apart."""
    match [(key, c) for key, (c, _) in apart.terms.items()]:
        case []:
            return apart.constant != 0
        case [(("mod", x, int(m), int(d)), 1), (("mod", y, int(n), int(e)), -1)]:
            return apart.constant == 0 and x == y and d == e and (m - n) % d != 0
    return False
