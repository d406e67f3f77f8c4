"""The order of strips: strip by strip, in each some rows of each stage after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence as Seq
from dataclasses import dataclass, replace
from functools import cached_property

from polynb import isl
from polynb.scop.model import Array, Scop, Statement
from polynb.scop.schedule import (
    Band,
    Filter,
    FullTiles,
    Leaf,
    Loop,
    Mark,
    Private,
    Sequence,
    Tree,
    split,
)
from polynb.source.look_ups import looks_up
from polynb.windows.plan import Plan, row_time
from polynb.windows.rows import row_iterator


@dataclass(frozen=True, eq=False)
class StageGroup:
    """Statements of a program that run after others, in the strips of a plan, or in none."""

    statements: tuple[str, ...]
    plan: Plan | None


def groups(scop: Scop, plans: Seq[Plan]) -> list[StageGroup]:
    """What runs one after the other: the strips of the last plan, those of the one before it, and
    between them what they do not compute."""
    found: list[StageGroup] = []
    for plan, earlier in zip(plans, (*plans[1:], None), strict=True):
        done = () if earlier is None else (*earlier.rows, *earlier.earlier)
        between = [a for a in plan.earlier if a not in done]
        for arrays, own in ((plan.rows, plan), (between, None)):
            names = tuple(s.name for s in scop.statements if s.write.array in arrays)
            found.append(StageGroup(names, own))
    return [g for g in reversed(found) if g.statements]


def in_order(scop: Scop, own: Scop, plans: Seq[Plan]) -> Tree:
    """Group by group, those in strips strip by strip, in each some times after the other, at these
    stage by stage. `own` has the statements of the strips, `scop` those that they are copies of."""
    parts: list[tuple[Mapping[str, None], Tree]] = []
    for group in groups(own, plans):
        names, plan = group.statements, group.plan
        tree = only(own.schedule, own, names) if plan is None else _pipeline(scop, own, plan)
        parts.append((dict.fromkeys(names), tree))
    return _sequence(parts)


def only(tree: Tree, scop: Scop, names: Collection[str]) -> Tree:
    """A program's tree for these of its statements alone."""
    for s in scop.statements:
        if s.name not in names:
            tree = split(tree, s.name, ())
    return tree


def _pipeline(scop: Scop, own: Scop, plan: Plan) -> Tree:
    """A plan's strips."""
    names = [n for n in plan.statements if n in own.by_name]
    stages = _stages([_Stage(scop.by_name[n], own.by_name[n], plan) for n in names])
    inner = _sequence(
        [(dict.fromkeys(x.copy.name for x in group), _rows(group, scop.arrays)) for group in stages]
    )
    every = [x for group in stages for x in group]
    times: Tree = Band(
        {x.copy.name: x.first for x in every}, inner, loops=(Loop(width=plan.together),)
    )
    if plan.together > 1:
        times = Mark(FullTiles((plan.together,)), times)
    strips = {x.copy.name: x.by(x.copy.iterators[0]) for x in every}
    return Band(strips, times, loops=(Loop("parallel", True, plan.size),))


def with_private(tree: Tree, plan: Plan, arrays: Iterable[str]) -> Tree:
    """Such an order in which each strip of a plan has these arrays for itself."""
    match tree:
        case Sequence(children=parts):
            mine = [f for f in parts if f.domains.keys() <= set(plan.statements)]
            new = {id(f): replace(f, child=with_private(f.child, plan, arrays)) for f in mine}
            return Sequence(tuple(new.get(id(f), f) for f in parts))
        case Band(child=c):
            return replace(tree, child=Mark(Private(tuple(arrays)), c))
    raise AssertionError(tree)


