"""Which recurrences a statement gets (CC'18, section 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polynb import isl
from polynb.recurrences.innermost import InnermostLoop, Refusal, clobbered, innermost_loop
from polynb.recurrences.shifted_copies import Group, Shapes, groups, operations, shift, slots
from polynb.scop.access import memory_access
from polynb.scop.affine import AffineFrame
from polynb.scop.arrays import surely_inside
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.source.traps import may_trap
from polynb.source.tree import Access, Expr, walk
from polynb.source.type_inference import Types


@dataclass(frozen=True, eq=False)
class ShiftedPlan:
    """The recurrences of a statement; `groups` that contain others come first."""

    statement: Statement
    expression: Expr
    innermost: InnermostLoop
    shapes: Shapes
    groups: tuple[Group, ...]


def plan_shifted(
    scop: Scop, s: Statement, least: int, types: Types
) -> ShiftedPlan | Refusal | None:
    """The recurrences of a statement, why there can be none, or None if nothing repeats."""
    e = s.expression
    if operations(e)[id(e)] < 2 * least or not s.iterators:
        return None
    innermost = innermost_loop(scop, s)
    if isinstance(innermost, Refusal):
        return innermost if _repeats(e, s, least) else None
    shapes = Shapes(innermost.iterator)
    carried = [
        g
        for g in groups(e, shapes, innermost.step, least)
        if safe(
            scop,
            s,
            innermost,
            g,
            set(slots(g, innermost.step)) - set(g.offsets),
            types,
            innermost.starts,
        )
    ]
    if not carried:
        return None
    if s.guard is not None:
        return Refusal("data decides whether it runs")
    refused = clobbered(scop, s, innermost, _carried_reads(s, e, innermost, shapes, carried))
    return refused or ShiftedPlan(s, e, innermost, shapes, tuple(carried))


def _repeats(e: Expr, s: Statement, least: int) -> bool:
    return bool(groups(e, Shapes(s.iterators[-1]), 1, least))


def _carried_reads(
    s: Statement, e: Expr, innermost: InnermostLoop, shapes: Shapes, found: Sequence[Group]
) -> list[tuple[MemoryAccess, int]]:
    """The reads that an earlier iteration will do, those of all copies but the newest, and how
    much further along the iterator that is."""
    distance = {
        (g.shape, o): o - g.lead for g in found for o in slots(g, innermost.step) if o != g.lead
    }
    reads: dict[tuple[int, int], Access] = {}
    for node in walk(e):
        copy = shapes.of(node)
        key = (copy.shape, copy.offset) if copy is not None and copy.offset is not None else None
        if key in distance:
            reads |= {(id(x), distance[key]): x for x in walk(node) if isinstance(x, Access)}
    return [(access_of(s, x, s.domain), d) for (_, d), x in reads.items()]


def access_of(s: Statement, node: Access, domain: isl.Set) -> MemoryAccess:
    """A read of a statement's expression, or of one over the same iterators."""
    for r in s.reads:
        if r.node is node:
            return replace(r, relation=r.relation.intersect_domain(domain))
    named = isl.with_dim_names(domain, isl.SET, s.iterators)
    return memory_access(node, named, AffineFrame(named.get_space()))


def safe(
    scop: Scop,
    s: Statement,
    innermost: InnermostLoop,
    g: Group,
    offsets: set[int],
    types: Types,
    where: isl.Set,
) -> bool:
    """Whether values at offsets that no copy has can be computed at the instances `{ S[i] }`: no
    read is out of bounds, no operation traps."""
    for offset in offsets:
        e = shift(g.expression, innermost.iterator, offset - g.lead)
        for node in walk(e):
            if isinstance(node, Access) and not reads_inside(scop, access_of(s, node, where)):
                return False
            if may_trap(node, types):
                return False
    return True


def reads_inside(scop: Scop, access: MemoryAccess) -> bool:
    """Whether a read is in bounds for sure: data has no say in it, nor have the parameters."""
    return access.must and surely_inside(access, scop.arrays[access.array], scop.assumed)
