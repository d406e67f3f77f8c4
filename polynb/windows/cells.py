"""The memory of strips: cells of their own, of which windows of rows are enough."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from polynb import isl
from polynb.scop.access import with_accesses
from polynb.scop.extents import inferred_extents
from polynb.scop.fresh_names import Names, global_names
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.source import tree as syntax
from polynb.source.types import INT32
from polynb.windows.plan import Plan
from polynb.windows.rows import RowTimes


def with_cells(scop: Scop, plan: Plan, windows: Collection[str]) -> Scop:
    """The program in which each strip has cells of its own, `A[c, x]`; of `windows`, those of the
    rows that are needed at a time, `A[c, x mod height]`."""

    def moved(s: Statement, a: MemoryAccess) -> MemoryAccess:
        strip = isl.Map.identity(s.domain.get_space().map_from_set()).reset_tuple_id(isl.OUT)
        strip = strip.project_out(isl.OUT, 1, strip.dim(isl.OUT) - 1)
        rows, subscripts = plan.windows[a.array], list(a.node.subscripts)
        relation = a.relation
        if a.array in windows:
            relation = relation.apply_range(_modulo(a.array, len(subscripts), rows))
            row = syntax.Binary("mod", subscripts[rows.subscript], _number(rows.height))
            subscripts[rows.subscript] = row if rows.height > 1 else _number(0)
        cell = strip.flat_range_product(relation.reset_tuple_id(isl.OUT))
        node = replace(a.node, subscripts=(syntax.Iterator(s.iterators[0]), *subscripts))
        return replace(a, relation=cell.set_tuple_name(isl.OUT, a.array), node=node)

    statements = []
    for s in scop.statements:
        own = [
            a for a in (*s.reads, s.write) if s.name in plan.statements and a.array in plan.windows
        ]
        statements.append(with_accesses(s, {id(a): moved(s, a) for a in own}) if own else s)
    arrays = dict(scop.arrays)
    for name, rows in plan.windows.items():
        used = [a for s in statements for a in (*s.reads, s.write) if a.array == name]
        extents = list(inferred_extents(used, scop.assumed, own=True))
        if name in windows:
            extents[1 + rows.subscript] = _constant(rows.height, scop)
        arrays[name] = replace(arrays[name], extents=tuple(extents))
    return replace(scop, statements=tuple(statements), arrays=arrays, program=None)


def _constant(n: int, scop: Scop) -> isl.PwAff:
    return isl.PwAff(f"{{ [({n})] }}").align_params(scop.assumed.get_space())


def _number(n: int) -> syntax.Number:
    return syntax.Number(n, INT32)


def stored(scop: Scop, plan: Plan) -> Scop:
    """The program with cells of the strips' own, its arrays in windows, `{ A[c, x] -> A_rows[c, x
    mod height] }`."""
    arrays = dict(scop.arrays)
    names = Names(global_names(scop))
    for name, rows in plan.windows.items():
        array = arrays[name]
        memory = names.unique(f"{name}_rows")
        storage = _modulo(name, len(array.extents), rows, first=1)
        arrays[memory] = replace(array, name=memory)
        arrays[name] = replace(array, storage=storage.set_tuple_name(isl.OUT, memory))
    return replace(scop, arrays=arrays)


def _modulo(array: str, dimensions: int, rows: RowTimes, first: int = 0) -> isl.Map:
    """`{ A[x] -> A[.., x_k mod height, ..] }`, the `first` dimensions being those of strips."""
    cells, k = [f"x{d}" for d in range(dimensions)], first + rows.subscript
    places = [f"{x} mod {rows.height}" if d == k else x for d, x in enumerate(cells)]
    return isl.read_map(f"{{ {array}[{', '.join(cells)}] -> {array}[{', '.join(places)}] }}")
