"""What an innermost loop computes again and again at few different subscripts, kept in tables.

Where two rows of a coarse grid are blended for every pixel, eight pixels in a row blend the same
cells: a function of `y/8` has an eighth as many values as the loop has iterations. So the loop is
cut into strips, as in `recurrences_strips`, and before each strip a table is filled with all the
values that it may need:

    for s = 0 to floord(N, 256) do
      for k = 32*s to min(floord(N, 8), 32*s + 31) do
        b[k - 32*s] = w * A[x][k] + (1 - w) * A[x+1][k];
      done
      for y = 256*s to min(N, 256*s + 255) do
        Out[x][y] = b[floord(y, 8) - 32*s] * C[y];
      done
    done

A second argument may depend on data, if the array it is a subscript of has few cells along it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator as Iter, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.codegen.names import Names
from polynb.codegen.recurrences_cut import Cut, Strips, filling
from polynb.codegen.recurrences_functions import Functions, Quotient
from polynb.codegen.recurrences_place import (
    NOT_UP,
    Refusal,
    Row,
    clobbered,
    counts_up,
    row_of,
)
from polynb.codegen.recurrences_plan import access_of, in_bounds
from polynb.codegen.recurrences_shapes import operations
from polynb.codegen.traps import may_trap
from polynb.scop.model import Array, Scop, Statement
from polynb.source.normal_form import normal_form
from polynb.source.tree import (
    Access,
    Binary,
    Expr,
    Iterator,
    Number,
    children,
    evaluated,
    rebuild,
    walk,
    with_children,
)
from polynb.source.type_inference import Types
from polynb.source.types import INT32

FEW: Final = 64
"""Cells along a dimension that data decides the place in: all their values are in the table."""


@dataclass(frozen=True)
class Dimension:
    """Of a table, `size` cells long. Arguments are `floord(y + shift, divisor)`, with shifts from
    `least` to `most`; the first cell of strip s has the value at `s * per_strip + first`. Where
    data decides, the divisor is 0, and each strip has all values from 0 on."""

    size: int
    divisor: int = 0
    least: int = 0
    most: int = 0
    per_strip: int = 0
    first: int = 0


@dataclass(frozen=True, eq=False)
class Table:
    """A function that is worth a table: its number, one of its nodes, that one's arguments."""

    function: int
    node: Expr
    arguments: tuple[int, ...]
    dimensions: tuple[Dimension, ...]

    @property
    def cells(self) -> int:
        return math.prod(d.size for d in self.dimensions)


@dataclass(frozen=True, eq=False)
class TablePlan:
    statement: Statement
    row: Row
    functions: Functions
    tables: tuple[Table, ...]
    length: int


def plan_tables(
    scop: Scop, s: Statement, least: int, types: Types, length: int
) -> TablePlan | Refusal | None:
    """The tables of a statement, for strips of `length` iterations, why there can be none, or None
    if none is worth it. `least`: the operations that a value must take."""
    e = s.expression
    if not s.iterators or operations(e)[id(e)] < 2 * least:
        return None
    row = row_of(scop, s)
    if isinstance(row, Refusal):
        return None
    functions = Functions(row.iterator)
    unfit: dict[int, Refusal] = {}
    tables: list[Table] = []
    for t in _tables(scop, e, functions, least, length, row.trips, unfit):
        refused = _refused(scop, s, row, functions, t, types)
        if refused is None:
            tables.append(t)
        else:
            unfit[t.function] = refused
    if not tables:
        return next(iter(unfit.values()), None)
    return TablePlan(s, row, functions, tuple(tables), length)


def _refused(
    scop: Scop, s: Statement, row: Row, functions: Functions, t: Table, types: Types
) -> Refusal | None:
    if s.guard is not None:
        return Refusal("data decides whether it runs")
    if not counts_up(s, row):
        return Refusal(NOT_UP)
    value = functions.replaced(t.node, t.arguments, tuple("k" for _ in t.arguments))
    if any(may_trap(x, types) for x in walk(value)):
        return Refusal("its values cannot be computed where no copy does")
    nodes = _copies(functions, t, s.expression)
    reads = {id(a): a for x in nodes for a in walk(x) if isinstance(a, Access)}
    return clobbered(scop, s, row, [(access_of(s, a, s.domain), None) for a in reads.values()])


def _tables(
    scop: Scop,
    e: Expr,
    functions: Functions,
    least: int,
    length: int,
    trips: int | None,
    unfit: Mapping[int, Refusal],
) -> Iter[Table]:
    """The functions to keep, the one that saves most first. What only they compute is not looked
    at again, nor what they are a part of; nor what has meanwhile become `unfit`."""
    cost = operations(e)
    iterations = length if trips is None else min(length, trips)
    kept: set[int] = set()
    known: dict[tuple[int, frozenset[tuple[int, ...]]], Table | None] = {}
    while True:
        best: tuple[int, Table] | None = None
        for function, nodes in _by_function(e, functions, kept).items():
            each = cost[id(next(iter(nodes.values())))]
            if each < least or function in unfit:
                continue
            key = function, frozenset(nodes)
            if key not in known:
                known[key] = _table(scop, functions, function, nodes, length)
            table = known[key]
            if table is None:
                continue
            # Reading a cell, and writing it, is about one operation.
            saved = len(nodes) * iterations * (each - 1) - table.cells * (each + 1)
            if saved > 0 and (best is None or saved > best[0]):
                best = saved, table
        if best is None:
            return
        yield best[1]
        if best[1].function not in unfit:
            kept.add(best[1].function)


