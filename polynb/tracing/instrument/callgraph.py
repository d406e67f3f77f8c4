"""Which functions call each other: components, recursion, and how deep iteration vectors get.

A function that may call itself, through others or through a pointer, gets one more dimension: each
entry and each return counts it up, so that vectors stay unique and in order without growing with
the depth of the recursion (the recursive components of PPoPP'19, the paper's [19]).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from polynb.graphs import reached
from polynb.tracing.instrument.reading import LOOPS, walk
from polynb.tracing.library import library_call


@dataclass(frozen=True, eq=False)
class CallGraph:
    """`calls[f]`: the functions f may call. `components[f]`: the number of the group that f and
    those that it calls and is called by make. `recursive`: groups whose entries are counted."""

    calls: Mapping[str, frozenset[str]]
    components: Mapping[str, int]
    recursive: frozenset[int]
    levels: Mapping[str, int]

    def reachable(self, start: str) -> frozenset[str]:
        """All that may run when `start` is called, itself too."""
        return reached([start], lambda f: self.calls.get(f, ()))

    @property
    def depth(self) -> int:
        """The most dimensions a vector can have."""
        known: dict[int, int] = {}

        def of(component: int) -> int:
            if component not in known:
                members = [f for f, c in self.components.items() if c == component]
                callees = {self.components[g] for f in members for g in self.calls[f]}
                inner = max((of(c) for c in callees - {component}), default=0)
                own = max(self.levels[f] for f in members)
                known[component] = own + inner + (component in self.recursive)
            return known[component]

        return max((of(c) for c in set(self.components.values())), default=0)


def call_graph(functions: Mapping[str, Any], others: tuple[Any, ...] = ()) -> CallGraph:
    """The graph of functions (name -> FuncDef); `others` are nodes outside them (initial values)
    that may mention functions."""
    mentioned = {f: frozenset(_mentions(node, functions)) for f, node in functions.items()}
    pointed = {g for node in functions.values() for g in _pointed(node, functions)}
    pointed |= {g for node in others for g in _pointed(node, functions)}
    variables = {x.name for e in others for x in walk(e) if _is_variable(x)}
    calls = {
        f: mentioned[f] | (frozenset(pointed) if _calls_pointers(node, variables) else frozenset())
        for f, node in functions.items()
    }
    bare = CallGraph(calls, {}, frozenset(), {})
    reach = {f: bare.reachable(f) for f in functions}
    components: dict[str, int] = {}
    for f in functions:
        if f not in components:
            number = len(set(components.values()))
            group = [g for g in functions if g in reach[f] and f in reach[g]]
            components.update(dict.fromkeys(group, number))
    again = {f for f in functions if any(f in reach[g] for g in calls[f])}
    recursive = frozenset(components[f] for f in again | pointed)
    levels = {f: _levels(node.body) for f, node in functions.items()}
    return CallGraph(calls, components, recursive, levels)


def ending(graph: CallGraph, functions: Mapping[str, Any]) -> frozenset[str | None]:
    """The functions in whose calls the program may end, by `exit` and the like; None if what a
    pointer leads to may."""
    last = {f for f, node in functions.items() if any(map(_ends, walk(node.body)))}
    found: set[str | None] = {f for f in functions if graph.reachable(f) & last}
    pointed = {f for f in functions if graph.components[f] in graph.recursive}
    return frozenset(found | ({None} if pointed & found else set()))


def _ends(node: Any) -> bool:
    found = library_call(node.name) if isinstance(node, c_ast.ID) else None
    return found is not None and found.ends


def _mentions(node: Any, functions: Mapping[str, Any]) -> Iterator[str]:
    for x in walk(node.body):
        if isinstance(x, c_ast.ID) and x.name in functions:
            yield x.name


def _pointed(node: Any, functions: Mapping[str, Any]) -> set[str]:
    """The functions that are mentioned other than to be called."""
    called = {id(x.name) for x in walk(node) if isinstance(x, c_ast.FuncCall)}
    return {
        x.name
        for x in walk(node)
        if isinstance(x, c_ast.ID) and x.name in functions and id(x) not in called
    }


def _calls_pointers(node: Any, variables: set[str]) -> bool:
    """Whether something else than a name is called, or a variable (of these, or declared here)."""
    known = variables | {x.name for x in walk(node) if _is_variable(x)}
    return any(
        isinstance(x, c_ast.FuncCall) and (not isinstance(x.name, c_ast.ID) or x.name.name in known)
        for x in walk(node)
    )


def _is_variable(x: Any) -> bool:
    return isinstance(x, c_ast.Decl) and not isinstance(x.type, c_ast.FuncDecl)


def _levels(node: Any) -> int:
    """How deep its loops are nested."""
    inner = max((_levels(child) for _, child in node.children()), default=0)
    return inner + isinstance(node, LOOPS)
