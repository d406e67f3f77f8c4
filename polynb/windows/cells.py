"""The memory of strips: cells of their own, of which windows of rows are enough."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from polynb import isl
from polynb.scop.access import with_accesses
from polynb.scop.extents import inferred_extents
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import member
from polynb.source import tree as syntax
from polynb.source.types import INT32
from polynb.windows.plan import Plan
from polynb.windows.rows import distances, pairs_of


def with_cells(scop: Scop, plan: Plan) -> Scop:
    """The program in which each strip has cells of its own, `A[c, x]`."""

    def moved(s: Statement, a: MemoryAccess) -> MemoryAccess:
        strip = isl.Map.identity(s.domain.get_space().map_from_set()).reset_tuple_id(isl.OUT)
        strip = strip.project_out(isl.OUT, 1, strip.dim(isl.OUT) - 1)
        cell = strip.flat_range_product(a.relation.reset_tuple_id(isl.OUT))
        node = replace(a.node, subscripts=(syntax.Iterator(s.iterators[0]), *a.node.subscripts))
        return replace(a, relation=cell.set_tuple_name(isl.OUT, a.array), node=node)

    scop = _with_moved(scop, plan, plan.windows, moved)
    arrays = dict(scop.arrays)
    for name in plan.windows:
        used = [a for s in scop.statements for a in s.accesses if a.array == name]
        extents = inferred_extents(used, scop.assumed, own=True)
        arrays[name] = replace(arrays[name], extents=tuple(extents))
    return replace(scop, arrays=arrays)


def in_window(scop: Scop, plan: Plan, array: str) -> Scop:
    """The program in which each strip has, of an array, cells of the rows that are needed at a
    time, `A[c, x mod height]`."""
    rows = plan.windows[array]
    k = 1 + rows.subscript

    def moved(_: Statement, a: MemoryAccess) -> MemoryAccess:
        subscripts = list(a.node.subscripts)
        relation = a.relation.apply_range(_modulo(array, len(subscripts), k, rows.height))
        row = syntax.Binary("mod", subscripts[k], _number(rows.height))
        subscripts[k] = row if rows.height > 1 else _number(0)
        return replace(a, relation=relation, node=replace(a.node, subscripts=tuple(subscripts)))

    extents = list(scop.arrays[array].extents)
    extents[k] = _constant(rows.height, scop)
    arrays = {**scop.arrays, array: replace(scop.arrays[array], extents=tuple(extents))}
    return replace(_with_moved(scop, plan, (array,), moved), arrays=arrays)


def _with_moved(
    scop: Scop,
    plan: Plan,
    arrays: Collection[str],
    moved: Callable[[Statement, MemoryAccess], MemoryAccess],
) -> Scop:
    """The program whose accesses to arrays in strips are moved."""
    statements = []
    for s in scop.statements:
        own = [a for a in s.accesses if s.name in plan.statements and a.array in arrays]
        statements.append(with_accesses(s, {id(a): moved(s, a) for a in own}) if own else s)
    return replace(scop, statements=tuple(statements), program=None)


def _constant(n: int, scop: Scop) -> isl.PwAff:
    return isl.PwAff(f"{{ [({n})] }}").align_params(scop.assumed.get_space())


def _number(n: int) -> syntax.Number:
    return syntax.Number(n, INT32)


def rows_keep_apart(scop: Scop, plan: Plan, array: str) -> bool:
    """Whether, of the strips in their order with cells of their own, all accesses to a row of an
    array come before those to the rows that will take its place in the window.

    The first time of those that run together is `scale * row` and between a least and a greatest
    distance more, for all accesses and parameters: the next row in the place is `height` rows on.
    """
    rows = plan.windows[array]
    between: dict[object, tuple[int, int] | None] = {}
    for s in scop.statements:
        for a in s.accesses:
            if a.array != array:
                continue
            row = a.node.subscripts[1 + rows.subscript]
            if (s.name, row) not in between:
                first = member(s.schedule, 1)  # dimension 0 is the strip
                pairs = member(a.relation, 1 + rows.subscript).reverse().apply_range(first)
                between[s.name, row] = distances(pairs_of(pairs), rows.scale, 1)
    bounds = [b for b in between.values() if b is not None]
    if len(bounds) < len(between):
        return False
    return max(b for _, b in bounds) - min(a for a, _ in bounds) < rows.scale * rows.height


def _modulo(array: str, dimensions: int, k: int, height: int) -> isl.Map:
    """`{ A[x] -> A[.., x_k mod height, ..] }`."""
    cells = [f"x{d}" for d in range(dimensions)]
    places = [f"{x} mod {height}" if d == k else x for d, x in enumerate(cells)]
    return isl.read_map(f"{{ {array}[{', '.join(cells)}] -> {array}[{', '.join(places)}] }}")
