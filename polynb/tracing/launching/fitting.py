"""Whether what a runtime wrote fits the program that it ran: a traced program may have overwritten
all that was counted beside it, so that no number is taken on trust."""

from __future__ import annotations

import signal

from polynb.folding.engine.checked import NoPieces
from polynb.tracing.instrument.parts import TracedText
from polynb.tracing.launching.decoding import (
    EXITED,
    SIGNAL,
    STACK,
    Broken,
    ContextRow,
    Sink,
    Told,
)


def require_fit(told: Told, program: TracedText) -> None:
    """Raises Broken where a number names nothing in the program, or shapes differ."""
    _end(told, program)
    depths = {0: 0}
    for number, row in sorted(told.contexts.items()):
        depths[number] = _context(row, depths, program)
    shapes = {}
    for identifier, (context, number, most, sink) in told.streams.items():
        _require(context in depths and 0 <= number < len(program.instructions) and most >= 0)
        static = program.instructions[number]
        shapes[identifier] = depths[context] + len(static.loops)
        _require(static.recorded and sink.outputs == len(static.outputs))
        _require(sink.dims == shapes[identifier])
        _sink(sink)
    for producer, consumer, _, sink in told.dependences:
        _require(producer in shapes and consumer in shapes)
        _require((sink.dims, sink.outputs) == (shapes[consumer], shapes[producer]))
        _sink(sink)
    for name, _, size in told.blocks:
        _require(0 <= name < len(program.blocks) and size >= 0)


def _require(held: bool) -> None:
    if not held:
        raise Broken


def _end(told: Told, program: TracedText) -> None:
    _require(EXITED <= told.how <= STACK and told.events >= 0 and told.nanoseconds >= 0)
    _require(told.last <= len(program.instructions))
    _require(told.how != SIGNAL or told.detail in signal.valid_signals())


def _context(row: ContextRow, depths: dict[int, int], program: TracedText) -> int:
    """Within how many loops its instructions stand, by the calls that led to it."""
    _require(row.parent in depths and 0 <= row.site <= len(program.calls))
    functions = [f for f, c in program.components.items() if c == row.component]
    _require(bool(functions))
    depth = depths[row.parent]
    if row.site:
        depth += len(program.calls[row.site - 1].loops)
    if row.recursive:
        _require(any(x.recursion and x.function in functions for x in program.loops))
        depth += 1
    _require(depth == row.base)
    return depth


def _sink(sink: Sink) -> None:
    _require(0 <= sink.rejected <= sink.entries)
    try:
        _ = sink.folded
    except NoPieces:
        raise Broken from None
