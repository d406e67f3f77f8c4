"""The runtime's words -> contexts, blocks and streams, by number; and whether they fit the program
that ran."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb.tracing.instrument.parts import TracedText
from polynb.tracing.launching.words import ENDINGS, Fold, WordReader, Words, ending, require

ENDED: Final = (*ENDINGS, "stack limit (calls within calls, without end)")


@dataclass(frozen=True)
class ContextRow:
    """A calling context: `site` is the number of the call (0: the start, or the library)."""

    number: int
    parent: int
    site: int
    component: int
    base: int
    recursive: bool


@dataclass(frozen=True, eq=False)
class Sink:
    """A stream: what was folded of it, and its entries if they were kept."""

    fold: Fold
    points: Words
    labels: Words


@dataclass(frozen=True, eq=False)
class Told:
    """All that a runtime wrote. `streams`: (context, instruction, the most bytes of an access
    where that varies, sink) by id; `dependences`: (source id, destination id, slot, sink). `over`
    has the loops (a bit each, by depth) that had written what was read in several iterations, and
    those of which it was not the last one's. `reached` are the bytes that accesses did, from the
    first to behind the last (0: none), and the loops of which they wrote over what another
    iteration had written, by id."""

    how: str
    detail: int
    last: int
    events: int
    nanoseconds: int
    contexts: dict[int, ContextRow]
    blocks: list[tuple[int, int, int]]
    streams: dict[int, tuple[int, int, int, Sink]]
    dependences: list[tuple[int, int, int, Sink]]
    over: dict[tuple[int, int], tuple[int, int]]
    crossed: dict[tuple[int, int], int]
    reached: dict[int, list[int]]


def decode(words: Words) -> Told:
    """What the words say; the first only said that the program begins. Raises Broken."""
    reader = WordReader(words)
    _, how, detail, last, events, nanoseconds, contexts, blocks = reader.row(8)
    rows = [ContextRow(n, p, s, c, b, bool(r)) for n, p, s, c, b, r in _table(reader, contexts, 6)]
    named = [(block, at, size) for block, at, size in _table(reader, blocks, 3)]
    streams: dict[int, tuple[int, int, int, Sink]] = {}
    dependences: list[tuple[int, int, int, Sink]] = []
    over: dict[tuple[int, int], tuple[int, int]] = {}
    crossed: dict[tuple[int, int], int] = {}
    reached: dict[int, list[int]] = {}
    while kind := reader.one():
        first, second, third = reader.row(3)
        if kind == 1:
            most, *reached[first] = reader.row(4)
            streams[first] = (second, third, most, _sink(reader))
        else:
            again, early, between = reader.row(3)
            before = over.get((first, second), (0, 0))
            over[first, second] = before[0] | again, before[1] | early
            crossed[first, second] = crossed.get((first, second), 0) | between
            dependences.append((first, second, third, _sink(reader)))
    by_number = {r.number: r for r in rows}
    ended = ending(ENDED, how, detail)
    read = by_number, named, streams, dependences, over, crossed, reached
    return Told(ended, detail, last, events, nanoseconds, *read)


def _table(reader: WordReader, count: int, width: int) -> list[list[int]]:
    table: list[list[int]] = reader.rows(count, width).tolist()
    return table


def _sink(reader: WordReader) -> Sink:
    dims, outputs = reader.row(2)
    fold = reader.fold(dims, outputs)
    raw = reader.rows(reader.one(), dims + outputs)
    return Sink(fold, raw[:, :dims], raw[:, dims:])


# -- what fits ------------------------------------------------------------------------------


def require_fit(told: Told, program: TracedText) -> None:
    """Raises Broken where a number names nothing in the program, or shapes differ."""
    _end(told, program)
    depths = {0: 0}
    for number, row in sorted(told.contexts.items()):
        depths[number] = _context(row, depths, program)
    shapes = {}
    for identifier, (context, number, most, sink) in told.streams.items():
        require(context in depths and 0 <= number < len(program.instructions) and most >= 0)
        static = program.instructions[number]
        shapes[identifier] = depths[context] + len(static.loops)
        require(static.recorded)
        _fold(sink.fold, shapes[identifier], len(static.outputs))
    for producer, consumer, _, sink in told.dependences:
        require(producer in shapes and consumer in shapes)
        _fold(sink.fold, shapes[consumer], shapes[producer])
    for name, _, size in told.blocks:
        require(0 <= name < len(program.blocks) and size >= 0)


def _end(told: Told, program: TracedText) -> None:
    require(told.events >= 0 and told.nanoseconds >= 0)
    require(told.last <= len(program.instructions))


def _context(row: ContextRow, depths: dict[int, int], program: TracedText) -> int:
    """Within how many loops its instructions stand, by the calls that led to it."""
    require(row.parent in depths and 0 <= row.site <= len(program.calls))
    functions = [f for f, c in program.components.items() if c == row.component]
    require(bool(functions))
    depth = depths[row.parent]
    if row.site:
        depth += len(program.calls[row.site - 1].loops)
    if row.recursive:
        require(any(x.recursion and x.function in functions for x in program.loops))
        depth += 1
    require(depth == row.base)
    return depth


def _fold(fold: Fold, dims: int, outputs: int) -> None:
    require((fold.dims, fold.outputs) == (dims, outputs))
    _ = fold.pieces
