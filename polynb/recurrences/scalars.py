"""The statements that compute a recurrence's values and pass them on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from polynb import isl
from polynb.recurrences.plan_shifted import ShiftedPlan, access_of
from polynb.recurrences.shifted_copies import shift, slots
from polynb.scop.fresh_names import Names
from polynb.scop.model import Array, MemoryAccess, Statement
from polynb.source.tree import Access, Expr, rebuild, walk, with_children
from polynb.source.type_inference import Types

Slot = tuple[int, int]
"""The shape of a value and its offset."""


@dataclass(frozen=True, eq=False)
class Scalars:
    """What a statement becomes: `first` runs before its loop, the rest in each iteration.

    `scalars`: for each value those that hold it, the newest last.
    """

    first: tuple[Statement, ...]
    before: tuple[Statement, ...]
    own: Statement
    after: tuple[Statement, ...]
    arrays: tuple[Array, ...]
    scalars: tuple[tuple[str, ...], ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (*self.first, *self.before, self.own, *self.after)


def make_scalars(
    plan: ShiftedPlan, names: Names, labels: Names, types: Types, assumed: isl.Set
) -> Scalars:
    """The statements of a plan: first the values at the first iteration, but the newest; in each
    iteration the newest, the statement itself, and the shift. What others are made of comes
    first. Schedules are those of the statement: the caller sets the right ones."""
    s, step = plan.statement, plan.innermost.step
    starts = plan.innermost.starts.gist_params(assumed)
    scalar: dict[Slot, str] = {}
    inner_first = plan.groups[::-1]
    for g in inner_first:
        scalar |= {(g.shape, o): names.fresh("t") for o in slots(g, step)}
    maker = _ScalarMaker(plan, labels)
    first, before, after, known = [], [], [], dict[Slot, str]()
    for g in inner_first:
        new = {(g.shape, o): scalar[g.shape, o] for o in slots(g, step) if o != g.lead}
        for (_, offset), t in new.items():
            e = shift(g.expression, plan.innermost.iterator, offset - g.lead)
            first.append(maker.statement(t, maker.replaced(e, known), starts, "first"))
        known |= new
    for g in inner_first:
        e = maker.replaced(g.expression, scalar)
        before.append(maker.statement(scalar[g.shape, g.lead], e, s.domain, ""))
    for g in inner_first:
        for o in slots(g, step)[:-1]:
            next_one = Access(scalar[g.shape, o + step])
            after.append(maker.statement(scalar[g.shape, o], next_one, s.domain, "next"))
    e = maker.replaced(plan.expression, scalar, whole=True)
    arrays = []
    for g in inner_first:
        kind = types.of(g.expression)
        for o in slots(g, step):
            arrays.append(Array(scalar[g.shape, o], kind, (), "temp", why=f"passed on by {s.name}"))
    return Scalars(
        tuple(first),
        tuple(before),
        replace(s, expression=e, reads=maker.reads(e, s.domain, s.write.node)),
        tuple(after),
        tuple(arrays),
        tuple(tuple(scalar[g.shape, o] for o in slots(g, step)) for g in inner_first),
    )


@dataclass(frozen=True, eq=False)
class _ScalarMaker:
    plan: ShiftedPlan
    labels: Names

    def replaced(self, e: Expr, scalar: Mapping[Slot, str], whole: bool = False) -> Expr:
        """The expression with scalars for the values that they hold; for the whole of it only if
        asked for."""
        nodes: dict[str, Access] = {}

        def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
            copy = self.plan.shapes.of(node) if whole or node is not e else None
            if copy is not None and copy.offset is not None:
                t = scalar.get((copy.shape, copy.offset))
                if t is not None:
                    return nodes.setdefault(t, Access(t))
            return with_children(node, parts)

        return rebuild(e, visit)

    def statement(self, target: str, e: Expr, domain: isl.Set, role: str) -> Statement:
        """`target = e;` on a part of the statement's domain."""
        s = self.plan.statement
        name = self.labels.unique("_".join(filter(None, (s.name, target, role))))
        node = Access(target)
        write = access_of(s, node, domain)
        moved = (_renamed(a, name) for a in (write, *self.reads(e, domain)))
        first, *reads = moved
        return replace(
            s,
            name=name,
            domain=isl.rename(isl.with_dim_names(domain, isl.SET, s.iterators), isl.SET, name),
            write=first,
            reads=tuple(reads),
            expression=e,
            span=None,
        )

    def reads(self, e: Expr, domain: isl.Set, *roots: Access) -> tuple[MemoryAccess, ...]:
        s = self.plan.statement
        subscripts = [x for target in roots for x in target.subscripts]
        accesses = (x for root in (e, *subscripts) for x in walk(root) if isinstance(x, Access))
        return tuple(access_of(s, x, domain) for x in accesses)


def _renamed(access: MemoryAccess, name: str) -> MemoryAccess:
    return replace(access, relation=isl.rename(access.relation, isl.IN, name))
