"""A stream in the engine: the interface of the reference's `Folder`, on arrays."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polynb.errors import PolynbError
from polynb.folding.engine.library import NUMBERS, library
from polynb.folding.labels import TOP, LabelFunction, Sign
from polynb.folding.pieces import FoldedPiece
from polynb.folding.search import SLOPE

Ints = NDArray[np.int64]
NO_MEMORY: Final = -4
KNOWN: Final = 1  # a coefficient that is a number; 0 is one that is not determined, 2 is ⊤
CHUNK: Final = 1 << 17  # entries that are folded together
ROOM: Final = 1 << 16  # numbers of pieces that are taken at a time


class EngineFolder:
    """Folds one stream in C. Raises PolynbError where there is no compiler, or no memory."""

    def __init__(
        self, dims: int, outputs: int, *, widen: bool, give_up: int = 0, slope: int = SLOPE
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
        for done in range(0, len(points), CHUNK):  # between them, Ctrl-C is answered
            part, values = points[done : done + CHUNK], labels[done : done + CHUNK]
            code = self._library.fold_add_many(
                self._handle, len(part), _at(part), _at(values), ctypes.byref(bad)
            )
            if code == NO_MEMORY:
                raise _no_memory()
            if code:
                return done + bad.value, code
        return len(points), 0

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
    """The pieces in the engine's flat layout, which `fold.h` describes. There may be as many as
    points, and few kinds of label functions among them: what is known of a kind is kept."""
    at, width = 0, 2 * dims
    kinds: dict[tuple[int, ...], _Kind] = {}
    while at < len(numbers):
        size, approximate, points, grown = numbers[at : at + 4]
        first, last, at = at + 4 + grown, at + size, at + size
        axes = tuple(numbers[first - grown : first])
        count = 2 if approximate else 1 << grown
        anchor = tuple(numbers[first : first + dims])
        others = [
            numbers[j : j + dims] for j in range(first + dims, first + count * dims, dims or 1)
        ]
        vertices = (anchor, *map(tuple, others)) if dims else ((),) * count
        labels = []
        for j in range(first + count * dims, last, 1 + width):
            key = tuple(numbers[j + 1 : j + 1 + width])
            if (kind := kinds.get(key)) is None:
                kind = kinds[key] = _Kind.of(key)
            constant = numbers[j]
            for q, k in kind.terms:
                constant -= k * anchor[q]
            labels.append(LabelFunction(kind.coefficients, constant))
        yield FoldedPiece(vertices, tuple(labels), points, bool(approximate), axes)


class _Kind(NamedTuple):
    """What label functions with the same coefficients have in common: `terms` are those that are
    known and not 0, by dimension. What is still ⊥ never influenced a label (section 5.1.2)."""

    coefficients: tuple[int | Sign, ...]
    terms: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, numbers: tuple[int, ...]) -> _Kind:
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        terms = tuple((q, k) for q, (kind, k) in enumerate(pairs) if kind == KNOWN and k)
        return cls(tuple(TOP if kind > KNOWN else k * kind for kind, k in pairs), terms)


def _at(array: Ints) -> Any:
    return array.ctypes.data_as(NUMBERS)


def _no_memory() -> PolynbError:
    return PolynbError("there is no memory for this stream", hint="a variant that gives up: F_GG,W")
