"""The tree of orders: Figure 9 of the paper, and every order done by itself."""

from itertools import permutations

import pytest

import polynb as pn
from polynb.propagation.order_tree import order_tree
from polynb.show import draw_order_tree

THREE = """param N;  temp a, b, c;
for i = 0 to N do
  a = A[i]; // S
  b = a + B[i]; // T
  A[i] = 2 * i; // U
  c = b * 2; // V
  B[i] = 0; // W
  C[i] = c; // X
done"""


def ends(scop, **options):
    """order -> what is left, of the tree."""
    ways = [way for branch in order_tree(scop, **options) for way in branch.leaves()]
    return {tuple(b.array for b in w): {b.array for b in w if not b.goes} for w in ways}


def test_figure_9a_either_of_two_goes():
    assert ends(pn.gallery.load("fig9a")) == {("s0", "s1"): {"s1"}, ("s1", "s0"): {"s0"}}


def test_figure_9b_depends_on_the_cache_lines():
    scop = pn.gallery.load("fig9b")
    assert ends(scop, cache_lines=4) == {("t0", "t1"): {"t1"}, ("t1", "t0"): {"t0"}}
    assert set(map(frozenset, ends(scop, cache_lines=5).values())) == {frozenset()}


def test_the_ends_are_what_propagate_leaves_in_that_order():
    scop = pn.parse(THREE)
    found = ends(scop)
    assert set(found) == set(permutations("abc"))
    assert len(set(map(frozenset, found.values()))) > 1
    for order, left in found.items():
        alone = pn.propagate(scop, order=order)
        assert set(alone.result.temporaries) == left, order
        assert pn.equivalent(alone)


def test_the_picture_says_what_goes():
    drawn = draw_order_tree(pn.gallery.load("fig9a"))
    assert str(drawn) == "s0 goes, s1 stays; left: s1\ns1 goes, s0 stays; left: s0"
    html = drawn._repr_mimebundle_()["text/html"]
    assert "s0 goes" in html
    assert html.count("<img") == 1


def test_wrong_calls_are_told():
    with pytest.raises(pn.PolynbError, match="has 10 temporaries"):
        draw_order_tree(pn.gallery.load("harris"))
    with pytest.raises(pn.PolynbError, match="has no temporaries"):
        draw_order_tree(pn.parse("param N; for i = 0 to N do A[i] = 1; done"))
