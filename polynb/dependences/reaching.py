"""Which writes of an array may be the last before an access, or the next after it.

Most programs write a cell again and again, nest after nest: of n writes, all but the few nearest
in time are hidden behind these. The search goes from near to far, and stops where no cell is left
that something further away writes.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import accumulate

from polynb import isl
from polynb.dependences.memory import same_cell
from polynb.scop.model import MemoryAccess, Statement

Write = tuple[Statement, MemoryAccess]
"""A write, or a kill, by the statement that does it."""


class Reaching:
    """The `writes` of one array, each under a name; `certain` names those that happen for sure."""

    def __init__(self, writes: Mapping[str, Write], certain: Collection[str]) -> None:
        self._writes = writes
        self._certain = certain
        self._runs = list(_runs(writes))
        self._starts = [writes[run[0]][0].start for run in self._runs]

    @cached_property
    def _first(self) -> list[isl.Set]:
        """`{ A[x] }` of the runs up to each one."""
        return list(accumulate(self._cells, _both))

    @cached_property
    def _last(self) -> list[isl.Set]:
        """`{ A[x] }` of the runs from each one on."""
        return list(accumulate(reversed(self._cells), _both))[::-1]

    @cached_property
    def _cells(self) -> list[isl.Set]:
        return [isl.united(self._writes[n][1].relation.range() for n in run) for run in self._runs]

    def before(self, t: Statement, access: MemoryAccess) -> dict[str, isl.Map]:
        """`{ W[i] -> T[j] }` for the writes that may be the last before j of the cell that T[j]
        touches: earlier ones of this cell, at least all that no certain one is sure to follow."""
        found: dict[str, isl.Map] = {}
        reached = _Reached(access)
        for k in reversed(range(bisect_right(self._starts, (*t.start, math.inf)))):
            if reached.all_in(self._first[k]):
                break
            for name in self._runs[k]:
                pairs = same_cell(self._writes[name], (t, access), strict=True)
                if not pairs.is_empty():
                    found[name] = pairs
                    if name in self._certain:
                        reached.add(pairs.range())
        return self._in_order(found)

    def after(self, s: Statement, access: MemoryAccess, *, strict: bool) -> dict[str, isl.Map]:
        """`{ S[i] -> W[j] }` for the writes that may be the next after i of the cell that S[i]
        touches: later ones of this cell, at least all that no certain one is sure to precede."""
        found: dict[str, isl.Map] = {}
        reached = _Reached(access)
        for k in range(max(bisect_right(self._starts, s.start) - 1, 0), len(self._runs)):
            if reached.all_in(self._last[k]):
                break
            for name in self._runs[k]:
                pairs = same_cell((s, access), self._writes[name], strict=strict)
                if not pairs.is_empty():
                    found[name] = pairs
                    if name in self._certain:
                        reached.add(pairs.domain())
        return self._in_order(found)

    def _in_order(self, found: dict[str, isl.Map]) -> dict[str, isl.Map]:
        """As the writes are: nearer ones were found first."""
        return {name: found[name] for name in self._writes if name in found}


class _Reached:
    """The instances of an access that something certain is known to write the cell of.

    Of an access that touches several cells this tells nothing: another cell may be open."""

    def __init__(self, access: MemoryAccess) -> None:
        self._open: isl.Map = access.relation
        self._one_cell = access.must and access.relation.is_single_valued()
        self._changed = self._one_cell

    def add(self, instances: isl.Set) -> None:
        if self._one_cell:
            self._open = self._open.subtract_domain(instances)
            self._changed = True

    def all_in(self, cells: isl.Set) -> bool:
        """Whether all accesses to these cells are reached. (If they were not, and nothing was
        reached since, they are not asked about again.)"""
        asked, self._changed = self._changed, False
        return asked and bool(self._open.intersect_range(cells).is_empty())


def _runs(writes: Mapping[str, Write]) -> Iterator[list[str]]:
    """The names in the order of time, in runs: all of a run is before all of the next one."""
    run: list[str] = []
    first: tuple[int, ...] = ()
    for name in sorted(writes, key=lambda n: writes[n][0].start):
        start = writes[name][0].start
        if run and start[: len(first)] != first:
            yield run
            run = []
        first = first if run else start
        run.append(name)
    if run:
        yield run


def _both(cells: isl.Set, more: isl.Set) -> isl.Set:
    """Their union, in as few pieces as if none were there twice."""
    return cells if more.is_subset(cells) else cells.union(more)
