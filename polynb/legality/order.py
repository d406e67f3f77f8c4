"""What may run before what: the times of a schedule, instances that share one, and loops whose
iterations run at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from polynb import isl
from polynb.arguments import integer, objects
from polynb.dependences.live_ranges import LiveRanges
from polynb.dependences.model import Edge
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.private import Parts, private_parts
from polynb.scop.isl_text import check_tuples, union_map
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import (
    Band,
    Filter,
    Mark,
    Sequence,
    Tree,
    at_one_time,
    statement_names,
    statement_times,
    times,
)
from polynb.scop.schedule_isl import from_isl
from polynb.scop.witness import Instance
from polynb.source.normal_form import normal_form
from polynb.source.tree import (
    Access,
    Call,
    Expr,
    Iterator,
    rebuild,
    same,
    walk,
    with_children,
)
from polynb.words import shortened

AT_ONCE: Final = {"parallel": "in parallel", "collapsed": "in parallel", "vector": "in vectors"}
"""Kinds of loops whose iterations run in no order, and how they run."""

New = Tree | Scop | Derivation | isl.Schedule | isl.UnionMap | str


@dataclass(frozen=True, eq=False)
class Order:
    """Times `{ S[i] -> [t] }` of one length (θ), and for each statement the levels (from 0) of its
    loops that run in parallel: instances that differ first at such a level run in any order, as do
    instances at the same time. `copies`: the private arrays, of which each run of what is below
    their mark has a copy (GRAPHITE 2010, 4.3.2, *supporting privatization*)."""

    times: Mapping[str, isl.Map]
    parallel: Mapping[str, frozenset[int]] = field(default_factory=dict)
    copies: Mapping[str, Parts] = field(default_factory=dict)

    def may_precede(self, first: str, then: str) -> isl.Map:
        """`{ S[i] -> T[j] }` where T[j] is not sure to run strictly before S[i]: without parallel
        levels those with θ(i) ≤ θ(j)."""
        return self._or_at_once(first, then, self.times[first].lex_le_map(self.times[then]))

    def may_follow(self, first: str, then: str) -> isl.Map:
        """`{ S[i] -> T[j] }` where S[i] is not sure to run strictly before T[j]: θ(i) ≥ θ(j)."""
        return self._or_at_once(first, then, self.times[first].lex_ge_map(self.times[then]))

    def _or_at_once(self, first: str, then: str, pairs: isl.Map) -> isl.Map:
        """Those as well that differ first at a level that runs in parallel."""
        s, t = self.times[first], self.times[then]
        for level in self.parallel.get(first, frozenset()) & self.parallel.get(then, frozenset()):
            before = before_at(s.dim(isl.OUT), level)
            apart = s.apply_range(before.union(before.reverse()))
            pairs = pairs.union(apart.apply_range(t.reverse()))
        return pairs

    def turned(self, e: Edge) -> isl.Map:
        """`{ S[i] -> T[j] }`, the pairs of a dependence of which the target is not sure to run
        after the source. (An instance that overwrites what it reads does so in any order.)"""
        pairs = _of_two(e)
        if self._all_after(e.source, e.target, pairs):
            return isl.Map.empty(pairs.get_space())
        return self.may_follow(e.source, e.target).intersect(pairs)

    def turns(self, e: Edge, assumed: isl.Set) -> bool:
        """Whether there are such pairs."""
        return not self._all_after(e.source, e.target, _of_two(e).intersect_params(assumed))

    def _all_after(self, first: str, then: str, pairs: isl.Map) -> bool:
        """Whether of each of the `pairs` `{ S[i] -> T[j] }` the second is sure to run after the
        first: asked of their times, of which there are less than of all that may follow."""
        s, t = self.times[first], self.times[then]
        at = pairs.apply_domain(s).apply_range(t)
        late = isl.Map.lex_ge(s.get_space().range())
        for level in self.parallel.get(first, frozenset()) & self.parallel.get(then, frozenset()):
            late = late.union(before_at(s.dim(isl.OUT), level))
        return at.is_disjoint(late)

    def same_copy(self, array: str, first: str, then: str) -> isl.Map | None:
        """`{ S[i] -> T[j] }` that use the same copy of an array; None if all instances do."""
        if array not in self.copies:
            return None
        for below in self.copies[array]:
            if first in below and then in below:
                return at_one_time(below, first, then)
        space = self.times[first].get_space().domain()
        return isl.Map.empty(space.map_from_domain_and_range(self.times[then].get_space().domain()))

    def lockstep(self) -> dict[str, isl.Map]:
        """The times without the parallel levels, as the paper writes a parallel schedule: the same
        time for all that runs in parallel."""
        gone = sorted({k for levels in self.parallel.values() for k in levels}, reverse=True)
        times = dict(self.times)
        for level in gone:
            for name, m in times.items():
                if level in self.parallel.get(name, frozenset()):
                    free = m.project_out(isl.OUT, level, 1).insert_dims(isl.OUT, level, 1)
                    times[name] = free.fix_val(isl.OUT, level, isl.Val(0))
        return times


def _of_two(e: Edge) -> isl.Map:
    """Without an instance that overwrites what it reads."""
    pairs = e.relation
    if e.kind == "war" and e.source == e.target:
        return pairs.subtract(isl.Map.identity(pairs.get_space()))
    return pairs


@lru_cache(maxsize=256)
def before_at(length: int, level: int) -> isl.Map:
    """`{ [t] -> [u] : t and u are equal before `level`, and there t is less }` (GRAPHITE's
    "precedes at level", its levels counted from 1)."""
    space = isl.Space.alloc(isl.CONTEXT, 0, length, length)
    pairs = isl.Map.universe(space)
    for k in range(level):
        pairs = pairs.equate(isl.IN, k, isl.OUT, k)
    return pairs.order_lt(isl.IN, level, isl.OUT, level)


# -- of a schedule ---------------------------------------------------------------------------


def new_order(ranges: LiveRanges, schedule: New, parallel: bool | Iterable[int] = False) -> Order:
    """The order of a schedule, as `pn.check` takes it. `parallel`: whether loops of a schedule tree
    that are to run in parallel or in vectors do so (each run of what is below a mark then has its
    own private arrays), or the levels of the times that do.

    Raises PolynbError for a schedule that leaves instances out, and for levels that there are not.
    """
    times = new_times(ranges.scop, schedule)
    length = max((m.dim(isl.OUT) for m in times.values()), default=0)
    if isinstance(parallel, bool):
        tree = tree_of(schedule) if parallel else None
        if tree is None:
            return Order(times)
        marked = replace(ranges.scop, schedule=tree)
        return Order(times, _levels(tree, times), private_parts(marked, ranges.flow))
    hint = "True for the loops that a schedule tree says are parallel, or levels such as [0]"
    levels_given = objects("parallel", parallel, object, "levels", hint)
    chosen = frozenset(integer("parallel", k, least=0) for k in levels_given)
    if chosen and max(chosen) >= length:
        raise PolynbError(
            f"the schedule has no level {max(chosen)}",
            reason=f"its times have {length} dimensions, counted from 0",
        )
    return Order(times, dict.fromkeys(times, chosen))


def tree_of(schedule: New) -> Tree | None:
    """The schedule tree; None of times that are none."""
    match schedule:
        case Scop() | Derivation():
            return as_scop(schedule).schedule
        case isl.Schedule():
            return from_isl(schedule)
    return schedule if isinstance(schedule, Tree) else None


def _levels(tree: Tree, times: Mapping[str, isl.Map]) -> dict[str, frozenset[int]]:
    """The levels of the loops of a tree that run in parallel."""
    levels_of: dict[str, set[int]] = {name: set() for name in times}
    _walk(tree, 0, levels_of)
    return {name: frozenset(levels) for name, levels in levels_of.items()}


def _walk(tree: Tree, level: int, found: dict[str, set[int]]) -> None:
    """As `scop.schedule.times` counts: a level for each loop, and for each sequence."""
    match tree:
        case Band(members=m, loops=loops, child=c):
            for name in m:
                found[name] |= {level + k for k, x in enumerate(loops) if x.kind in AT_ONCE}
            _walk(c, level + len(loops), found)
        case Sequence(children=children):
            for f in children:
                _walk(f.child, level + 1, found)
        case Mark(child=c) | Filter(child=c):
            _walk(c, level, found)


def new_times(scop: Scop, schedule: New) -> dict[str, isl.Map]:
    """`{ S[i] -> [t] }` of one length for each statement, on its domain.

    Raises PolynbError if the schedule has no time, or several, for some instance.
    """
    domains = {s.name: s.domain for s in scop.statements}
    if isinstance(schedule, Scop | Derivation):
        _check_instances(scop, as_scop(schedule))
    tree = tree_of(schedule)
    if tree is not None:
        # A tree without bands and filters has no names: at its leaf is what there is one of.
        named = statement_names(tree) or set(domains if len(domains) == 1 else ())
        _check_names(domains, named)
        new = times(tree, domains)
    else:
        union = union_map("schedule", schedule, "{ S[i, j] -> [j, i] }")
        dims = {name: d.dim(isl.SET) for name, d in domains.items()}
        check_tuples("schedule", schedule, union, dims)
        new = statement_times(union)
        _check_names(domains, new)
    for name, domain in domains.items():
        new[name] = new[name].intersect_domain(domain)
        missing = domain.intersect_params(scop.assumed).subtract(new[name].domain())
        if not missing.is_empty():
            at = isl.witness(missing)
            raise PolynbError(
                f"the schedule leaves out {Instance(name, at[1] if at else ())}",
                hint="a time for every instance",
            )
        if not new[name].is_single_valued():
            raise PolynbError(f"the schedule runs instances of {name} several times")
    return new


def _check_instances(scop: Scop, other: Scop) -> None:
    """Raises PolynbError unless two programs have the same instances, of the same accesses."""

    def same_accesses(s: Statement, t: Statement) -> bool:
        ours, others = ((x.write, *x.reads) for x in (s, t))
        return [a.array for a in ours] == [a.array for a in others] and all(
            scop.arrays[a.array].type is other.arrays[a.array].type
            and (a.relation.plain_is_equal(b.relation) or _same_cells(a, b, scop.assumed))
            for a, b in zip(ours, others, strict=True)
        )

    differ = sorted(scop.by_name.keys() ^ other.by_name.keys())
    functions = {f.name: f for f in other.functions}
    changed = {f.name for f in scop.functions if not same(f, functions.get(f.name))}
    for s in () if differ else scop.statements:
        t = other.by_name[s.name]
        domain, new = (x.domain.intersect_params(scop.assumed) for x in (s, t))
        calls = {x.function for x in walk(*_meant(s)) if isinstance(x, Call)}
        if (
            calls & changed
            or not domain.is_equal(new)
            or not same_accesses(s, t)
            or not same(_meant(s), _meant(t))
        ):
            differ.append(s.name)
    if differ:
        raise PolynbError(
            f"these two programs differ in more than their order: in {shortened(differ)}",
            reason="`check` is about orders of the same instances, and a pass such as propagation "
            "makes other ones",
            hint="pn.equivalent(before, after), which compares what programs compute",
        )


def _same_cells(a: MemoryAccess, b: MemoryAccess, assumed: isl.Set) -> bool:
    if a.relation.dim(isl.OUT) != b.relation.dim(isl.OUT):
        return False
    one, other = (x.relation.intersect_params(assumed) for x in (a, b))
    return bool(one.is_equal(other))


def _meant(s: Statement) -> tuple[Expr, ...]:
    """What a statement computes, where, and under which condition: iterators by their places, and
    without the subscripts of which relations say all."""
    places = {n: Iterator(str(k)) for k, n in enumerate(s.iterators)}
    must = {id(a.node) for a in (s.write, *s.reads) if a.must}

    def visit(e: Expr, parts: tuple[Expr, ...]) -> Expr:
        if isinstance(e, Access) and id(e) in must:
            return Access(e.array)
        return places[e.name] if isinstance(e, Iterator) else with_children(e, parts)

    roots = (s.write.node, s.expression, *(() if s.guard is None else (s.guard,)))
    return tuple(normal_form(rebuild(e, visit)) for e in roots)


def _check_names(domains: Iterable[str], given: Iterable[str]) -> None:
    missing, unknown = set(domains) - set(given), set(given) - set(domains)
    if missing or unknown:
        what = f"says nothing of {', '.join(sorted(missing))}"
        if unknown:
            what = f"is about unknown statements: {', '.join(sorted(unknown))}"
        raise PolynbError(f"the schedule {what}", hint=f"times for {', '.join(domains)}")
