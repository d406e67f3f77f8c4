"""How long iterations of a loop wait for what those before have computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polynb.optimising.counted import CountedAccess, CountedLoop, CountedStatement

STORED: Final = 6
"""Cycles until a value is read again that was just stored: no register holds a cell of which data
decides which one it is."""


def chain(loop: CountedLoop, runs: Sequence[CountedStatement]) -> float:
    """Cycles from one iteration to the next of statements that update what they wrote just before:
    those of one cell wait for each other. So do cells in several rows of an array, and in one if
    others are read: a compiler that cannot tell that they are apart keeps none in a register. (A
    cell of which data decides which one it is is in none anyway, and waits for its own row only.)
    """
    cells: dict[object, dict[object, dict[object, float]]] = {}
    for x in runs:
        target, *reads = x.references
        if x.name in loop.waits and any(_before(target, r, loop.iterator) for r in reads):
            chosen, own = None in target.forms, row_of(target)
            row = cells.setdefault(own if chosen else target.array, {}).setdefault(own, {})
            waits = x.latency + (STORED if chosen else 0)
            row[target.forms] = row.get(target.forms, 0.0) + waits
    read = {(r.array, row_of(r)) for x in runs for r in x.references}
    slowest = 0.0
    for array, rows in cells.items():
        among_others = len(rows) == 1 and any(a == array and row not in rows for a, row in read)
        slowest = max(
            slowest, sum((sum if among_others else max)(r.values()) for r in rows.values())
        )
    return slowest


def row_of(r: CountedAccess) -> object:
    """The same for cells of which a compiler can tell whether they are the same one."""
    return r.forms[:-1], shape(r)


def _before(target: CountedAccess, read: CountedAccess, iterator: str) -> bool:
    """Whether what it reads is what a few iterations before wrote: the one cell of them all, or one
    at a fixed distance."""
    if read.array != target.array or shape(read) != shape(target):
        return False
    return read.forms != target.forms or _stays(target, iterator)


def _stays(r: CountedAccess, iterator: str) -> bool:
    """Whether it is one cell in all iterations of a loop, or data decides which one of a few: that
    is mostly the one before (of pixels beside each other, say)."""
    return not any(f is not None and f.mentions(iterator) for f in r.forms)


def shape(r: CountedAccess) -> object:
    """Its subscripts but for constants: cells of one shape are at fixed distances."""
    return tuple([None if f is None else f.terms for f in r.forms])
