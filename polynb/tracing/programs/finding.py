"""The loops and circles of a whole program, from what its first run showed; and whether what the
second left fits them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from polynb.tracing.launching.words import require
from polynb.tracing.programs.forest import BlockLoop, Ways, circles, loop_forest, one_loop
from polynb.tracing.programs.naming import line_text
from polynb.tracing.programs.protocol import BlockGraph, CallContext, Streams
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


def require_fit(found: Streams, shape: Shape) -> None:
    """Raises Broken where a number names no context, loop or access, or shapes differ."""
    bases: list[int] = []
    for k, c in enumerate(found.contexts):
        bases.append(_base(c, k, bases, found, shape))
    for a in found.accesses:
        require(0 <= a.context < len(bases) and a.at >= 0 and a.size >= 0)
        require(a.dims == bases[a.context] + _depth(a.loop, shape))
        require(a.rejected >= 0 and a.entries >= 0)
    told = [a.folds for a in found.accesses] + [d.folds for d in found.dependences]
    for fold in (f for folds in told for f in folds if f is not None):
        _ = fold.pieces
    require(all(at >= 0 and size >= 0 for at, _, size, _ in found.allocated))


def _base(c: CallContext, k: int, bases: list[int], found: Streams, shape: Shape) -> int:
    """How many dimensions come before a context's own loops."""
    require(-1 <= c.caller < k and min(c.site, c.function) >= 0 and c.component >= -1)
    if c.caller < 0:
        base = 0
    else:
        base = bases[c.caller] + _depth(c.loop, shape) + c.external + (c.component >= 0)
    require(c.base == base)
    return base


def _depth(loop: int, shape: Shape) -> int:
    require(-1 <= loop < len(shape.loops))
    found = 0
    while loop >= 0:
        loop, found = shape.loops[loop].parent, found + 1
    return found
