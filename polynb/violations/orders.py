"""What may run before what, in an order some of whose loops run in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from polynb import isl
from polynb.arguments import integer, objects
from polynb.dependences import LiveRanges
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.checking import New, new_times
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Mark, Sequence, Tree
from polynb.scop.schedule_isl import from_isl
from polynb.violations.copies import Parts, private_parts
from polynb.violations.levels import before_at

AT_ONCE = ("parallel", "collapsed", "vector")
"""Kinds of loops whose iterations run in no order."""


@dataclass(frozen=True, eq=False)
class Order:
    """Times `{ S[i] -> [t] }` of one length, and for each statement the levels (from 0) of its
    loops that run in parallel: instances that differ first at such a level run in any order, as do
    instances at the same time. `copies`: the private arrays (see `copies`)."""

    times: Mapping[str, isl.Map]
    parallel: Mapping[str, frozenset[int]] = field(default_factory=dict)
    copies: Mapping[str, Parts] = field(default_factory=dict)

    def may_precede(self, first: str, then: str) -> isl.Map:
        """`{ S[i] -> T[j] }` where T[j] is not sure to run strictly before S[i]."""
        s, t = self.times[first], self.times[then]
        pairs = s.lex_le_map(t)
        for level in self.parallel.get(first, frozenset()) & self.parallel.get(then, frozenset()):
            after = before_at(s.dim(isl.OUT), level).reverse()
            pairs = pairs.union(s.apply_range(after).apply_range(t.reverse()))
        return pairs

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


def new_order(ranges: LiveRanges, schedule: New, parallel: bool | Iterable[int] = False) -> Order:
    """The order of a schedule, as `pn.check` takes it. `parallel`: whether loops of a schedule tree
    that are to run in parallel or in vectors do so (each run of what is below a mark then has its
    own private arrays), or the levels of the times that do.

    Raises PolynbError for a schedule that leaves instances out, and for levels that there are not.
    """
    times = new_times(ranges.scop, schedule)
    length = max((m.dim(isl.OUT) for m in times.values()), default=0)
    if isinstance(parallel, bool):
        tree = _tree(schedule) if parallel else None
        if tree is None:
            return Order(times)
        return Order(times, _levels(tree, times), private_parts(ranges.scop, tree, ranges.flow))
    hint = "True for the loops that a schedule tree says are parallel, or levels such as [0]"
    levels_given = objects("parallel", parallel, lambda k: True, "levels", hint)
    chosen = frozenset(integer("parallel", k, least=0) for k in levels_given)
    if chosen and max(chosen) >= length:
        raise PolynbError(
            f"the schedule has no level {max(chosen)}",
            reason=f"its times have {length} dimensions, counted from 0",
        )
    return Order(times, dict.fromkeys(times, chosen))


def _tree(schedule: New) -> Tree | None:
    """The schedule tree; None of times that are none."""
    if isinstance(schedule, Scop | Derivation):
        return as_scop(schedule).schedule
    if isinstance(schedule, isl.Schedule):
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
