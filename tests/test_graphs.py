"""Components of graphs against networks that are looked through by hand."""

from random import Random

import pytest

from polynb.graphs import components, connected, reached, strongly_connected


def reachable(start, arcs):
    seen, todo = set(), [b for a, b in arcs if a == start]
    while todo:
        n = todo.pop()
        if n not in seen:
            seen.add(n)
            todo += [b for a, b in arcs if a == n]
    return seen


@pytest.mark.parametrize("seed", range(60))
def test_strongly_connected_components_in_topological_order(seed):
    random = Random(seed)
    names = [f"S{k}" for k in range(random.randint(1, 9))]
    arcs = {(random.choice(names), random.choice(names)) for _ in range(random.randint(0, 14))}
    found = strongly_connected(names, arcs)
    assert sorted(n for c in found for n in c) == sorted(names)
    reach = {n: reachable(n, arcs) for n in names}
    place = {n: k for k, c in enumerate(found) for n in c}
    for a in names:
        for b in names:
            together = a == b or (b in reach[a] and a in reach[b])
            assert (place[a] == place[b]) == together
    assert all(place[a] <= place[b] for a, b in arcs)
    for a in names:
        assert reached([a], lambda n: [b for x, b in arcs if x == n]) == {a, *reach[a]}


def test_what_is_free_keeps_its_order():
    assert strongly_connected("ABC", []) == [("A",), ("B",), ("C",)]
    assert strongly_connected("ABC", [("C", "A")]) == [("B",), ("C",), ("A",)]
    assert strongly_connected("ABC", [("A", "C"), ("C", "A")]) == [("A", "C"), ("B",)]


def test_connected():
    assert connected("ABCD", [("A", "C")]) == [("A", "C"), ("B",), ("D",)]


def test_a_long_chain_needs_no_deep_recursion():
    chain = {k: [k + 1] for k in range(5_000)} | {5_000: []}
    assert components(chain, chain) == [(k,) for k in range(5_000, -1, -1)]
    chain[5_000] = [0]
    assert len(components(chain, chain)) == 1
