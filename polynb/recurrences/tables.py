"""What an innermost loop computes again and again at few different subscripts, kept in tables.

Where two rows of a coarse grid are blended for every pixel, eight pixels in a row blend the same
cells: a function of `y/8` has an eighth as many values as the loop has iterations. So the loop is
cut into strips, as in `strips.py`, and before each strip a table is filled with all the
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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.recurrences.functions import RepeatedFunctions
from polynb.recurrences.innermost import Refusal
from polynb.recurrences.plan_shifted import reads_inside
from polynb.recurrences.plan_tables import Dimension, FunctionTable, TablePlan
from polynb.recurrences.strip_mine import StripMining, Strips, filling
from polynb.scop.fresh_names import Names
from polynb.scop.model import Array, Scop, Statement
from polynb.source.normal_form import normal_form
from polynb.source.tree import Access, Binary, Expr, Iterator, Number, rebuild, with_children
from polynb.source.type_inference import Types
from polynb.source.types import INT32


def make_tables(
    scop: Scop, plan: TablePlan, names: Names, labels: Names, types: Types
) -> Strips | Refusal:
    """The statements of a plan: the statement itself, `{ S[s, i] }`, and for each table one that
    fills it, `{ S_b[s, i, k] }`, which writes `{ b[k] }`. Schedules are those of the statement:
    the caller sets the right ones. Tables with cells that might read out of bounds are left out;
    refused if all have."""
    s, innermost, tables = plan.statement, plan.innermost, plan.tables
    mined = StripMining(s, innermost, names.unique(f"{innermost.iterator}_strip"), plan.length)
    space = s.domain.get_space().params()
    while tables:
        buffers = {t.function: names.fresh("b") for t in tables}
        maker = _TableMaker(plan.functions, tables, mined, buffers)
        own = mined.own(maker.from_tables(s.expression))
        fills = [maker.filling(t, own, names, labels) for t in tables]
        fit = [all(reads_inside(scop, r) for r in new.reads) for new, _, _ in fills]
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
        mined.numbered(),
        tuple(arrays),
        {new.name: like for new, like, _ in fills},
        {new.name: loops for new, _, loops in fills},
    )


@dataclass(frozen=True, eq=False)
class _TableMaker:
    functions: RepeatedFunctions
    tables: tuple[FunctionTable, ...]
    mined: StripMining
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

    def cell(self, t: FunctionTable, arguments: Sequence[Expr]) -> Access:
        return Access(
            self.buffers[t.function],
            tuple(self.place(d, a) for d, a in zip(t.dimensions, arguments, strict=True)),
        )

    def place(self, d: Dimension, argument: Expr) -> Expr:
        """Where in its dimension a table has the values at an argument."""
        if not d.divisor:
            return argument
        before = Binary("*", Number(d.per_strip, INT32), Iterator(self.mined.strip))
        inside = Binary("-", argument, before)
        sign = "-" if d.first >= 0 else "+"
        return normal_form(Binary(sign, inside, Number(abs(d.first), INT32)))

    def filling(
        self, t: FunctionTable, own: Statement, names: Names, labels: Names
    ) -> tuple[Statement, isl.Map, isl.Map]:
        """`b[k - ...] = f(k);` for all arguments of a strip, `{ S_b[s, i, k] }`, with what it is
        like and its own loops (see `Strips`). The innermost iterator gives its place to the first
        argument."""
        label = labels.unique(f"{own.name}_{self.buffers[t.function]}")
        arguments = tuple(names.fresh("k") for _ in t.dimensions)
        position, more = self.mined.position, len(t.dimensions) - 1
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

    def values(self, t: FunctionTable, domain: isl.Set) -> isl.Map:
        """`{ S[s, i] -> [s, i, k] }`: the arguments an instance needs, and all between."""
        own, position = domain.dim(isl.SET), self.mined.position
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
        relation: isl.Map = isl.read_map(text).set_tuple_name(isl.IN, name)
        return relation.align_params(domain.get_space())
