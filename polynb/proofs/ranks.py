"""Which statements are looked at first: readers before the writers of what they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from polynb.proofs.program import ProgramModel


@dataclass(frozen=True)
class Ranks:
    """`place[S]` is smaller than that of the statements whose values S reads, and the same for
    those that depend on each other, which are `cyclic`."""

    place: Mapping[str, int]
    cyclic: frozenset[str]


def ranks(program: ProgramModel) -> Ranks:
    """The ranks of all statements that what remains depends on."""
    graph: dict[str, list[str]] = {}
    more: dict[str, list[str]] = {}
    todo = list(program.ends.values())
    while todo:
        name = todo.pop()
        if name not in graph:
            graph[name] = [home] if (home := program.root(name).statement) != name else []
            more.setdefault(home, [])
            for r in program.reads(name):
                writers = program.sources(r).writers
                graph[name] += writers
                todo += writers
                if r.statement != name:  # of a peek, or of a part of another statement
                    graph[name].append(r.statement)
                    more.setdefault(r.statement, []).extend(writers)
    for name, writers_ in more.items():
        graph.setdefault(name, []).extend(writers_)
    place, cyclic = {}, set[str]()
    components = _components(graph)
    for k, component in enumerate(reversed(components)):
        for name in component:
            place[name] = k
        if len(component) > 1 or component[0] in graph[component[0]]:
            cyclic |= set(component)
    return Ranks(place, frozenset(cyclic))


def _components(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected components, what is reached before what reaches it (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    inside: set[str] = set()
    found: list[list[str]] = []
    for start in graph:
        if start in index:
            continue
        work = [(start, iter(graph[start]))]
        index[start] = low[start] = len(index)
        open_.append(start)
        inside.add(start)
        while work:
            name, rest = work[-1]
            child = next((c for c in rest if c not in index or c in inside), None)
            if child is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    at = open_.index(name)
                    found.append(open_[at:])
                    inside -= set(open_[at:])
                    del open_[at:]
            elif child in index:
                low[name] = min(low[name], index[child])
            else:
                index[child] = low[child] = len(index)
                open_.append(child)
                inside.add(child)
                work.append((child, iter(graph[child])))
    return found