def _by_function(
    e: Expr, functions: Functions, kept: set[int]
) -> dict[int, dict[tuple[int, ...], Expr]]:
    """The nodes that are not inside of what is kept, nor around it, by function and arguments."""

    def is_kept(node: Expr) -> bool:
        copy = functions.of(node)
        return copy is not None and copy.function in kept

    around: dict[int, bool] = {}
    rebuild(e, lambda node, parts: any(parts) or is_kept(node), around)
    found: dict[int, dict[tuple[int, ...], Expr]] = {}
    seen, stack = set[int](), [e]
    while stack:
        node = stack.pop()
        if id(node) in seen or is_kept(node):
            continue
        seen.add(id(node))
        copy = functions.of(node)
        plain = isinstance(node, Access) or around[id(node)]
        if copy is not None and copy.arguments and not plain:
            found.setdefault(copy.function, {}).setdefault(copy.arguments, node)
        stack.extend(reversed(children(node)))
    return found


def _copies(functions: Functions, t: Table, e: Expr) -> Iter[Expr]:
    for x in walk(e):
        copy = functions.of(x)
        if copy is not None and copy.function == t.function:
            yield x


def _table(
    scop: Scop,
    functions: Functions,
    function: int,
    nodes: Mapping[tuple[int, ...], Expr],
    length: int,
) -> Table | None:
    """The table of a function; None if its arguments are neither divisions nor few."""
    first, node = next(iter(nodes.items()))
    dimensions: list[Dimension] = []
    for arguments in zip(*nodes, strict=True):
        try:
            quotients = [functions.quotient(a) for a in arguments]
        except ValueError:
            return None
        divided = [q for q in quotients if q is not None]
        if not divided:
            few = _few(scop, functions, node, arguments[0])
            dimension = None if few is None else Dimension(few)
        elif len(divided) == len(quotients):
            dimension = _divided(divided, length)
        else:
            dimension = None
        if dimension is None:
            return None
        dimensions.append(dimension)
    if all(d.divisor == 1 for d in dimensions):
        return None  # copies that are shifted: see recurrences_shapes
    return Table(function, node, first, tuple(dimensions))


