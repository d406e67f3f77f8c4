"""What data picks from a row that one statement wrote, computed where it is picked.

A row of cells B[x] that holds f(A[x]) for every x is a table: B[e] is f(A[e]), whatever e is. So a
read whose cell data decides is the writer's expression with the place for its iterator.
"""

from __future__ import annotations

from itertools import count
from typing import Final

from polynb import isl
from polynb.proofs.nodes import Read, ValueNode
from polynb.proofs.program import ProgramModel, Sources

_NUMBERS: Final = count(-2, -1)
"""Of reads that no statement has. (-1: see `ProgramModel`.)"""


class _Opaque(Exception):
    """An expression that is not one of the place alone, or for which that is not seen."""


def inside(program: ProgramModel, load: ValueNode) -> ValueNode | None:
    """The value of a "load" in terms of what its row was computed from; None where the row has
    several writers, or nothing in it depends on the place.

    What depends on the place is read at all places of the row, those that nobody wrote among them,
    of which nothing is known: so the value is right where it is shown to be that of another read.
    """
    cell, *places = load.operands
    read: Read = cell.what
    if read.lift is None or len(places) != 1 or len(read.index) != 1:
        return None
    writers = program.sources(read).writers
    if len(writers) != 1:
        return None
    ((writer, m),) = writers.items()
    made = _Inside(program, load, m)
    try:
        value = made.node(program.root(writer))
    except _Opaque:
        return None
    return value if made.places else None


class _Inside:
    """The nodes of a writer where a row is read; `m` is `{ P[j, x] -> W[i] }`. `places`: how many
    reads depend on the place x."""

    def __init__(self, program: ProgramModel, load: ValueNode, m: isl.Map) -> None:
        self.program, self.home = program, load.home
        self.row: Read = load.operands[0].what
        self.place = load.operands[1]
        assert self.row.lift is not None
        self.lift: isl.Map = self.row.lift
        self.m = m
        self.places = 0
        self._done: dict[int, ValueNode] = {}

    def node(self, x: ValueNode) -> ValueNode:
        if x.number not in self._done:
            self._done[x.number] = self._made(x)
        return self._done[x.number]

    def _made(self, x: ValueNode) -> ValueNode:
        match x.op:
            case "whole":
                return self._whole(x)
            case "read":
                return self._read(x.what)
            case "pick" | "load" | "store" | "initial":
                raise _Opaque
        return self.home.make(x.op, x.type, tuple(map(self.node, x.operands)), x.what)

    def _whole(self, x: ValueNode) -> ValueNode:
        values = self.m.apply_range(isl.Map.from_pw_aff(x.what))
        if values.is_subset(self._last()):
            return self.home.convert(x.type, self.place)
        f = self.lift.apply_range(values)
        if not f.is_single_valued():
            raise _Opaque
        return self.home.whole(f.as_pw_multi_aff().get_at(0), x.type)

    def _last(self) -> isl.Map:
        """`{ P[j, x] -> [x] }`"""
        domain = self.m.domain()
        last = domain.dim(isl.SET) - 1
        return isl.Map.from_domain(domain).add_dims(isl.OUT, 1).equate(isl.IN, last, isl.OUT, 0)

    def _read(self, r: Read) -> ValueNode:
        if r.lift is not None or r.index:
            raise _Opaque
        there = self.program.sources(r)
        cells = self.m.apply_range(r.cells)
        writers = {name: self.m.apply_range(n) for name, n in there.writers.items()}
        before = self.m.intersect_range(there.before).domain()
        here = self._at_any_place(cells, writers, before)
        if here is not None:
            cells, sources = here
            read = Read(self.home.statement, next(_NUMBERS), r.array, cells, r.type)
            self.program.add_read(read, sources)
            return self.home.load(read, ())
        self.places += 1
        row = self.row
        assert row.domain is not None
        left = row.domain
        for n in writers.values():
            left = left.subtract(n.domain())
        read = Read(
            *(row.statement, next(_NUMBERS), r.array, cells, r.type),
            index=row.index,
            lift=row.lift,
            domain=row.domain,
        )
        self.program.add_read(read, Sources(writers, left))
        return self.home.load(read, (self.place,))

    def _at_any_place(
        self, cells: isl.Map, writers: dict[str, isl.Map], before: isl.Set
    ) -> tuple[isl.Map, Sources] | None:
        """The cell `{ T[j] -> A[y] }` that is read for all places x, and where its value is from;
        None if that depends on the place."""
        each = {name: self.lift.apply_range(n) for name, n in writers.items()}
        same, first = self.lift.apply_range(cells), self.lift.intersect_range(before).domain()
        apart = first
        for n in each.values():
            if not (n.is_single_valued() and n.domain().is_disjoint(apart)):
                return None
            apart = apart.union(n.domain())
        return (same, Sources(each, first)) if same.is_single_valued() else None
