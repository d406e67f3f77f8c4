"""A pipeline of pictures, computed in strips of rows, with windows of rows in between.

The rows of the results are cut into strips, which run in parallel. A strip computes what it needs
of each intermediate picture itself, also what its neighbours need as well, row by row, just before
it is read; so a picture in between is a window of as many rows as are alive at a time, and stays in
the cache. (Halide calls it a sliding window with storage folding, Ragan-Kelley et al., PLDI 2013;
here both follow from the flow of values, and are proved by the live ranges in the window.)
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence as Seq
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.arguments import count, optional
from polynb.dependences import analyze
from polynb.derivation import Step, attempted_steps, derivation, unanswered
from polynb.legality.carried import loops_within
from polynb.legality.checking import check
from polynb.rewriting.expansion import expand
from polynb.schedules.bands import all_bands, replaced, with_schedule
from polynb.scop.access import restricted, with_accesses
from polynb.scop.extents import inferred_extents
from polynb.scop.fresh_names import Names, global_names
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import (
    Band,
    Filter,
    Leaf,
    Loop,
    Sequence,
    Tree,
    split,
    with_kinds,
)
from polynb.scop.storage import in_memory
from polynb.source import tree as syntax
from polynb.source.types import INT32
from polynb.windows.plan import Plan, planned
from polynb.windows.rows import row_iterator, row_of
from polynb.windows.steps import ComputedBefore, InStrips, NotInStrips, Windowed

STRIP: Final = 32
"""Rows of the results in a strip."""


BUDGET: Final = 20_000_000
"""isl operations, some seconds: camera pipe needs fewer than 10 million."""


@derivation(paper="CC'18", start=in_memory)
def row_windows(
    scop: Scop, *, rows: int = STRIP, max_operations: int | None = BUDGET
) -> Generator[Step, None, Scop]:
    """Compute a pipeline in strips of rows, its temporaries in windows of rows.

    Claims that the result computes the same values of all live-out arrays, bit for bit, for all
    parameter values. `rows`: of the results in a strip. `max_operations` bounds isl's work; if it
    is used up, the program stays as it is. Temporaries that do not keep pace with the results, as a
    histogram does not, or what is read where data decides, are computed whole before, with all that
    they are computed from.
    """
    count("rows", rows)
    max_operations = optional(count, "max_operations", max_operations)
    result, taken = attempted_steps(max_operations, _wrapped(_windowed(scop, rows)))
    if isinstance(result, isl.IslError):
        yield NotInStrips(unanswered(result))
        return scop
    yield from taken
    return result


def _wrapped(work: Generator[Step, None, Scop]) -> Generator[Step, None, Scop]:
    with isl.wrapped():
        return (yield from work)


def _windowed(scop: Scop, rows: int) -> Generator[Step, None, Scop]:
    plan = planned(analyze(scop))
    for array, reason in plan.before.items():
        yield ComputedBefore(array, reason)
    if not plan.windows:
        yield NotInStrips("no temporary keeps pace with the results")
        return scop
    strips = _in_strips(scop, plan, rows)
    own = _with_cells(strips, plan, {})
    scheduled = with_schedule(own, _tree(scop, own, plan, rows))
    refusal = _refusal(own, scheduled, plan)
    if refusal:
        yield NotInStrips(refusal)
        return scop
    # A window reuses a row only for one of a later time, in the same strip: what a strip, or a row,
    # does not carry with cells of its own, it does not carry in windows.
    scheduled = _with_kinds_that_hold(scheduled)
    parallel = any("parallel" in band.kinds for band in all_bands(scheduled.schedule))
    yield InStrips(rows, dict(plan.windows), parallel, scheduled)
    result, windows = scheduled, {}
    for array, kept in plan.windows.items():
        windows[array] = kept.height
        result = with_schedule(_with_cells(strips, plan, windows), scheduled.schedule)
        yield Windowed(array, kept, result)
    return result


def _refusal(own: Scop, scheduled: Scop, plan: Plan) -> str:
    """Why the program in strips, each with cells of its own, does not compute the same in another
    order and in windows of rows; "" if it does. (Windows are checked as storage, `{ A[c, x] ->
    A_rows[c, x mod w] }`; `_with_cells` writes the same map into subscripts.)"""
    dependences = analyze(own)
    for array in plan.windows:
        if any(not m.is_empty() for m in dependences.flow(array).live_in.values()):
            return f"a strip would read rows of {array} that it has not computed"
    verdict = check(own, _stored(scheduled, plan))
    return "" if verdict else str(verdict.conflicts[0])


def _with_kinds_that_hold(scop: Scop) -> Scop:
    """The program whose loops are parallel, or in vectors, only where they carry nothing."""
    loops = loops_within(scop, analyze(scop).edges)
    carrying = [x for x in loops if x.kind != "sequential" and x.carried is not None]
    plain = ((x.band, with_kinds(x.band, ["sequential"] * x.band.depth)) for x in carrying)
    return with_schedule(scop, replaced(scop.schedule, plain))


def _in_strips(scop: Scop, plan: Plan, rows: int) -> Scop:
    """The program in which each strip computes what it needs."""
    copies = _copies(scop, plan, rows)
    needed, tree = [], scop.schedule
    for s in scop.statements:
        strips = copies.get(s.name)
        if strips is not None and strips.is_empty():  # no strip needs anything of it
            tree = split(tree, s.name, ())
        else:
            needed.append(s if strips is None else restricted(s, isl.coalesced(strips.domain())))
    left = replace(scop, statements=tuple(needed), schedule=tree, program=None)
    return expand(left, isl.union_map(copies.values()))


def _with_cells(scop: Scop, plan: Plan, windows: Mapping[str, int]) -> Scop:
    """The program in which each strip has cells of its own, `A[c, x]`; of the arrays that have one,
    those of a window of rows, `A[c, x mod w]`."""

    def moved(s: Statement, a: MemoryAccess) -> MemoryAccess:
        strip = isl.Map.identity(s.domain.get_space().map_from_set()).reset_tuple_id(isl.OUT)
        strip = strip.project_out(isl.OUT, 1, strip.dim(isl.OUT) - 1)
        row, subscripts = plan.windows[a.array].subscript, list(a.node.subscripts)
        relation = a.relation
        if (height := windows.get(a.array)) is not None:
            relation = relation.apply_range(_modulo(a.array, len(subscripts), row, height))
            modulo = syntax.Binary("mod", subscripts[row], syntax.Number(height, INT32))
            subscripts[row] = modulo if height > 1 else syntax.Number(0, INT32)
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
    for name in plan.windows:
        used = [a for s in statements for a in (*s.reads, s.write) if a.array == name]
        arrays[name] = replace(arrays[name], extents=inferred_extents(used, scop.assumed, own=True))
    return replace(scop, statements=tuple(statements), arrays=arrays, program=None)


def _modulo(array: str, dimensions: int, k: int, height: int) -> isl.Map:
    """`{ A[x] -> A[.., x_k mod height, ..] }`."""
    cells = [f"x{d}" for d in range(dimensions)]
    places = [f"{x} mod {height}" if d == k else x for d, x in enumerate(cells)]
    return isl.read_map(f"{{ {array}[{', '.join(cells)}] -> {array}[{', '.join(places)}] }}")


def _stored(scop: Scop, plan: Plan) -> Scop:
    """The program with cells of the strips' own, its arrays in the windows."""
    arrays = dict(scop.arrays)
    names = Names(global_names(scop))
    for name, rows in plan.windows.items():
        array = arrays[name]
        memory = names.unique(f"{name}_rows")
        storage = _modulo(name, len(array.extents), 1 + rows.subscript, rows.height)
        arrays[memory] = replace(array, name=memory)
        arrays[name] = replace(array, storage=storage.set_tuple_name(isl.OUT, memory))
    return replace(scop, arrays=arrays)


