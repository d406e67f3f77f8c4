"""Intermediate polyhedra: what they look for, and absorbing it (TACO'19, section 5.2.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from polynb.folding.coefficients import (
    Half,
    JoiningRules,
    Label,
    joined,
)
from polynb.folding.pieces import FoldedPiece
from polynb.folding.polyhedra import (
    Axes,
    Point,
    Vertices,
    ahead,
    directions,
    extended,
    merged,
)
from polynb.folding.search import candidates


class Growing:
    """A polyhedron that can still absorb others, or be absorbed; `serial` is the number of the
    entry that it began with."""

    __slots__ = ("_ahead", "grown", "labels", "points", "serial", "vertices")
    rules: ClassVar = JoiningRules()

    def __init__(self, point: Point, labels: tuple[Label, ...], serial: int) -> None:
        self.vertices: Vertices = (point,)
        self.grown: Axes = ()
        self.labels = labels
        self.points = 1
        self.serial = serial
        self._ahead: Vertices | None = None

    @property
    def anchor(self) -> Point:
        return self.vertices[0]

    def has_edges_along(self, axis: int) -> bool:
        """Whether it has absorbed something along the axis that it grows along now."""
        return self.grown[-1:] == (axis,)

    def candidates(
        self, waiting: Mapping[Point, Growing], axis: int, slope: int
    ) -> Iterator[Growing]:
        """What it could absorb, in the order in which it tries: where its edges lead, if it has
        any, or else all that is at a search vector."""
        if not self.has_edges_along(axis):
            yield from candidates(self.anchor, waiting, axis, slope)
        elif (place := self._next(axis)[0]) in waiting:
            yield waiting[place]

    def absorb(self, other: Growing, axis: int, *, widen: bool, slope: int) -> bool:
        """Absorb another, if both together are an elementary polyhedron (Algorithm 2) with label
        functions (Algorithm 4); else nothing changes."""
        if self.has_edges_along(axis):
            return self._extend(other, axis, widen)
        return self._merge(other, axis, widen, slope)

    def _became(
        self, vertices: Vertices, grown: Axes, other: Growing, axis: int, widen: bool
    ) -> bool:
        """It and the other have this shape together: they are one if their labels are."""
        labels = []
        for f, g in zip(self.labels, other.labels, strict=True):
            label = joined(Half(self.vertices, f), Half(other.vertices, g), axis, widen, self.rules)
            if label is None:
                return False
            labels.append(label)
        self.labels, self._ahead = tuple(labels), None
        self.vertices, self.grown = vertices, grown
        self.points += other.points
        return True

    def _merge(self, other: Growing, axis: int, widen: bool, slope: int) -> bool:
        found = merged(self.vertices, self.grown, other.vertices, other.grown, axis, slope)
        if found is None:
            return False
        return self._became(*found, other, axis, widen)

    def _extend(self, other: Growing, axis: int, widen: bool) -> bool:
        place = self._next(axis)
        found = extended(self.vertices, self.grown, other.vertices, other.grown, axis, place)
        return found is not None and self._became(found, self.grown, other, axis, widen)

    def _next(self, axis: int) -> Vertices:
        """Where its edges along that axis lead, a step further: the only slice it can be extended
        by."""
        if self._ahead is None:
            self._ahead = ahead(self.vertices, directions(self.vertices, axis))
        return self._ahead

    def piece(self) -> FoldedPiece:
        """What it is when it retires."""
        functions = tuple(label.function(self.anchor) for label in self.labels)
        return FoldedPiece(self.vertices, functions, self.points, grown=self.grown)
