"""Statements as a graph: what hangs together, and what comes first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
    reach = {n: _reachable(n, follow) for n in names}
    left = list(names)
    found: list[tuple[str, ...]] = []
    while left:
        first = next(
            n for n in left if all(n not in reach[m] or m in reach[n] for m in left if m != n)
        )
        component = tuple(
            m for m in left if m == first or (m in reach[first] and first in reach[m])
        )
        found.append(component)
        left = [m for m in left if m not in component]
    return found


def _reachable(start: str, follow: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    todo = list(follow[start])
    while todo:
        n = todo.pop()
        if n not in seen:
            seen.add(n)
            todo += follow[n]
    return seen
