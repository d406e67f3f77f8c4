"""The box that stands for a stream that was given up (TACO'19, section 5.2.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polynb.folding.labels import TOP, LabelFunction
from polynb.folding.pieces import FoldedPiece
from polynb.folding.polyhedra import Point


class BoundingBox:
    """A hyperrectangle from the origin to the largest coordinates seen (and from the smallest, of
    those below the origin, where canonical iterators never are). It overlaps what retired before,
    and holds points that are not in the stream, so its piece is approximate."""

    def __init__(self, dims: int) -> None:
        self.low, self.high, self.points = [0] * dims, [0] * dims, 0

    def cover(self, point: Point | list[int]) -> None:
        for q, c in enumerate(point):
            if c > self.high[q]:
                self.high[q] = c
            elif c < self.low[q]:
                self.low[q] = c

    def add(self, points: NDArray[np.int64] | list[list[int]]) -> None:
        """Points of the stream."""
        self.cover(np.max(points, axis=0).tolist())
        self.cover(np.min(points, axis=0).tolist())
        self.points += len(points)

    def piece(self, outputs: int) -> FoldedPiece:
        """Nothing is claimed about the labels."""
        nothing = LabelFunction((TOP,) * len(self.low))
        corners = tuple(self.low), tuple(self.high)
        return FoldedPiece(corners, (nothing,) * outputs, self.points, approximate=True)
