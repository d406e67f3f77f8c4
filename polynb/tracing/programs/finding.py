"""The loops and circles of a whole program, from what its first run showed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from polynb.tracing.programs.forest import BlockLoop, Ways, circles, loop_forest, one_loop
from polynb.tracing.programs.naming import line_text
from polynb.tracing.programs.protocol import BlockGraph
from polynb.tracing.programs.symbols import CodePlace, CodeSymbols, own as own_place, places

TESTED: Final = re.compile(r"\bfor\s*\([^;]*;\s*[^;\s][^;]*;|\bwhile\s*\(\s*(?!(?:1|true)\s*\))")


@dataclass(frozen=True)
class Shape:
    """Loops of all functions (parents by number), of each block its innermost loop and whether it
    is the header, of each function (by its entry hook) its circle and whether it is main."""

    loops: tuple[BlockLoop, ...]
    blocks: Mapping[int, tuple[int, bool]]
    functions: Mapping[int, tuple[int, bool]]


def shape_of(graph: BlockGraph, symbols: CodeSymbols) -> Shape:
    """The loops and circles of a run's graph."""
    edges: dict[int, list[tuple[int, int]]] = {}
    for function, start, end in graph.edges:
        edges.setdefault(function, []).append((start, end))
    loops: list[BlockLoop] = []
    split = ByText({end for _, _, end in graph.edges}, symbols)
    blocks: dict[int, tuple[int, bool]] = {end: (-1, False) for _, _, end in graph.edges}
    for function, own in edges.items():
        first = len(loops)
        for loop in loop_forest(function, own, split):
            parent = loop.parent + first if loop.parent >= 0 else -1
            blocks.update((b, (len(loops), b == loop.header)) for b in loop.own)
            loops.append(replace(loop, parent=parent))
    circle = circles((caller, callee) for caller, callee in graph.calls if caller)
    main = symbols.named("main")
    entries = {*edges, *(callee for _, callee in graph.calls)}
    functions = {
        at: (circle.get(at, -1), main is not None and main.start <= at < main.end) for at in entries
    }
    return Shape(tuple(loops), blocks, functions)


@dataclass(frozen=True, eq=False)
class ByText:
    """Tells two loops of one header by the text: where the header's line tests a loop's condition,
    what follows the test is that loop, and both ways lead back, so there is another around it."""

    blocks: Set[int]
    symbols: CodeSymbols

    @cached_property
    def places(self) -> dict[int, CodePlace]:
        return {at: own_place(chain) for at, chain in places(self.symbols, self.blocks).items()}

    def __call__(self, header: int, ways: Ways) -> list[frozenset[int]]:
        place = self.places[header]
        if len(ways) != 2 or not TESTED.search(line_text(place)):
            return one_loop(header, ways)
        inner, outer = sorted(ways, key=lambda way: self._after(place, way))
        if self._after(place, inner) == self._after(place, outer):
            return one_loop(header, ways)
        return [outer, inner]

    def _after(self, place: CodePlace, way: frozenset[int]) -> float:
        """How many lines after a place the first block of a way stands that stands there."""
        lines = [p.line for b in way if (p := self.places[b]).file == place.file]
        return min((line - place.line for line in lines if line >= place.line), default=1e9)