def _copies(scop: Scop, plan: Plan, rows: int) -> dict[str, isl.Map]:
    """`{ S[i] -> S[c, i] }`: the strips c that need S[i], or rows of it. (All of these rows, and a
    strip's all from the first to the last one: the exact sets have too many pieces.)"""
    size = rows * max(r.scale for r in plan.rows.values())
    copies, used = {}, []
    for n in plan.statements:
        s = scop.by_name[n]
        needed = plan.rows[s.write.array].needed
        strips = isl.read_map(f"{{ [t] -> [c] : {size}c - {needed} <= t < {size}c + {size} }}")
        copies[n] = _time(s, plan).apply_range(strips)
        if s.write.array in plan.results:
            used.append(copies[n].range())
    some = isl.coalesced(isl.united(used))
    for n, m in copies.items():
        same = isl.Map.identity(m.domain().get_space().map_from_set()).reset_tuple_id(isl.OUT)
        m = m.intersect_range(some).flat_range_product(same)
        copies[n] = m.set_tuple_name(isl.OUT, n)
    return copies


def _time(s: Statement, plan: Plan) -> isl.Map:
    """`{ S[i] -> [t] }`, when the row is computed that an instance writes."""
    rows = plan.rows[s.write.array]
    time = isl.read_map(f"{{ [x] -> [{rows.scale}x + {rows.shift}] }}")
    return row_of(s, rows.subscript).apply_range(time)


