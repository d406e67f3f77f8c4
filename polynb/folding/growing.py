"""Intermediate polyhedra: what they look for, and absorbing it (TACO'19, section 5.2.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from polynb.folding.coefficients import Half, Label, joined
from polynb.folding.pieces import FoldedPiece
from polynb.folding.polyhedra import Axes, Point, Vertices, corner, directions, extended, merged
from polynb.folding.search import candidates


class Growing:
    """A polyhedron that can still absorb others, or be absorbed; `serial` is the number of the
    entry that it began with."""

    __slots__ = ("grown", "labels", "points", "serial", "vertices")

    def __init__(self, point: Point, labels: tuple[Label, ...], serial: int) -> None:
        self.vertices: Vertices = (point,)
        self.grown: Axes = ()
        self.labels = labels
        self.points = 1
        self.serial = serial

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
        at = corner(self.vertices, self.grown, axis)
        if not self.has_edges_along(axis):
            yield from candidates(at, waiting, axis, slope)
            return
        step = directions(self.vertices, axis)[0]
        place = tuple(c + x for c, x in zip(at, step, strict=True))
        if place in waiting:
            yield waiting[place]

    def absorb(self, other: Growing, axis: int, *, widen: bool, slope: int) -> bool:
        """Absorb another, if both together are an elementary polyhedron (Algorithm 2) with label
        functions (Algorithm 4); else nothing changes."""
        found = self._shape_with(other, axis, slope)
        if found is None:
            return False
        labels = []
        for f, g in zip(self.labels, other.labels, strict=True):
            label = joined(Half(self.vertices, f), Half(other.vertices, g), axis, widen)
            if label is None:
                return False
            labels.append(label)
        self.labels = tuple(labels)
        self.vertices, self.grown = found
        self.points += other.points
        return True

    def _shape_with(self, other: Growing, axis: int, slope: int) -> tuple[Vertices, Axes] | None:
        shapes = self.vertices, self.grown, other.vertices, other.grown
        if not self.has_edges_along(axis):
            return merged(*shapes, axis, slope)
        shape = extended(*shapes, axis)
        return None if shape is None else (shape, self.grown)

    def piece(self) -> FoldedPiece:
        """What it is when it retires."""
        functions = tuple(label.function(self.anchor) for label in self.labels)
        return FoldedPiece(self.vertices, functions, self.points, grown=self.grown)
