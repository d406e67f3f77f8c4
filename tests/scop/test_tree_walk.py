"""Walks of schedule trees that know where they are."""

import islpy
import pytest

from polynb.scop.schedule import (
    Band,
    Filter,
    Leaf,
    Loop,
    Mark,
    Named,
    Private,
    Sequence,
    split,
    walk,
)
from polynb.scop.tree_walk import orders, orders_whole, paths, rewrite, rewrite_within, walk_within


def band(names, child, **options):
    return Band({n: islpy.Map(f"{{ {n}[i] -> [i] }}") for n in names}, child, **options)


@pytest.fixture
def tree():
    """A mark in one of two nests in a loop; T's nest has a part of T only."""
    part = islpy.Set("{ T[i] : i >= 0 }")
    first = Filter({"S": None}, Mark(Private(("t",)), band("S", Leaf())))
    second = Filter({"T": part}, band("T", Leaf(), loops=(Loop("vector"),)))
    return band("ST", Sequence((first, second)))


def names(nodes):
    return [type(node).__name__ for node in nodes]


def test_paths_are_the_nodes_above(tree):
    found = list(paths(tree))
    assert [node for node, _ in found] == list(walk(tree))
    leaves = [names(above) for node, above in found if isinstance(node, Leaf)]
    assert leaves == [
        ["Band", "Sequence", "Filter", "Mark", "Band"],
        ["Band", "Sequence", "Filter", "Band"],
    ]


def test_every_node_comes_with_its_own_context(tree):
    def enter(node, here):
        return [*here, *node.kinds] if isinstance(node, Band) else here

    kinds = [here for node, here in walk_within(tree, [], enter) if isinstance(node, Leaf)]
    assert kinds == [["sequential", "sequential"], ["sequential", "vector"]]


def test_what_is_rewritten_is_not_walked(tree):
    seen = []

    def change(node, here):
        seen.append((type(node).__name__, here))
        return node.child if isinstance(node, Mark) else None

    new = rewrite_within(tree, 0, lambda _, depth: depth + 1, change)
    assert seen == [
        *(("Band", 0), ("Sequence", 1), ("Filter", 2), ("Mark", 3)),
        *(("Filter", 2), ("Band", 3), ("Leaf", 4)),
    ]
    assert not any(isinstance(node, Mark) for node in walk(new))
    assert new.child.children[0].child is tree.child.children[0].child.child
    assert any(isinstance(node, Mark) for node in walk(tree))


def test_rewriting_keeps_what_nodes_say(tree):
    same = rewrite(tree, lambda _: None)
    assert names(walk(same)) == names(walk(tree))
    named = rewrite(tree, lambda t: Mark(Named("x"), t) if isinstance(t, Leaf) else None)
    assert [t.what for t in walk(named) if isinstance(t, Mark)] == [
        *(Private(("t",)), Named("x"), Named("x"))
    ]
    assert [t.kinds for t in walk(named) if isinstance(t, Band)][-1] == ("vector",)


def test_who_passes_a_node(tree):
    first, second = tree.child.children
    assert orders(tree, "S")
    assert orders(tree.child, "S")
    assert not orders(first.child.child, "T")
    assert not orders(first, "T")
    assert orders_whole(first, "S")
    assert orders(second, "T")
    assert not orders_whole(second, "T")


def test_what_a_split_does_not_concern_is_shared(tree):
    """Removing one of many statements must not cost as much as there are statements."""
    sequence = tree.child
    assert split(tree, "U", []) is tree
    left = split(Sequence((*sequence.children, Filter({"U": None}, Leaf()))), "T", [])
    assert [list(f.domains) for f in left.children] == [["S"], ["U"]]
    assert left.children[0] is sequence.children[0]
    assert list(split(tree, "T", ["T1", "T2"]).child.children[1].child.members) == ["T1", "T2"]