def _tree(scop: Scop, own: Scop, plan: Plan, rows: int) -> Tree:
    """What is computed before, and then strip by strip, in each by time, and then row by row. `own`
    has the statements of the strips, `scop` those that they are copies of."""
    times, strips = {}, {}
    names = [n for n in plan.statements if n in own.by_name]
    for n in names:
        s = own.by_name[n]
        times[n] = _of_copy(s, _time(scop.by_name[n], plan))
        strips[n] = _by(s, s.iterators[0])
    groups = _groups([own.by_name[n] for n in names])
    stages = tuple(Filter({s.name: None for s in g}, _row(g, scop, plan)) for g in groups)
    inner: Tree = Sequence(stages) if len(stages) > 1 else stages[0].child
    pipeline: Tree = Band(strips, Band(times, inner), loops=(Loop("parallel", True, rows),))
    before = [s.name for s in scop.statements if s.name not in plan.statements]
    if not before:
        return pipeline
    tree = own.schedule
    for n in names:
        tree = split(tree, n, ())
    first, then = (dict.fromkeys(x) for x in (before, names))
    return Sequence((Filter(first, tree), Filter(then, pipeline)))


def _of_copy(s: Statement, m: isl.Map) -> isl.Map:
    """`{ S[c, i] -> [t] }` of `{ S[i] -> [t] }`, for all strips c."""
    return isl.rename(m.reset_tuple_id(isl.IN).insert_dims(isl.IN, 0, 1), isl.IN, s.name)


def _groups(statements: Seq[Statement]) -> list[list[Statement]]:
    """Statements that follow each other, pieces of one that take turns in a row together."""
    groups: list[list[Statement]] = []
    for s in statements:
        last = groups[-1][-1] if groups else None
        if last is not None and last.origin == s.origin and _stride(last) == _stride(s) > 1:
            groups[-1].append(s)
        else:
            groups.append([s])
    return groups


def _stride(s: Statement) -> int:
    """The distance of the values of the innermost iterator."""
    return int(s.domain.get_stride(len(s.iterators) - 1).to_python())


def _row(group: Seq[Statement], scop: Scop, plan: Plan) -> Tree:
    """The loops of a row, the last one in vectors; pieces that take turns run side by side."""
    members, depth = {}, 0
    for s in group:
        row = row_iterator(scop.by_name[s.name], plan.rows[s.write.array].subscript)
        inside = [i for k, i in enumerate(s.iterators[1:]) if k != row]
        if inside and _stride(s) > 1 and inside[-1] == s.iterators[-1]:
            inside[-1] = f"floor({inside[-1]} / {_stride(s)})"
        members[s.name], depth = _by(s, ", ".join(inside)), len(inside)
    if not depth:
        return Leaf()
    loops = (*([Loop()] * (depth - 1)), Loop("vector"))
    one_by_one = Sequence(tuple(Filter({s.name: None}, Leaf()) for s in group))
    return Band(members, one_by_one if len(group) > 1 else Leaf(), loops=loops)


def _by(s: Statement, values: str) -> isl.Map:
    """`{ S[i] -> [values] }`."""
    m = isl.read_map(f"{{ [{', '.join(s.iterators)}] -> [{values}] }}")
    return m.set_tuple_name(isl.IN, s.name).align_params(s.domain.get_space())
