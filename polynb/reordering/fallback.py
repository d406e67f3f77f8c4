"""What statements get that are too hard to schedule: isl's order, or the order that they have.

The order of the text respects every dependence, below whatever bands there are: of two instances
that those leave together it has the earlier one first.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from polynb import isl
from polynb.derivation import Step
from polynb.errors import PolynbError
from polynb.legality.checking import Verdict
from polynb.legality.order import Order
from polynb.reordering.active import STRICT, Active
from polynb.reordering.constraints import Constraint, ScheduleConstraints
from polynb.reordering.isl_scheduler import isl_schedule
from polynb.reordering.limit_steps import OrderKept, OrderRefused, OrderTaken
from polynb.scop.schedule import (
    Band,
    Filter,
    Loop,
    Mark,
    Named,
    Sequence as Sequenced,
    Tree,
    times,
    transform,
)
from polynb.scop.tree_walk import rewrite

OPERATIONS: Final = 200_000
"""isl operations for its order of some statements, mostly a second or two."""
TRIES: Final = 3
"""Orders that isl is asked for in one program."""
MARK: Final = "isl's order@"


@dataclass
class Fallback:
    """The program's own tree and instances, and what isl's orders would be replaced with: for each
    mark the statements below it, and their own order. `used`: whether any order came from here."""

    tree: Tree
    domains: Mapping[str, isl.Set]
    context: isl.Set
    marked: dict[str, tuple[tuple[str, ...], Tree]] = field(default_factory=dict)
    used: bool = False

    def own(self, names: Sequence[str], edges: Sequence[Active]) -> Tree | None:
        """The order that the text has; None if that does not respect these constraints (which are
        not the program's then)."""
        tree = restricted(self.tree, names)
        order = Order(times(tree, {n: self.domains[n] for n in names}))
        strict = (e for e in edges if e.kind in STRICT)
        back = (order.may_follow(e.source, e.target).intersect(e.relation) for e in strict)
        return tree if all(pairs.is_empty() for pairs in back) else None

    def order(
        self, names: Sequence[str], edges: Sequence[Active]
    ) -> Generator[Step, None, Tree | None]:
        """isl's order of these statements, marked so that `settled` finds it, or their own; None if
        neither will do."""
        own = self.own(names, edges)
        if own is None:
            return None
        self.used = True
        tree = self._by_isl(names, edges) if len(self.marked) < TRIES else None
        if tree is None:
            yield OrderKept(tuple(names))
            return own
        mark = f"{MARK}{len(self.marked)}"
        self.marked[mark] = tuple(names), own
        yield OrderTaken(tuple(names))
        return Mark(Named(mark), tree)

    def _by_isl(self, names: Sequence[str], edges: Sequence[Active]) -> Tree | None:
        open_ = tuple(_constraint(e) for e in edges)
        domain = tuple(self.domains[n] for n in names)
        try:
            with isl.budget(OPERATIONS):
                return isl_schedule(ScheduleConstraints(domain, open_, self.context))
        except PolynbError:  # too much for isl, too
            return None

    def settled(self, tree: Tree, verdict: Verdict | None) -> Generator[Step, None, Tree]:
        """The tree with isl's orders if it is legal, with the statements' own if not; None of a
        verdict if there are none of isl's."""
        if verdict is None or verdict:
            return _without_marks(tree, {})
        for names, _ in self.marked.values():
            yield OrderRefused(names, verdict.conflicts[0])
        return _without_marks(tree, {mark: own for mark, (_, own) in self.marked.items()})


def _constraint(e: Active) -> Constraint:
    c = e.constraint
    conditional = e.kind in ("condition", "conditioned_validity")
    tags = e.tagged if conditional and c.tags is not None else None
    return replace(c, kind=e.kind, relation=e.relation, tags=tags)


def restricted(tree: Tree, names: Sequence[str]) -> Tree:
    """The part of a tree that orders some statements, without marks."""

    def change(node: Tree) -> Tree:
        match node:
            case Mark(child=c):
                return c
            case Filter(domains=d):
                return replace(node, domains={n: part for n, part in d.items() if n in names})
            case Sequenced(children=children):
                left = tuple(f for f in children if f.domains)
                alone = len(left) == 1 and not any(left[0].domains.values())
                return left[0].child if alone else Sequenced(left)
            case Band(members=m):
                plain = (Loop(),) * node.depth
                return replace(node, members={n: m[n] for n in m if n in names}, loops=plain)
        return node

    return transform(tree, change)


def _without_marks(tree: Tree, instead: Mapping[str, Tree]) -> Tree:
    def change(node: Tree) -> Tree | None:
        match node:
            case Mark(what=Named(text=text), child=c) if text.startswith(MARK):
                return instead.get(text, c)
        return None

    return rewrite(tree, change)
