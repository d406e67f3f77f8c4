"""Any schedule as a tree: times become sequences, where they are constants, and loops."""

from __future__ import annotations

from polynb import isl
from polynb.legality.order import New, new_times, tree_of
from polynb.moves.schedule import tree_of_times
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Sequence, Tree, times
from polynb.scop.tree_walk import passing, rewrite_within


def as_tree(scop: Scop, schedule: New) -> Tree:
    """The tree of a schedule, as `pn.check` takes it: a loop for each dimension of times that is
    not the same constant for a statement's instances."""
    tree = tree_of(schedule)
    return tree if tree is not None else tree_of_times(new_times(scop, schedule))


def in_some_order(scop: Scop, tree: Tree) -> Tree:
    """The tree in which instances of one time run one after the other, as those of a program do:
    statement by statement, each in the order of its iterators."""
    domains = {s.name: s.domain for s in scop.statements}
    when = times(tree, domains)

    def ordered(node: Tree, here: tuple[str, ...]) -> Tree | None:
        if not isinstance(node, Leaf):
            return None
        parts = [Filter({n: None}, _one_by_one(domains[n], when[n])) for n in here]
        return Sequence(tuple(parts)) if len(parts) > 1 else parts[0].child

    return rewrite_within(tree, tuple(domains), passing, ordered)


def _one_by_one(domain: isl.Set, when: isl.Map) -> Tree:
    """Loops over all iterators of a statement `{ S[i] }`, if its times `{ S[i] -> [t] }` are not
    different; a leaf else."""
    if when.intersect_domain(domain).is_injective():
        return Leaf()
    same = isl.Map.identity(domain.get_space().map_from_set()).reset_tuple_id(isl.OUT)
    name = isl.tuple_name(domain, isl.SET)
    return Band({name: same}, Leaf(), loops=(Loop(),) * domain.dim(isl.SET))