@dataclass(frozen=True, eq=False)
class _Stage:
    """The `copy` of a statement in strips; what is said of its rows is said of the original."""

    original: Statement
    copy: Statement
    plan: Plan

    @cached_property
    def time(self) -> isl.Map:
        """`{ S[c, i] -> [t] }`, for all strips c."""
        m = row_time(self.original, self.plan).reset_tuple_id(isl.IN).insert_dims(isl.IN, 0, 1)
        return isl.rename(m, isl.IN, self.copy.name)

    @cached_property
    def first(self) -> isl.Map:
        """`{ S[c, i] -> [t] }`, the first of the times that are together."""
        n = self.plan.together
        return self.time.apply_range(isl.read_map(f"{{ [t] -> [{n}*floor(t/{n})] }}"))

    @cached_property
    def columns(self) -> list[str]:
        """The iterators within a row."""
        row = row_iterator(self.original, self.plan.rows[self.original.write.array].subscript)
        return [i for k, i in enumerate(self.copy.iterators[1:]) if k != row]

    @property
    def stride(self) -> int:
        """The distance of the values of the innermost iterator."""
        return int(self.copy.domain.get_stride(len(self.copy.iterators) - 1).to_python())

    @cached_property
    def inside(self) -> isl.Map:
        """`{ S[c, i] -> [columns] }`, those of pieces that take turns counted alike."""
        inside = list(self.columns)
        if inside and self.stride > 1 and inside[-1] == self.copy.iterators[-1]:
            first = self.copy.domain.dim_min_val(len(self.copy.iterators) - 1)
            start = first.to_python() if first.is_int() else 0
            inside[-1] = f"floor(({inside[-1]} - {start}) / {self.stride})"
        return self.by(", ".join(inside))

    @cached_property
    def places(self) -> isl.Set:
        """`{ [c, t, columns] }`, where it runs."""
        strips = self.by(self.copy.iterators[0])
        places = strips.flat_range_product(self.time).flat_range_product(self.inside)
        return places.intersect_domain(self.copy.domain).range()

    def by(self, values: str) -> isl.Map:
        """`{ S[c, i] -> [values] }`."""
        m = isl.read_map(f"{{ [{', '.join(self.copy.iterators)}] -> [{values}] }}")
        return m.set_tuple_name(isl.IN, self.copy.name).align_params(self.copy.domain.get_space())


def _stages(each: Seq[_Stage]) -> list[list[_Stage]]:
    """Statements that follow each other; those that run at the same places and do not need each
    other together, and pieces of one that take turns in a row."""
    groups: list[list[_Stage]] = []
    for x in each:
        if groups and _run_together(groups[-1], x):
            groups[-1].append(x)
        else:
            groups.append([x])
    return groups


def _run_together(group: Seq[_Stage], x: _Stage) -> bool:
    last = group[-1]
    if last.copy.write.array == x.copy.write.array and last.stride == x.stride > 1:
        return True
    made = {y.copy.write.array for y in group}
    needed = any(r.array in made for r in x.copy.reads)
    return not needed and bool(last.places.is_equal(x.places))


def _rows(group: Seq[_Stage], arrays: Mapping[str, Array]) -> Tree:
    """The rows of the times that are together in one loop over the columns, side by side, so that
    they share what they read. Loops over columns are vectors'. (Look-ups, of which none are made,
    share nothing.)"""
    each = _sequence([({x.copy.name: None}, Leaf()) for x in group])
    depth = len(group[0].columns)
    times = {x.copy.name: x.time for x in group}
    columns = {x.copy.name: x.inside for x in group}
    loops = (*([Loop()] * (depth - 1)), Loop("vector")) if depth else ()
    together = group[0].plan.together > 1
    if depth and together and _look_up(group, arrays):
        return Band(times, Band(columns, each, loops=loops), loops=(Loop(),))
    if together:
        each = Band(times, each, loops=(Loop("unroll"),))
    return Band(columns, each, loops=loops) if depth else each


def _look_up(group: Seq[_Stage], arrays: Mapping[str, Array]) -> bool:
    types = {name: a.type for name, a in arrays.items()}
    return any(looks_up(x.original.expression, types) for x in group)


def _sequence(parts: Seq[tuple[Mapping[str, None], Tree]]) -> Tree:
    if len(parts) == 1:
        return parts[0][1]
    return Sequence(tuple(Filter(dict(d), child) for d, child in parts))
