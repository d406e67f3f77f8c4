"""Recurrences that compilers can vectorise: a strip of values at a time, in a small buffer.

A scalar that each iteration gets from the one before keeps a loop from running in vectors. So the
loop is cut into strips; the values of a strip (and the few beyond its ends that it needs) are
computed into a buffer first, then used from there. Each of the two loops is free of recurrences,
the buffer stays in the first-level cache, and the strips may run in parallel:

    for s = 0 to floord(N - 1, 256) do
      for j = max(1, 256*s) to min(N + 1, 256*s + 257) do
        b[j - 256*s] = f(j - 1);
      done
      for j = max(1, 256*s) to min(N - 1, 256*s + 255) do
        Out[j] = b[j - 256*s] + b[j - 256*s + 1] + b[j - 256*s + 2];
      done
    done
"""

from __future__ import annotations

from collections.abc import Iterator as Iter, Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.recurrences.innermost import NOT_UP, Refusal, clobbered, counts_up
from polynb.recurrences.plan_shifted import ShiftedPlan, access_of, safe
from polynb.recurrences.shifted_copies import Group, shift, slots
from polynb.recurrences.strip_mine import StripMining, Strips, filling
from polynb.scop.fresh_names import Names
from polynb.scop.model import Array, Scop, Statement
from polynb.source.normal_form import normal_form
from polynb.source.tree import (
    Access,
    Binary,
    Expr,
    Iterator,
    Number,
    accesses,
    children,
    rebuild,
    walk,
    with_children,
)
from polynb.source.type_inference import Types
from polynb.source.types import INT32


def unsuited(scop: Scop, plan: ShiftedPlan, types: Types) -> Refusal | None:
    """Why a plan cannot be carried out in strips, None if it can."""
    s, innermost = plan.statement, plan.innermost
    if not counts_up(s, innermost):
        return Refusal(NOT_UP)
    for g, used in _used(plan).items():
        missing = set(range(min(used), max(used))) - used
        if not safe(scop, s, innermost, g, missing, types, s.domain):
            return Refusal("its values cannot be computed where no copy does")
    nodes = [x for g in plan.groups for x in _copies(plan, g)]
    reads = {id(a): a for x in nodes for a in accesses(x)}
    return clobbered(
        scop, s, innermost, [(access_of(s, a, s.domain), None) for a in reads.values()]
    )


def _copies(plan: ShiftedPlan, g: Group) -> Iter[Expr]:
    inside = {(g.shape, o) for o in slots(g, 1)}
    for x in walk(plan.expression):
        copy = plan.shapes.of(x)
        if copy is not None and (copy.shape, copy.offset) in inside:
            yield x


# -- how far the buffers reach --------------------------------------------------------------


def _used(plan: ShiftedPlan) -> dict[Group, set[int]]:
    """The offsets from the statement's iterator at which each group's value is needed, by it or
    by the values of the groups before."""
    used: dict[Group, set[int]] = {g: set() for g in plan.groups}
    for g, offset in _buffered(plan, (plan.expression,)):
        used[g].add(offset)
    for user in plan.groups:
        span = range(min(used[user]), max(used[user]) + 1)
        for g, offset in _buffered(plan, children(user.expression)):
            used[g] |= {at - user.lead + offset for at in span}
    return used


def _buffered(plan: ShiftedPlan, first: tuple[Expr, ...]) -> Iter[tuple[Group, int]]:
    """The groups, with offsets, whose values an expression takes from buffers."""
    by_shape = {g.shape: g for g in plan.groups}
    stack, seen = list(first), set[int]()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        copy = plan.shapes.of(node)
        g = by_shape.get(copy.shape) if copy is not None else None
        offset = copy.offset if copy is not None else None
        if g is not None and offset is not None and offset in slots(g, 1):
            yield g, offset
        else:
            stack.extend(children(node))


# -- the statements -------------------------------------------------------------------------


