"""Statements as a graph: what hangs together, and what comes first."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

Arc = tuple[str, str]


def connected(names: Sequence[str], arcs: Iterable[Arc]) -> list[tuple[str, ...]]:
    """The weakly connected components, each in the order of `names`, ordered by their first one."""
    leader = {n: n for n in names}

    def find(n: str) -> str:
        while leader[n] != n:
            n = leader[n]
        return n

    for a, b in arcs:
        leader[find(a)] = find(b)
    groups: dict[str, list[str]] = {}
    for n in names:
        groups.setdefault(find(n), []).append(n)
    return [tuple(g) for g in groups.values()]


def strongly_connected(names: Sequence[str], arcs: Iterable[Arc]) -> list[tuple[str, ...]]:
    """The strongly connected components in topological order; of those that could come next, the
    one with the first of `names` does."""
    follow: dict[str, set[str]] = {n: set() for n in names}
    for a, b in arcs:
        follow[a].add(b)
    component = _components(names, follow)
    number = {n: k for k, n in enumerate(names)}
    members: dict[str, list[str]] = {}
    for n in names:
        members.setdefault(component[n], []).append(n)
    before = dict.fromkeys(members, 0)
    after: dict[str, set[str]] = {c: set() for c in members}
    for a in names:
        after[component[a]] |= {component[b] for b in follow[a]} - {component[a]}
    for c in members:
        for d in after[c]:
            before[d] += 1
    ready = [(number[m[0]], c) for c, m in members.items() if not before[c]]
    heapq.heapify(ready)
    found: list[tuple[str, ...]] = []
    while ready:
        _, c = heapq.heappop(ready)
        found.append(tuple(members[c]))
        for d in after[c]:
            before[d] -= 1
            if not before[d]:
                heapq.heappush(ready, (number[members[d][0]], d))
    return found


def _components(names: Sequence[str], follow: Mapping[str, set[str]]) -> dict[str, str]:
    """A representative of each one's component (Kosaraju: in reverse order of leaving, everything
    that reaches a statement)."""
    leaving: list[str] = []
    seen: set[str] = set()
    for start in names:
        stack = [(start, iter(sorted(follow[start])))] if start not in seen else []
        seen.add(start)
        while stack:
            n, left = stack[-1]
            m = next((m for m in left if m not in seen), None)
            if m is None:
                leaving.append(n)
                stack.pop()
            else:
                seen.add(m)
                stack.append((m, iter(sorted(follow[m]))))
    reached_from: dict[str, list[str]] = {n: [] for n in names}
    for a in names:
        for b in follow[a]:
            reached_from[b].append(a)
    component: dict[str, str] = {}
    for root in reversed(leaving):
        todo = [root]
        while todo:
            n = todo.pop()
            if n not in component:
                component[n] = root
                todo += reached_from[n]
    return component
