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

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
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
        for part in components(blocks, after):
            if not _is_loop(part, after):
                continue
            header, around = _header(part, after), parent
            ways = _ways(part - {header}, after)
            levels = split(header, ways) if len(ways) > 1 else one_loop(header, ways)
            for k, level in enumerate(levels):
                nested = [c for c in components(level, after) if _is_loop(c, after)]
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
    return components(inside, beside)


def _is_loop(part: frozenset[int], after: Mapping[int, Sequence[int]]) -> bool:
    first = next(iter(part))
    return len(part) > 1 or first in after[first]


def _header(part: frozenset[int], after: Mapping[int, Sequence[int]]) -> int:
    """The block entered from outside. Of several (a jump into the loop) the one that is entered
    from most places, then the first in the code."""
    entered = [end for start, ends in after.items() if start not in part for end in ends]
    candidates = [b for b in part if b in entered] or list(part)
    return min(candidates, key=lambda b: (-entered.count(b), b))


def components(
    nodes: Iterable[Node], after: Mapping[Node, Sequence[Node]]
) -> list[frozenset[Node]]:
    """The strongly connected components of the graph on `nodes` alone (Tarjan, without recursion,
    for functions may have many thousand blocks)."""
    inside = set(nodes)
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    found: list[frozenset[Node]] = []
    for root in sorted(inside, key=repr):
        if root in number:
            continue
        work = [(root, iter(after.get(root, ())))]
        number[root] = low[root] = len(number)
        path.append(root)
        on_path.add(root)
        while work:
            node, rest = work[-1]
            following = next((n for n in rest if n in inside), None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    found.append(_popped(path, on_path, node))
            elif following not in number:
                number[following] = low[following] = len(number)
                path.append(following)
                on_path.add(following)
                work.append((following, iter(after.get(following, ()))))
            elif following in on_path:
                low[node] = min(low[node], number[following])
    return found


def _popped(path: list[Node], on_path: set[Node], until: Node) -> frozenset[Node]:
    part = path[path.index(until) :]
    del path[path.index(until) :]
    on_path.difference_update(part)
    return frozenset(part)


def circles(calls: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The functions that call each other (or themselves) in a circle, each with its circle."""
    after: dict[int, list[int]] = {}
    for caller, callee in calls:
        after.setdefault(caller, []).append(callee)
        after.setdefault(callee, [])
    found: dict[int, int] = {}
    for k, part in enumerate(components(after, after)):
        if len(part) > 1 or any(f in after[f] for f in part):
            found.update(dict.fromkeys(part, k))
    return found
