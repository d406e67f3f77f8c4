"""The words that a traced program's runtime wrote: how it ended, and what the engine folded. The
program may have overwritten all that was counted beside it, so that no number is taken on trust."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from polynb.folding import Folded, FoldedPiece, Stream
from polynb.folding.engine.checked import NoPieces, checked_pieces

Words = NDArray[np.int64]


class Broken(Exception):
    """The words end too early, the process having been killed while it wrote, or say what cannot
    be: the traced program has overwritten what its runtime counted."""


def require(held: bool) -> None:
    """Raises Broken where something does not hold."""
    if not held:
        raise Broken


class WordReader:
    """Takes words one after the other. Raises Broken where there are no more."""

    def __init__(self, words: Words) -> None:
        self._words, self._at = words, 0

    def take(self, count: int) -> Words:
        require(0 <= count <= len(self._words) - self._at)
        self._at += count
        return self._words[self._at - count : self._at]

    def one(self) -> int:
        return int(self.take(1)[0])

    def row(self, count: int) -> list[int]:
        return [int(n) for n in self.take(count)]

    def rows(self, count: int, width: int) -> Words:
        """A table, which has no words where its width is 0."""
        require(0 <= count <= len(self._words) and 0 <= width <= len(self._words))
        return self.take(count * width).reshape(count, width)

    def fold(self, dims: int, outputs: int) -> Fold:
        """A fold as `pn_put_fold` in runtime/words.c writes it."""
        entries, _, most_live, gave_up, rejected = self.row(5)
        require(min(dims, outputs, entries, rejected) >= 0)
        words = self.take(self.one())
        return Fold(dims, outputs, entries, most_live, bool(gave_up), rejected, words)


# -- how a run came to its end -----------------------------------------------------------------

EXIT, SIGNAL = "exit", "signal"
ENDINGS: Final = (EXIT, "time limit", "event limit", "memory limit", SIGNAL, "iteration limit")
"""By number. Each runtime has some of its own after them."""


def ending(endings: Sequence[str], how: int, detail: int) -> str:
    """The one with that number. Raises Broken for what cannot be."""
    require(0 <= how < len(endings))
    require(endings[how] != SIGNAL or detail in signal.valid_signals())
    return endings[how]


def ended(how: str, detail: int, place: str) -> str:
    """`exit 0`, `time limit`, `signal 11 at line 7 (segmentation fault)`: the place of a signal,
    where it is known, begins with a space."""
    if how == SIGNAL:
        return f"signal {detail}{place} ({signal_name(detail)})"
    return f"exit {detail}" if how == EXIT else how


def signal_name(number: int) -> str:
    return (signal.strsignal(number) or "a signal").lower()


# -- streams -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Fold:
    """What the engine folded of a stream: `words` are its pieces as it writes them."""

    dims: int
    outputs: int
    entries: int
    most_live: int
    gave_up: bool
    rejected: int
    words: Words

    @cached_property
    def pieces(self) -> list[FoldedPiece]:
        """By their anchors; they may be as many as entries. Raises Broken."""
        try:
            pieces = checked_pieces(self.words.tolist(), self.dims, self.outputs)
        except NoPieces:
            raise Broken from None
        return sorted(pieces, key=lambda p: (p.anchor, p.approximate))


def folded(stream: Stream, folds: Sequence[Fold]) -> Folded:
    """A stream; of a dependence whose consumer had several values of one producer, all its parts
    together, each of which was folded on its own."""
    return Folded(
        stream,
        tuple(piece for fold in folds for piece in fold.pieces),
        sum(fold.entries for fold in folds),
        max(fold.most_live for fold in folds),
        any(fold.gave_up for fold in folds),
        sum(fold.rejected for fold in folds),
    )
