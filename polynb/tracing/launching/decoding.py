"""The runtime's words -> contexts, blocks and streams, by number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from polynb.folding.engine.checked import checked_pieces
from polynb.folding.pieces import FoldedPiece

EXITED, TIME, EVENTS, MEMORY, SIGNAL, STACK = range(6)
Words = NDArray[np.int64]


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
    """What the engine folded of a stream: its statistics, its pieces, its entries if kept."""

    dims: int
    outputs: int
    entries: int
    rejected: int
    stats: tuple[int, ...]
    pieces: Words
    points: Words
    labels: Words

    @cached_property
    def folded(self) -> list[FoldedPiece]:
        """Its pieces, which may be as many as entries. Raises NoPieces."""
        return checked_pieces(self.pieces.tolist(), self.dims, self.outputs)


@dataclass(frozen=True, eq=False)
class Told:
    """All that a runtime wrote. `streams`: (context, instruction, the most bytes of an access
    where that varies, sink) by id; `dependences`:
    (source id, destination id, slot, sink)."""

    how: int
    detail: int
    last: int
    events: int
    nanoseconds: int
    contexts: dict[int, ContextRow]
    blocks: list[tuple[int, int, int]]
    streams: dict[int, tuple[int, int, int, Sink]]
    dependences: list[tuple[int, int, int, Sink]]


class Broken(Exception):
    """The words end too early, the process having been killed while it wrote, or say what cannot
    be: the traced program has overwritten what its runtime counted."""


class _Reader:
    def __init__(self, words: Words) -> None:
        self._words, self._at = words, 0

    def take(self, count: int) -> Words:
        if not 0 <= count <= len(self._words) - self._at:
            raise Broken
        self._at += count
        return self._words[self._at - count : self._at]

    def one(self) -> int:
        return int(self.take(1)[0])

    def sink(self) -> Sink:
        dims, outputs, entries, rejected = map(int, self.take(4))
        if not 0 <= min(dims, outputs) <= max(dims, outputs) <= len(self._words):
            raise Broken
        stats = tuple(map(int, self.take(5)))
        pieces = self.take(self.one())
        kept = self.one()
        if not 0 <= kept <= len(self._words):
            raise Broken
        raw = self.take(kept * (dims + outputs)).reshape(kept, dims + outputs)
        return Sink(
            dims,
            outputs,
            entries,
            rejected,
            stats,
            pieces,
            raw[:, :dims],
            raw[:, dims:],
        )


def decode(words: Words) -> Told:
    """What the words say; the first only said that the program begins. Raises Broken."""
    reader = _Reader(words)
    _, how, detail, last, events, nanoseconds, contexts, blocks = map(int, reader.take(8))
    numbers = reader.take(6 * contexts).reshape(-1, 6).tolist()
    rows = [ContextRow(n, p, s, c, b, bool(r)) for n, p, s, c, b, r in numbers]
    named = [tuple(map(int, row)) for row in reader.take(3 * blocks).reshape(-1, 3)]
    streams: dict[int, tuple[int, int, int, Sink]] = {}
    dependences: list[tuple[int, int, int, Sink]] = []
    while kind := reader.one():
        first, second, third = map(int, reader.take(3))
        if kind == 1:
            streams[first] = (second, third, reader.one(), reader.sink())
        else:
            dependences.append((first, second, third, reader.sink()))
    return Told(
        how,
        detail,
        last,
        events,
        nanoseconds,
        {r.number: r for r in rows},
        [(a, b, c) for a, b, c in named],
        streams,
        dependences,
    )
