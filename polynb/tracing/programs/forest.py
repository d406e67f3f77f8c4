"""The loops of a dynamic control-flow graph, and the circles of a call graph.

A loop is a strongly connected component; its header is the block that is entered from outside. The
header taken away, what is still connected are the loops inside it, and so on. Within one iteration
of a loop no block outside its inner loops comes twice: were it so, it would lie in one of them.
Iteration vectors are therefore unique (facts, decision 15).

Two loops that begin with the same block (`for (;;) { while (a) b; c; }`) have one header. Their
graph is also that of one loop with two ways round (`for (;;) if (a) b; else c;`), so somebody else
must say which it is: `split`, who can look at the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from polynb.graphs import components, cyclic

ENTRY = 0
"""What stands for the entry of a function in its edges."""


@dataclass(frozen=True)
class BlockLoop:
    """A loop of blocks: its header, the blocks in no loop within it, the number of the loop around
    it in the same list (-1: none), and the blocks that it was left from."""

    function: int
    header: int
    own: frozenset[int]
    parent: int
    depth: int
    exits: frozenset[int] = frozenset()


Ways = list[frozenset[int]]
Split = Callable[[int, Ways], list[frozenset[int]]]


def one_loop(header: int, ways: Ways) -> list[frozenset[int]]:
    """All ways round a header are one loop."""
    return [frozenset().union(*ways)]


def loop_forest(
    function: int, edges: Iterable[tuple[int, int]], split: Split = one_loop
) -> list[BlockLoop]:
    """The loops of the graph of one function, outer ones before those within.

    Where a header has several separate ways round, `split` says which blocks make loops of their
    own: it gets the header and the ways, and returns their blocks by loop, the outermost first.
    """
    after: dict[int, list[int]] = {}
    for start, end in edges:
        after.setdefault(start, []).append(end)
        after.setdefault(end, [])
    found: list[BlockLoop] = []
    waiting = [(frozenset(after), -1, 1)]
    while waiting:
        blocks, parent, depth = waiting.pop()
        for part in _loops(blocks, after):
            header, around = _header(part, after), parent
            ways = _ways(part - {header}, after)
            levels = split(header, ways) if len(ways) > 1 else one_loop(header, ways)
            for k, level in enumerate(levels):
                nested = _loops(level, after)
                own = level.difference(*nested) | ({header} if k == len(levels) - 1 else set())
                exits = _exits(level | {header}, after)
                found.append(BlockLoop(function, header, own, around, depth + k, exits))
                around = len(found) - 1
                waiting.append((level, around, depth + k + 1))
    return found


def _exits(loop: frozenset[int], after: Mapping[int, Sequence[int]]) -> frozenset[int]:
    return frozenset(b for b in loop if not loop.issuperset(after[b]))


def _ways(inside: frozenset[int], after: Mapping[int, Sequence[int]]) -> Ways:
    """The blocks of a loop without its header, by what is connected in any direction."""
    beside: dict[int, list[int]] = {b: [] for b in inside}
    for start in inside:
        for end in after[start]:
            if end in inside:
                beside[start].append(end)
                beside[end].append(start)
    return [frozenset(part) for part in components(sorted(inside), beside)]


def _loops(blocks: Iterable[int], after: Mapping[int, Sequence[int]]) -> list[frozenset[int]]:
    """The circles among blocks alone."""
    parts = components(sorted(blocks), after)
    return [frozenset(part) for part in parts if cyclic(part, after)]


def _header(part: frozenset[int], after: Mapping[int, Sequence[int]]) -> int:
    """The block entered from outside. Of several (a jump into the loop) the one that is entered
    from most places, then the first in the code."""
    entered = [end for start, ends in after.items() if start not in part for end in ends]
    candidates = [b for b in part if b in entered] or list(part)
    return min(candidates, key=lambda b: (-entered.count(b), b))


def circles(calls: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The functions that call each other (or themselves) in a circle, each with its circle."""
    after: dict[int, list[int]] = {}
    for caller, callee in calls:
        after.setdefault(caller, []).append(callee)
        after.setdefault(callee, [])
    found: dict[int, int] = {}
    for k, part in enumerate(components(after, after)):
        if cyclic(part, after):
            found.update(dict.fromkeys(part, k))
    return found
