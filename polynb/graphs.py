"""Graphs of names or numbers: what hangs together, what is in a circle, and what comes first."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def connected(nodes: Sequence[Node], arcs: Iterable[tuple[Node, Node]]) -> list[tuple[Node, ...]]:
    """The weakly connected components, each in the order of `nodes`, ordered by their first one."""
    leader = {n: n for n in nodes}

    def find(n: Node) -> Node:
        while leader[n] != n:
            n = leader[n]
        return n

    for a, b in arcs:
        leader[find(a)] = find(b)
    groups: dict[Node, list[Node]] = {}
    for n in nodes:
        groups.setdefault(find(n), []).append(n)
    return [tuple(g) for g in groups.values()]


def reached(start: Iterable[Node], after: Callable[[Node], Iterable[Node]]) -> frozenset[Node]:
    """Some nodes, and all that arcs lead to from there."""
    found: set[Node] = set()
    waiting = list(start)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += after(node)
    return frozenset(found)


def components(
    nodes: Iterable[Node], after: Mapping[Node, Iterable[Node]]
) -> list[tuple[Node, ...]]:
    """The strongly connected components of the graph on `nodes` alone, what is reached before what
    reaches it (Tarjan 1972, without recursion: functions may have many thousand blocks)."""
    inside = dict.fromkeys(nodes)
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    parts: list[tuple[Node, ...]] = []
    work: list[tuple[Node, Iterator[Node]]] = []

    def enter(node: Node) -> None:
        number[node] = low[node] = len(number)
        path.append(node)
        on_path.add(node)
        work.append((node, iter(after.get(node, ()))))

    for root in inside:
        if root not in number:
            enter(root)
        while work:
            node, rest = work[-1]
            # All that is known already is taken in one go; what is new is entered first.
            for following in rest:
                if following not in inside:
                    continue
                if following not in number:
                    enter(following)
                    break
                if following in on_path:
                    low[node] = min(low[node], number[following])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    part = [path.pop()]
                    while part[-1] != node:
                        part.append(path.pop())
                    on_path.difference_update(part)
                    parts.append(tuple(reversed(part)))
    return parts


def cyclic(part: Sequence[Node], after: Mapping[Node, Iterable[Node]]) -> bool:
    """Whether a strongly connected component has a circle: one node alone may have none."""
    return len(part) > 1 or part[0] in after[part[0]]


def strongly_connected(
    nodes: Sequence[Node], arcs: Iterable[tuple[Node, Node]]
) -> list[tuple[Node, ...]]:
    """The strongly connected components in topological order, each in the order of `nodes`; of
    those that could come next, the one with the first of `nodes` does."""
    number = {n: k for k, n in enumerate(nodes)}
    after: dict[Node, set[Node]] = {n: set() for n in nodes}
    for a, b in arcs:
        after[a].add(b)
    parts = [tuple(sorted(part, key=number.__getitem__)) for part in components(nodes, after)]
    home = {n: part for part in parts for n in part}
    follow = {part: {home[m] for n in part for m in after[n]} - {part} for part in parts}
    before = dict.fromkeys(parts, 0)
    for part in parts:
        for later in follow[part]:
            before[later] += 1
    ready = [(number[part[0]], part) for part in parts if not before[part]]
    heapq.heapify(ready)
    order: list[tuple[Node, ...]] = []
    while ready:
        _, part = heapq.heappop(ready)
        order.append(part)
        for later in follow[part]:
            before[later] -= 1
            if not before[later]:
                heapq.heappush(ready, (number[later[0]], later))
    return order
