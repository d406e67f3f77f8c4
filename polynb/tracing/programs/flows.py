"""The flow dependences that the second run left, between the instructions of its accesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from polynb.errors import PolynbError
from polynb.folding import Folded, Stream
from polynb.tracing.launching.words import Fold, Words, folded
from polynb.tracing.programs.protocol import UNKNOWN, DependenceStream, Streams
from polynb.tracing.records import Instruction, Taken

Pair = tuple[str, str]


def dependences(
    streams: Streams, instructions: Sequence[Instruction], which: int
) -> dict[Pair, Folded]:
    """Those of one pair are one: reads that take from several instances of one writer."""
    parts: dict[tuple[int, int], list[DependenceStream]] = {}
    for d in streams.dependences:
        parts.setdefault((d.producer, d.consumer), []).append(d)
    found = {}
    for (first, second), several in parts.items():
        producer, consumer = instructions[first - 1], instructions[second - 1]
        pair = producer.name, consumer.name
        places = tuple(f"{name}'" for name in producer.loops)
        stream = Stream(" -> ".join(pair), "dependence", consumer.loops, places)
        found[pair] = folded(stream, [chosen(d.folds, which, stream) for d in several])
    return found


def taken(streams: Streams, instructions: Sequence[Instruction]) -> Mapping[Pair, Taken]:
    """What was read of what was stored, and after which loops that had written it several times."""
    found: dict[Pair, Taken] = {}
    for d in streams.dependences:
        producer, consumer = instructions[d.producer - 1], instructions[d.consumer - 1]
        pair = producer.name, consumer.name
        before = found.get(pair, Taken(consumer.line))
        found[pair] = Taken(consumer.line, before.over | d.over, before.early | d.early)
    return found


def crossed(streams: Streams, instructions: Sequence[Instruction]) -> Mapping[Pair, int]:
    """The loops, a bit each by their depth, to another of whose iterations something leads."""
    found: dict[Pair, int] = {}
    for d in streams.dependences:
        pair = instructions[d.producer - 1].name, instructions[d.consumer - 1].name
        found[pair] = found.get(pair, 0) | d.crossed
    return found


def chosen(folds: Sequence[Fold | None], which: int, stream: Stream) -> Fold:
    """As the `which`-th variant of the run folded it."""
    if (fold := folds[which]) is None:
        raise PolynbError(f"{stream.identifier} was not folded with that variant")
    return fold


def raw(streams: Streams, names: Sequence[str]) -> dict[str | tuple[str, str], tuple[Words, Words]]:
    """The entries themselves, where the run kept them; `names` are those of the accesses."""
    found: dict[str | tuple[str, str], tuple[Words, Words]] = {}
    for name, access in zip(names, streams.accesses, strict=True):
        if len(access.raw):
            labels = access.raw[:, access.dims :]
            found[name] = access.raw[:, : access.dims], labels[:, access.role == UNKNOWN :]
    for d in streams.dependences:
        dims = streams.accesses[d.consumer - 1].dims
        if len(d.raw):
            key = names[d.producer - 1], names[d.consumer - 1]
            rows = d.raw if key not in found else np.vstack([np.hstack(found[key]), d.raw])
            found[key] = rows[:, :dims], rows[:, dims:]
    return found