def _divided(quotients: Sequence[Quotient], length: int) -> Dimension | None:
    divisor, shifts = quotients[0].divisor, [q.shift for q in quotients]
    least, most = min(shifts), max(shifts)
    if length % divisor or any(q.divisor != divisor for q in quotients):
        return None
    first, last = least // divisor, (length - 1 + most) // divisor
    return Dimension(last - first + 1, divisor, least, most, length // divisor, first)


def _few(scop: Scop, functions: Functions, node: Expr, argument: int) -> int | None:
    """How many values a subscript that data decides can have, if they are few: as many as all
    arrays have cells there that are surely read with it."""
    sizes, surely = [], evaluated(node)
    for x in walk(node):
        if isinstance(x, Access) and id(x) in surely:
            for e, extent in zip(x.subscripts, scop.arrays[x.array].extents, strict=True):
                if functions.number(e) == argument:
                    sizes.append(_constant(extent))
    known = [n for n in sizes if n is not None]
    return min(known) if known and min(known) <= FEW else None


def _constant(extent: isl.PwAff | None) -> int | None:
    if extent is None:
        return None
    value = isl.Set.from_pw_aff(extent).dim_max_val(0)
    least = isl.Set.from_pw_aff(extent).dim_min_val(0)
    return value.to_python() if value.is_int() and value.eq(least) else None


# -- the statements ---------------------------------------------------------------------------


def make_tables(
    scop: Scop, plan: TablePlan, names: Names, labels: Names, types: Types
) -> Strips | Refusal:
    """The statements of a plan. Schedules are those of the statement: the caller sets the right
    ones. Tables with cells that might read out of bounds are left out; refused if all have."""
    s, row, tables = plan.statement, plan.row, plan.tables
    cut = Cut(s, row, names.unique(f"{row.iterator}_strip"), plan.length)
    space = s.domain.get_space().params()
    while tables:
        buffers = {t.function: names.fresh("b") for t in tables}
        maker = _Maker(plan.functions, tables, cut, buffers)
        own = cut.own(maker.from_tables(s.expression))
        fills = [maker.filling(t, own, names, labels) for t in tables]
        fit = [all(in_bounds(scop, r) for r in new.reads) for new, _, _ in fills]
        if all(fit):
            break
        tables = tuple(t for t, fine in zip(tables, fit, strict=True) if fine)
    else:
        return Refusal("its values cannot be computed where no copy does")
    arrays = []
    for t in tables:
        extents = tuple(isl.PwAff(f"{{ [{d.size}] }}").align_params(space) for d in t.dimensions)
        why = f"values that {s.name} uses again and again"
        kind = types.of(t.node)
        arrays.append(Array(buffers[t.function], kind, extents, "temp", sized=True, why=why))
    return Strips(
        tuple((new,) for new, _, _ in fills),
        own,
        cut.numbered(),
        tuple(arrays),
        {new.name: like for new, like, _ in fills},
        {new.name: loops for new, _, loops in fills},
    )


@dataclass(frozen=True, eq=False)
class _Maker:
    functions: Functions
    tables: tuple[Table, ...]
    cut: Cut
    buffers: Mapping[int, str]

    def from_tables(self, e: Expr) -> Expr:
        """The expression with reads of tables."""
        functions = self.functions
        tables = {t.function: t for t in self.tables}
        cells: dict[tuple[int, tuple[int, ...]], Access] = {}

        def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
            copy = functions.of(node)
            t = tables.get(copy.function) if copy is not None else None
            if copy is None or t is None:
                return with_children(node, parts)
            key = copy.function, copy.arguments
            if key not in cells:
                arguments = [functions.argument[a] for a in copy.arguments]
                cells[key] = self.cell(t, arguments)
            return cells[key]

        result: Expr = rebuild(e, visit)
        return result

    def cell(self, t: Table, arguments: Sequence[Expr]) -> Access:
        return Access(
            self.buffers[t.function],
            tuple(self.place(d, a) for d, a in zip(t.dimensions, arguments, strict=True)),
        )

    def place(self, d: Dimension, argument: Expr) -> Expr:
        """Where in its dimension a table has the values at an argument."""
        if not d.divisor:
            return argument
        before = Binary("*", Number(d.per_strip, INT32), Iterator(self.cut.strip))
        inside = Binary("-", argument, before)
        sign = "-" if d.first >= 0 else "+"
        return normal_form(Binary(sign, inside, Number(abs(d.first), INT32)))

    def filling(
        self, t: Table, own: Statement, names: Names, labels: Names
    ) -> tuple[Statement, isl.Map, isl.Map]:
        """`b[k - ...] = f(k);` for all arguments of a strip, `{ S_b[s, i, k] }`, with what it is
        like and its own loops (see `Strips`). The innermost iterator gives its place to the first
        argument."""
        label = labels.unique(f"{own.name}_{self.buffers[t.function]}")
        arguments = tuple(names.fresh("k") for _ in t.dimensions)
        position, more = self.cut.position, len(t.dimensions) - 1
        like = isl.Map.identity(own.domain.get_space().map_from_set())
        like = like.insert_dims(isl.IN, position, 1).project_out(isl.IN, position + 1, 1)
        like = like.add_dims(isl.IN, more).set_tuple_name(isl.IN, label)
        values = self.values(t, own.domain)
        iterators = list(own.iterators)
        iterators[position] = arguments[0]
        iterators += arguments[1:]
        needed = own.domain.apply(values.set_tuple_name(isl.OUT, label))
        domain = isl.with_dim_names(needed, isl.SET, iterators)
        e = self.functions.replaced(t.node, t.arguments, arguments)
        target = self.cell(t, [Iterator(k) for k in arguments])
        own_loops = isl.Map.identity(domain.get_space().map_from_set()).reset_tuple_id(isl.OUT)
        kept = (position, *range(len(iterators) - more, len(iterators)))
        for k in reversed(range(len(iterators))):
            own_loops = own_loops if k in kept else own_loops.project_out(isl.OUT, k, 1)
        statement = filling(own, label, tuple(iterators), domain, target, e)
        return statement, like, own_loops

    def values(self, t: Table, domain: isl.Set) -> isl.Map:
        """`{ S[s, i] -> [s, i, k] }`: the arguments an instance needs, and all between."""
        own, position = domain.dim(isl.SET), self.cut.position
        length = own + len(t.dimensions) - 1
        iterators = [f"i{k}" for k in range(own)]
        places = [f"o{k}" for k in range(length)]
        arguments = [places[position], *places[own:]]
        said = [f"{o} = {i}" for k, (i, o) in enumerate(zip(iterators, places, strict=False))
                if k != position]  # fmt: skip
        for d, k in zip(t.dimensions, arguments, strict=True):
            if d.divisor:
                y = iterators[position]
                said += [f"{y} + {d.least} - {d.divisor} < {d.divisor}*{k} <= {y} + {d.most}"]
            else:
                said += [f"0 <= {k} < {d.size}"]
        text = f"{{ [{', '.join(iterators)}] -> [{', '.join(places)}] : {' and '.join(said)} }}"
        name = domain.get_tuple_name()
        found: isl.Map = isl.read_map(text).set_tuple_name(isl.IN, name)
        return found.align_params(domain.get_space())
