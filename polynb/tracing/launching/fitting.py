"""Whether what a runtime wrote fits the program that it ran: a traced program may have overwritten
all that was counted beside it, so that no number is taken on trust."""

from __future__ import annotations

import signal
from typing import Final

from polynb.folding import FoldedPiece
from polynb.folding.engine.streaming import pieces_of
from polynb.folding.polyhedra import bound, faces
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

HEAD: Final = 4
"""Numbers before a piece's axes in the engine's layout: size, approximate, points, grown axes."""
KINDS: Final = 3
"""Of coefficients: undetermined, known, top."""


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
    numbers, at = sink.pieces.tolist(), 0
    width = 1 + 2 * sink.dims
    while at < len(numbers):
        _require(at + HEAD <= len(numbers))
        size, approximate, points, grown = numbers[at : at + HEAD]
        _require(0 <= grown <= sink.dims and approximate in (0, 1) and points > 0)
        vertices = 2 if approximate else 1 << grown
        labels = HEAD + grown + vertices * sink.dims
        _require(size == labels + sink.outputs * width and at + size <= len(numbers))
        axes = numbers[at + HEAD : at + HEAD + grown]
        _require(all(0 <= a < sink.dims for a in axes))
        for start in range(at + labels, at + size, width):
            _require(all(0 <= kind < KINDS for kind in numbers[start + 1 : start + width : 2]))
        at += size
    for piece in pieces_of(numbers, sink.dims, sink.outputs):
        _require(len({*piece.grown}) == len(piece.grown) and piece.anchor == min(piece.vertices))
        _require(piece.approximate or _has_flat_sides(piece))


def _has_flat_sides(piece: FoldedPiece) -> bool:
    for q in range(len(piece.anchor)):
        for face, axes in faces(piece.vertices, piece.grown, q):
            try:
                if bound(face, axes, q) is None:
                    return False
            except StopIteration:  # no edge along an axis that it should have grown along
                return False
    return True
