"""What data picks from a row that one statement wrote, computed where it is picked.

A row of cells B[x] that holds f(A[x]) for every x is a table: B[e] is f(A[e]), whatever e is. So a
read whose cell data decides is the writer's expression with the place for its iterator.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Final

from polynb import isl
from polynb.proofs.nodes import Read, ValueNode
from polynb.proofs.program import ProgramModel, Sources
from polynb.source.types import INT64, ElementType

_NUMBERS: Final = count(-2, -1)
"""Of reads that no statement has. (-1: see `ProgramModel`.)"""


class _Opaque(Exception):
    """An expression that is not one of the place alone, or for which that is not seen."""


def inside(program: ProgramModel, load: ValueNode, instances: isl.Set) -> ValueNode | None:
    """The value of a "load" in some instances in terms of what its row was computed from; None
    where the row has several writers there, or nothing in it depends on the place.

    What depends on the place is read at all places of the row, those that nobody wrote among them,
    of which nothing is known: so the value is right where it is shown to be that of another read.
    Where all of the row was written, it is right in any case.
    """
    read: Read = load.operands[0].what
    if read.lift is None or len(read.index) != 1:
        return None
    row = read.lift.intersect_domain(instances).range()
    writers = {w: m.intersect_domain(row) for w, m in program.sources(read).writers.items()}
    writers = {w: m for w, m in writers.items() if not m.is_empty()}
    if len(writers) != 1:
        return None
    ((writer, m),) = writers.items()
    made = _Inside(program, load, m, whole=row.is_subset(m.domain()))
    try:
        value = made.node(program.root(writer))
    except _Opaque:
        return None
    return value if made.places or made.all_written else None


class _Inside:
    """The nodes of a writer where a row is read; `m` is `{ P[j, x] -> W[i] }`, of all places x if
    it has `all_written`. `places`: how many reads depend on the place x."""

    def __init__(self, program: ProgramModel, load: ValueNode, m: isl.Map, whole: bool) -> None:
        self.program, self.home = program, load.home
        self.row: Read = load.operands[0].what
        self.place = load.operands[1]
        assert self.row.lift is not None
        self.lift: isl.Map = self.row.lift
        self.m = m
        self.all_written = whole
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
            case "load":
                return self._load(x)
            case "pick" | "store" | "initial":
                raise _Opaque
        return self.home.make(x.op, x.type, tuple(map(self.node, x.operands)), x.what)

    def _whole(self, x: ValueNode) -> ValueNode:
        values = self.m.apply_range(isl.Map.from_pw_aff(x.what))
        if values.is_subset(self._last()):
            return self.home.convert(x.type, self.place)
        f = self.lift.apply_range(values)
        if not f.is_single_valued():
            return self._multiple(x.type, values)
        return self.home.whole(f.as_pw_multi_aff().get_at(0), x.type)

    def _multiple(self, type: ElementType, values: isl.Map) -> ValueNode:
        """So many times the place, which is no more than what was written."""
        f = values.as_pw_multi_aff().get_at(0).gist(values.domain())
        last = f.dim(isl.IN) - 1
        if not (self.all_written and f.isa_aff()):
            raise _Opaque
        times = f.as_aff().get_coefficient_val(isl.IN, last)
        if not times.is_int() or not values.is_subset(self._last().apply_range(_times(times))):
            raise _Opaque
        factor = self.home.number(times.to_python(), INT64)
        return self.home.convert(type, self.home.binary("*", factor, self.place))

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
        each = {name: self.lift.apply_range(n) for name, n in writers.items()}
        same, first = self.lift.apply_range(cells), self.lift.intersect_range(before).domain()
        sources = _one_source(same, each, first)
        if sources is not None:
            cells = same
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

    def _load(self, x: ValueNode) -> ValueNode:
        """What the writer in turn picks by data, from a row that is the same for all places."""
        r: Read = x.operands[0].what
        if r.lift is None or len(r.index) != 1:
            raise _Opaque
        rows = self.lift.apply_range(self.m).apply_range(r.lift)  # { T[j] -> P[i, z] }
        last = rows.dim(isl.OUT) - 1
        places = rows.project_out(isl.OUT, 0, last).reset_tuple_id(isl.OUT)
        name = f"{r.statement} of {self.row.statement}"
        lift = places.domain_map().reverse().flatten_range().set_tuple_name(isl.OUT, name)
        down = lift.reverse().apply_range(rows)  # { Q[j, z] -> P[i, z] }
        down = down.equate(isl.IN, down.dim(isl.IN) - 1, isl.OUT, last)
        there, cells = self.program.sources(r), down.apply_range(r.cells)
        writers = {name: down.apply_range(n) for name, n in there.writers.items()}
        sources = _one_source(cells, writers, down.intersect_range(there.before).domain())
        if sources is None:
            raise _Opaque
        number, index = next(_NUMBERS), r.index
        read = Read(r.statement, number, r.array, cells, r.type, index, lift, lift.range())
        self.program.add_read(read, sources)
        return self.home.load(read, (self.node(x.operands[1]),))


def _one_source(cells: isl.Map, writers: Mapping[str, isl.Map], before: isl.Set) -> Sources | None:
    """Where the value of a read of cells `{ T[j] -> A[y] }` is from; None if it may be from several
    places."""
    apart = before
    for n in writers.values():
        if not (n.is_single_valued() and n.domain().is_disjoint(apart)):
            return None
        apart = apart.union(n.domain())
    return Sources(writers, before) if cells.is_single_valued() else None


def _times(n: isl.Val) -> isl.Map:
    return isl.read_map(f"{{ [x] -> [{n}x] }}")
