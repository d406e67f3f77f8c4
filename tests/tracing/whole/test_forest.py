"""The loop forest: unique vectors in the order of time, for any graph and any walk through it.
POLYNB_LAWS is the number of random graphs (60 unless it is set)."""

from __future__ import annotations

import os
import random

import pytest

from polynb.tracing.programs.forest import BlockLoop, circles, loop_forest, one_loop

SEEDS = int(os.environ.get("POLYNB_LAWS", "60"))


def vectors(loops: list[BlockLoop], walk: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    """What the runtime does (loops.c), again: of each block of a walk the iterators around it."""
    innermost = {b: k for k, loop in enumerate(loops) for b in loop.own}

    def chain(k: int) -> list[int]:
        found: list[int] = []
        while k >= 0:
            found.insert(0, k)
            k = loops[k].parent
        return found

    inside: list[int] = []
    counts: list[int] = []
    found = []
    for block in walk:
        target = chain(innermost.get(block, -1))
        same = 0
        while same < min(len(inside), len(target)) and inside[same] == target[same]:
            same += 1
        counts = counts[:same] + [0] * (len(target) - same)
        if same and loops[target[same - 1]].header == block:
            counts[same - 1] += 1
        inside = target
        found.append((block, tuple(counts)))
    return found


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_vector_comes_twice_and_all_are_in_order(seed: int) -> None:
    source = random.Random(seed)
    count = source.randrange(2, 12)
    after = {b: source.sample(range(1, count + 1), source.randrange(1, min(4, count + 1)))
             for b in range(count + 1)}  # fmt: skip
    for b in range(source.randrange(1, 3)):
        after[count - b] = []  # where the function ends
    walk, at = [], 0
    while after[at] and len(walk) < 400:
        at = source.choice(after[at])
        walk.append(at)
    edges = list(zip([0, *walk], walk, strict=False))
    seen: dict[int, tuple[int, ...]] = {}
    for split in (one_loop, lambda header, ways: list(ways)):
        seen.clear()
        for block, vector in vectors(loop_forest(1, set(edges), split), walk):
            assert block not in seen or seen[block] < vector, (edges, block)
            seen[block] = vector


def test_a_nest_and_what_follows_it() -> None:
    # 0 -> 1 [ 2 [ 3 ] 4 ] 5 [ 6 ] 7
    edges = [(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5), (5, 6), (6, 5), (5, 7)]
    loops = {loop.header: loop for loop in loop_forest(1, edges)}
    assert set(loops) == {1, 2, 5}
    assert loops[1].own == {1, 4}
    assert loops[2].own == {2, 3}
    assert (loops[1].depth, loops[2].depth, loops[5].depth) == (1, 2, 1)


def test_two_loops_with_one_header() -> None:
    edges = [(0, 1), (1, 2), (2, 1), (1, 3), (3, 1)]
    assert [loop.own for loop in loop_forest(1, edges)] == [{1, 2, 3}]
    outer, inner = loop_forest(1, edges, lambda header, ways: sorted(ways, key=min, reverse=True))
    assert (outer.own, outer.depth, outer.parent) == ({3}, 1, -1)
    assert (inner.own, inner.depth, inner.parent) == ({1, 2}, 2, 0)
    walk = [1, 2, 1, 2, 1, 3, 1, 3, 1, 2]
    assert [v for b, v in vectors([outer, inner], walk) if b == 1] == [
        (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)
    ]  # fmt: skip


def test_circles_of_calls() -> None:
    found = circles([(1, 2), (2, 3), (3, 2), (1, 4), (4, 4), (4, 5)])
    assert set(found) == {2, 3, 4}
    assert found[2] == found[3] != found[4]
