"""Pieces in the engine's layout, of numbers that nobody vouches for: a traced program may have
overwritten what was folded beside it."""

from __future__ import annotations

from typing import Final

from polynb.folding.engine.streaming import pieces_of
from polynb.folding.pieces import FoldedPiece
from polynb.folding.polyhedra import Point, bound, faces

HEAD: Final = 4
"""Numbers before a piece's axes: size, approximate, points, grown axes."""
KINDS: Final = 3
"""Of coefficients: undetermined, known, top."""


class NoPieces(ValueError):
    """The numbers are no pieces of a stream with so many dimensions and outputs."""


def checked_pieces(numbers: list[int], dims: int, outputs: int) -> list[FoldedPiece]:
    """`pieces_of`, once the layout is found to be whole, and each piece an elementary polyhedron.
    Raises NoPieces."""
    at = 0
    while at < len(numbers):
        at += _checked_size(numbers, at, dims, outputs)
    found = list(pieces_of(numbers, dims, outputs))
    _require(all(map(_is_elementary, found)))
    return found


def _checked_size(numbers: list[int], at: int, dims: int, outputs: int) -> int:
    _require(at + HEAD <= len(numbers))
    size, approximate, points, grown = numbers[at : at + HEAD]
    _require(0 <= grown <= dims and approximate in (0, 1) and points > 0)
    labels = HEAD + grown + (2 if approximate else 1 << grown) * dims
    width = 1 + 2 * dims
    _require(size == labels + outputs * width and at + size <= len(numbers))
    axes = numbers[at + HEAD : at + HEAD + grown]
    _require(len({*axes}) == grown and all(0 <= a < dims for a in axes))
    for start in range(at + labels, at + size, width):
        _require(all(0 <= kind < KINDS for kind in numbers[start + 1 : start + width : 2]))
    return size


def _is_elementary(piece: FoldedPiece) -> bool:
    if len(piece.vertices) == 1:
        return True
    if len(piece.grown) == 1:
        low, high = piece.vertices
        return _is_segment(low, high, piece.grown[0])
    if piece.anchor != min(piece.vertices):
        return False
    if piece.approximate:
        low, high = piece.vertices
        return all(a <= b for a, b in zip(low, high, strict=True))
    for q in range(len(piece.anchor)):
        for face, axes in faces(piece.vertices, piece.grown, q):
            try:
                if bound(face, axes, q) is None:
                    return False
            except StopIteration:  # no edge along an axis that it should have grown along
                return False
    return True


def _is_segment(low: Point, high: Point, axis: int) -> bool:
    """Whether it has as many points as steps along an axis, from which the inner ones follow."""
    moves = [b - a for a, b in zip(low, high, strict=True)]
    steps = moves[axis]
    return steps > 0 and not any(moves[:axis]) and not any(x % steps for x in moves[axis + 1 :])


def _require(held: bool) -> None:
    if not held:
        raise NoPieces
