"""The runtime's words -> contexts, blocks and streams, by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb.tracing.launching.words import ENDINGS, Fold, WordReader, Words, ending

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
    where that varies, sink) by id; `dependences`:
    (source id, destination id, slot, sink)."""

    how: str
    detail: int
    last: int
    events: int
    nanoseconds: int
    contexts: dict[int, ContextRow]
    blocks: list[tuple[int, int, int]]
    streams: dict[int, tuple[int, int, int, Sink]]
    dependences: list[tuple[int, int, int, Sink]]


def decode(words: Words) -> Told:
    """What the words say; the first only said that the program begins. Raises Broken."""
    reader = WordReader(words)
    _, how, detail, last, events, nanoseconds, contexts, blocks = reader.row(8)
    rows = [ContextRow(n, p, s, c, b, bool(r)) for n, p, s, c, b, r in _table(reader, contexts, 6)]
    named = [(block, at, size) for block, at, size in _table(reader, blocks, 3)]
    streams: dict[int, tuple[int, int, int, Sink]] = {}
    dependences: list[tuple[int, int, int, Sink]] = []
    while kind := reader.one():
        first, second, third = reader.row(3)
        if kind == 1:
            streams[first] = (second, third, reader.one(), _sink(reader))
        else:
            dependences.append((first, second, third, _sink(reader)))
    by_number = {r.number: r for r in rows}
    ended = ending(ENDED, how, detail)
    return Told(ended, detail, last, events, nanoseconds, by_number, named, streams, dependences)


def _table(reader: WordReader, count: int, width: int) -> list[list[int]]:
    table: list[list[int]] = reader.rows(count, width).tolist()
    return table


def _sink(reader: WordReader) -> Sink:
    dims, outputs = reader.row(2)
    fold = reader.fold(dims, outputs)
    raw = reader.rows(reader.one(), dims + outputs)
    return Sink(fold, raw[:, :dims], raw[:, dims:])
