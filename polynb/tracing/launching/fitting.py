"""Whether what a runtime wrote fits the program that it ran."""

from __future__ import annotations

from polynb.tracing.instrument.parts import TracedText
from polynb.tracing.launching.decoding import ContextRow, Told
from polynb.tracing.launching.words import Fold, require


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
