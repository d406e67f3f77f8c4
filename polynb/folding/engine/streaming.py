"""A stream in the engine: the interface of the reference's `Folder`, on arrays."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from polynb.errors import PolynbError
from polynb.folding.coefficients import Label
from polynb.folding.engine.library import NUMBERS, library
from polynb.folding.labels import BOTTOM, TOP, LabelFunction
from polynb.folding.pieces import FoldedPiece

Ints = NDArray[np.int64]
NO_MEMORY: Final = -4
ROOM: Final = 1 << 16  # numbers of pieces that are taken at a time


class EngineFolder:
    """Folds one stream in C. Raises PolynbError where there is no compiler, or no memory."""

    def __init__(
        self, dims: int, outputs: int, *, widen: bool, give_up: int = 0, slope: int = 1
    ) -> None:
        self.dims, self.outputs = dims, outputs
        self._library = library()
        self._handle = self._library.fold_new(dims, outputs, int(widen), give_up, slope)
        if not self._handle:
            raise _no_memory()
        weakref.finalize(self, self._library.fold_free, self._handle)
        self._pieces: list[FoldedPiece] = []

    def feed(self, points: Ints, labels: Ints) -> tuple[int, int]:
        """Fold entries up to the first that is refused: how many were folded, and why it is (0 if
        none is)."""
        bad = ctypes.c_int64(0)
        points, labels = (np.ascontiguousarray(a, np.int64) for a in (points, labels))
        code = self._library.fold_add_many(
            self._handle, len(points), _at(points), _at(labels), ctypes.byref(bad)
        )
        if code == NO_MEMORY:
            raise _no_memory()
        return (bad.value, code) if code else (len(points), 0)

    def finish(self) -> list[FoldedPiece]:
        """The end of the stream: all pieces, by their anchors."""
        if self._library.fold_finish(self._handle) == NO_MEMORY:
            raise _no_memory()
        found = list(self._taken())
        return sorted(found, key=lambda p: (p.anchor, p.approximate))

    @property
    def entries(self) -> int:
        return self._stats()[0]

    @property
    def live(self) -> int:
        return self._stats()[1]

    @property
    def most_live(self) -> int:
        return self._stats()[2]

    @property
    def gave_up(self) -> bool:
        return bool(self._stats()[3])

    @property
    def rejected(self) -> int:
        return self._stats()[4]

    def _stats(self) -> list[int]:
        found = np.zeros(6, np.int64)
        self._library.fold_stats(self._handle, _at(found))
        return [int(x) for x in found]

    def _taken(self) -> Iterator[FoldedPiece]:
        """The retired pieces that wait, which the engine then forgets."""
        room = np.zeros(ROOM, np.int64)
        while written := self._library.fold_pieces(self._handle, _at(room), len(room)):
            if written < 0:
                room = np.zeros(-written, np.int64)
                continue
            yield from pieces_of(room[:written].tolist(), self.dims, self.outputs)


def pieces_of(numbers: list[int], dims: int, outputs: int) -> Iterator[FoldedPiece]:
    """The pieces in the engine's flat layout, which `fold.h` describes."""
    at = 0
    while at < len(numbers):
        size, approximate, points, grown = numbers[at : at + 4]
        piece, at = numbers[at + 4 : at + size], at + size
        axes, rest = tuple(piece[:grown]), piece[grown:]
        count = 2 if approximate else 1 << grown
        vertices = tuple(tuple(rest[k * dims : (k + 1) * dims]) for k in range(count))
        width = 1 + 2 * dims
        labels = (
            _function(rest[count * dims + j * width :][:width], vertices[0]) for j in range(outputs)
        )
        yield FoldedPiece(vertices, tuple(labels), points, bool(approximate), axes)


def _function(numbers: list[int], anchor: tuple[int, ...]) -> LabelFunction:
    value, *rest = numbers
    pairs = zip(rest[::2], rest[1::2], strict=True)
    coefficients = (k if kind == 1 else (BOTTOM, k, TOP)[kind] for kind, k in pairs)
    return Label(value, tuple(coefficients)).function(anchor)


def _at(array: Ints) -> Any:
    return array.ctypes.data_as(NUMBERS)


def _no_memory() -> PolynbError:
    return PolynbError("there is no memory for this stream", hint="a variant that gives up: F_GG,W")
