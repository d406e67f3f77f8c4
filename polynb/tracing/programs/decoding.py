"""The engine's words -> folded streams."""

from __future__ import annotations

from dataclasses import replace

from polynb.errors import PolynbError
from polynb.folding import Folded, Stream
from polynb.folding.engine.streaming import pieces_of
from polynb.tracing.programs.protocol import AccessStream, DependenceStream, FoldWords


def folded(
    stream: Stream, words: FoldWords | None, told: AccessStream | DependenceStream
) -> Folded:
    """One stream as one variant folded it. `told` is what the runtime counted of it: entries that
    it refused itself, after control flow that it could not follow, are told as rejected."""
    if words is None:
        raise PolynbError(f"{stream.identifier} was not folded with that variant")
    entries, _, most_live, gave_up, rejected, _ = (int(n) for n in words.stats)
    pieces = [
        piece
        for part in words.pieces
        for piece in pieces_of(part.tolist(), len(stream.dimensions), len(stream.outputs))
    ]
    pieces.sort(key=lambda p: (p.anchor, p.approximate))
    return Folded(
        stream, tuple(pieces), entries, most_live, bool(gave_up), max(rejected, told.rejected)
    )


def together(a: Folded, b: Folded) -> Folded:
    """Two streams of one dependence: reads that take from several instances of one writer."""
    return replace(
        a,
        pieces=(*a.pieces, *b.pieces),
        entries=a.entries + b.entries,
        gave_up=a.gave_up or b.gave_up,
        rejected=a.rejected + b.rejected,
    )
