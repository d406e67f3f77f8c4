"""Intermediate polyhedra: what they look for, and absorbing it (TACO'19, section 5.2.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from polynb.folding.coefficients import (
    Expected,
    Half,
    JoiningRules,
    Label,
    expected,
    fits,
    joined,
    lengthened,
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
    moved,
)
from polynb.folding.search import candidates


class Ahead(NamedTuple):
    """Where the edges of a polyhedron lead, a step further: the only slice it can be extended by.
    `functions` are those which are known to leave its own as they are."""

    steps: Vertices
    slice: Vertices
    functions: list[Expected | None]


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
        self._ahead: Ahead | None = None

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
        elif (place := self._next(axis).slice[0]) in waiting:
            yield waiting[place]

    def absorb(self, other: Growing, axis: int, *, widen: bool, slope: int) -> bool:
        """Absorb another, if both together are an elementary polyhedron (Algorithm 2) with label
        functions (Algorithm 4); else nothing changes."""
        if self.has_edges_along(axis):
            return self._extend(other, axis, widen)
        return self._merge(other, axis, widen, slope)

    def _merge(self, other: Growing, axis: int, widen: bool, slope: int) -> bool:
        found = merged(self.vertices, self.grown, other.vertices, other.grown, axis, slope)
        if found is None:
            return False
        labels = []
        for f, g in zip(self.labels, other.labels, strict=True):
            label = joined(Half(self.vertices, f), Half(other.vertices, g), axis, widen, self.rules)
            if label is None:
                return False
            labels.append(label)
        self.labels, self._ahead = tuple(labels), None
        self.vertices, self.grown = found
        self.points += other.points
        return True

    def _extend(self, other: Growing, axis: int, widen: bool) -> bool:
        steps, place, functions = self._next(axis)
        found = extended(self.vertices, self.grown, other.vertices, other.grown, axis, place)
        if found is None:
            return False
        labels: list[Label] = []
        coming: list[Expected | None] = []
        for f, g, known in zip(self.labels, other.labels, functions, strict=True):
            if known is not None and g == known.label:
                labels.append(f)
                coming.append(known.after(1))
                continue
            label = joined(Half(self.vertices, f), Half(other.vertices, g), axis, widen, self.rules)
            if label is None:
                return False
            labels.append(label)
            coming.append(expected(f, g, axis, steps[0]) if label == f else None)
        self.labels, self._ahead = tuple(labels), Ahead(steps, ahead(found, steps), coming)
        self.vertices = found
        self.points += other.points
        return True

    def expects(self, other: Growing, axis: int) -> bool:
        """Whether it is known to absorb another, by extension, as it is."""
        if self._ahead is None or not self.has_edges_along(axis):
            return False
        labels = tuple([known and known.label for known in self._ahead.functions])
        there = self._ahead.slice, self.grown[:-1], labels
        return there == (other.vertices, other.grown, other.labels)

    def repeat(self, other: Growing, count: int) -> None:
        """Absorb `count` others: this one, which it expects, and what it expects after that. The
        other becomes the next one, which it does not absorb."""
        assert self._ahead is not None
        steps, slice_, functions = self._ahead
        some, all_ = (
            moved(slice_, tuple([tuple([n * x for x in step]) for step in steps]))
            for n in (count - 1, count)
        )
        coming = [known and known.after(count) for known in functions]
        self.vertices = self.vertices[: len(some)] + some
        self._ahead = Ahead(steps, all_, coming)
        self.points += count * other.points
        other.vertices, other.labels = all_, tuple([known.label for known in coming if known])

    def _next(self, axis: int) -> Ahead:
        """Where its edges along that axis lead."""
        if self._ahead is None:
            steps = directions(self.vertices, axis)
            self._ahead = Ahead(steps, ahead(self.vertices, steps), [None] * len(self.labels))
        return self._ahead

    # -- a row, many points at once ----------------------------------------------------------

    def go_on(self, slopes: list[int], count: int) -> bool:
        """Absorb the points that follow in a row, whose labels go on by these steps, one by one;
        whether it can (then it can absorb them all)."""
        if self.grown:
            if [label.coefficients[-1] for label in self.labels] != slopes:
                return False
        elif all(map(fits, slopes)):
            pairs = zip(self.labels, slopes, strict=True)
            self.labels = tuple([Label(f.value, (*f.coefficients[:-1], k)) for f, k in pairs])
        else:
            return False
        self._lengthen(count)
        return True

    def widen(self, columns: list[list[int]], count: int) -> None:
        """Absorb the points that follow in a row, whatever their labels are (of each output)."""
        low, high = self.vertices[0][-1], self.vertices[-1][-1]
        pairs = zip(self.labels, columns, strict=True)
        self.labels = tuple([lengthened(f, low, high, values) for f, values in pairs])
        self._lengthen(count)

    def _lengthen(self, count: int) -> None:
        anchor = self.vertices[0]
        self.points += count
        self.vertices = anchor, (*anchor[:-1], anchor[-1] + self.points - 1)
        self.grown, self._ahead = (len(anchor) - 1,), None

    def piece(self) -> FoldedPiece:
        """What it is when it retires."""
        functions = tuple(label.function(self.anchor) for label in self.labels)
        return FoldedPiece(self.vertices, functions, self.points, grown=self.grown)
