"""Which statements are looked at first: readers before the writers of what they read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polynb import graphs
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
    place, cyclic = dict[str, int](), set[str]()
    for k, part in enumerate(reversed(graphs.components(graph, graph))):
        place |= dict.fromkeys(part, k)
        if graphs.cyclic(part, graph):
            cyclic |= set(part)
    return Ranks(place, frozenset(cyclic))