def make_strips(
    plan: ShiftedPlan, names: Names, labels: Names, types: Types, length: int
) -> Strips:
    """The statements of a plan in strips of so many iterations. Schedules are those of the
    statement: the caller sets the right ones."""
    s, used = plan.statement, _used(plan)
    buffers = {g: names.fresh("b") for g in plan.groups[::-1]}
    mined = StripMining(s, plan.innermost, names.unique(f"{plan.innermost.iterator}_strip"), length)
    maker = _StripMaker(plan, mined, used, buffers)
    own = mined.own(maker.from_buffers(plan.expression, whole=True))
    arrays = []
    for g, b in buffers.items():
        size = length + max(used[g]) - min(used[g])
        extent = isl.PwAff(f"{{ [{size}] }}").align_params(s.domain.get_space().params())
        why = f"a strip of the values that {s.name} uses again"
        arrays.append(Array(b, types.of(g.expression), (extent,), "temp", sized=True, why=why))
    loops = tuple(
        tuple(maker.filling(g, own, labels) for g in together) for together in _loops(plan, used)
    )
    return Strips(loops, own, mined.numbered(), tuple(arrays))


def _loops(plan: ShiftedPlan, used: Mapping[Group, set[int]]) -> list[list[Group]]:
    """The groups by the loops that fill their buffers: those that need as many values share one,
    and what a value is made of is in a loop before."""
    loops: list[list[Group]] = []
    for g in plan.groups[::-1]:
        inside = {h for h, _ in _buffered(plan, children(g.expression))}
        first = max((k + 1 for k, loop in enumerate(loops) if inside & set(loop)), default=0)
        span = max(used[g]) - min(used[g])
        for loop in loops[first:]:
            if span == max(used[loop[0]]) - min(used[loop[0]]):
                loop.append(g)
                break
        else:
            loops.append([g])
    return loops


@dataclass(frozen=True, eq=False)
class _StripMaker:
    plan: ShiftedPlan
    mined: StripMining
    used: Mapping[Group, set[int]]
    buffers: Mapping[Group, str]

    def cell(self, g: Group, offset: int) -> Access:
        """Where the buffer has the value at `iterator + offset`."""
        start = Binary("*", Number(self.mined.length, INT32), Iterator(self.mined.strip))
        inside = Binary("-", Iterator(self.plan.innermost.iterator), start)
        shifted = offset - min(self.used[g])
        sign = "+" if shifted >= 0 else "-"
        cell = Binary(sign, inside, Number(abs(shifted), INT32))
        return Access(self.buffers[g], (normal_form(cell),))

    def from_buffers(self, e: Expr, *, whole: bool) -> Expr:
        """The expression with reads of buffers; for the whole of it only if asked for."""
        by_shape = {g.shape: g for g in self.plan.groups}
        nodes: dict[tuple[int, int], Access] = {}

        def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
            copy = self.plan.shapes.of(node) if whole or node is not e else None
            g = by_shape.get(copy.shape) if copy is not None else None
            if copy is None or copy.offset is None or g is None or copy.offset not in slots(g, 1):
                return with_children(node, parts)
            key = copy.shape, copy.offset
            return nodes.setdefault(key, self.cell(g, copy.offset))

        result: Expr = rebuild(e, visit)
        return result

    def filling(self, g: Group, own: Statement, labels: Names) -> Statement:
        """`b[j - ...] = ...;` for all values that a strip needs, beginning with the first one at
        the strip's first iteration: loops for as many values are the same then."""
        low, high = min(self.used[g]), max(self.used[g])
        name = labels.unique(f"{own.name}_{self.buffers[g]}")
        domain = self.mined.named(_widened(own.domain, self.mined.position, high - low))
        value = self.from_buffers(g.expression, whole=False)
        e = shift(value, self.plan.innermost.iterator, low - g.lead)
        return filling(own, name, own.iterators, domain, self.cell(g, low), e)


def _widened(domain: isl.Set, position: int, more: int) -> isl.Set:
    """The instances that are up to so much further than some instance, in one dimension."""
    wider = domain
    for _ in range(more):
        space = domain.get_space()
        same = isl.MultiAff.identity(space.map_from_set())
        further = same.set_at(position, same.get_at(position).add_constant_val(isl.Val(1)))
        wider = isl.coalesced(wider.union(wider.apply(further.as_map())))
    return wider
