"""A piece of a folded stream: a polyhedron and the label functions that hold in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from polynb import isl
from polynb.folding import conversion
from polynb.folding.labels import TOP, LabelFunction
from polynb.folding.polyhedra import Bounds, Point, bound, faces


@dataclass(frozen=True)
class FoldedPiece:
    """An elementary polyhedron, whose integer points are all points of the stream, and no others,
    with a label function for each output (section 5.2.1).

    `vertices` are 2^g, numbered by the axes it has `grown` along, innermost first: bit j of a
    vertex's number says whether it lies on the lower or the upper face of axis `grown[j]` (0 is
    the outermost). The first one is the anchor. `points` is how many entries of the stream it
    holds. An `approximate` piece, of a stream that was given up (section 5.2.4), contains the
    points, and others, too; its vertices are two opposite corners of a box.
    """

    vertices: tuple[Point, ...]
    labels: tuple[LabelFunction, ...]
    points: int
    approximate: bool = False
    grown: tuple[int, ...] = ()

    @property
    def anchor(self) -> Point:
        """The lexicographically smallest point."""
        return self.vertices[0]

    @property
    def at_anchor(self) -> int:
        """The first label of the anchor; a ⊤ coefficient is 0 there, for the constant has it."""
        return self.labels[0].constant + self.labels[0].affine_part(self.anchor)

    @property
    def is_affine(self) -> bool:
        """Whether the stream can be had back from it: no ⊤, and not approximate."""
        return not self.approximate and all(f.is_affine for f in self.labels)

    @cached_property
    def bounds(self) -> tuple[Bounds, ...]:
        """The bounds of each coordinate, outermost first."""
        if self.approximate:
            low, high = self.vertices
            return tuple(Bounds(((0,) * q, low[q]), ((0,) * q, high[q])) for q in range(len(low)))
        found = []
        for q in range(len(self.anchor)):
            sides = [bound(face, axes, q) for face, axes in faces(self.vertices, self.grown, q)]
            flat = [side for side in sides if side is not None]
            assert len(flat) == len(sides), "an elementary polyhedron has flat sides"
            found.append(Bounds(flat[0], flat[-1]))
        return tuple(found)

    def domain(self, names: Sequence[str] = (), identifier: str = "") -> isl.Set:
        """The polyhedron, `{ I2[cj, ck] : 0 <= cj <= 15 and 0 <= ck <= 42 }`."""
        return conversion.domain(self.bounds, names, identifier)

    def relation(
        self, names: Sequence[str] = (), outputs: Sequence[str] = (), identifier: str = ""
    ) -> isl.Map:
        """What its points are mapped to, `{ I1[cj, ck] -> [ck + 12] }`; of an output with a ⊤
        nothing is known, so it is not constrained."""
        return conversion.relation(
            self.domain(names, identifier), self.labels, outputs, exact=not self.approximate
        )

    def polyhedron(self, names: Sequence[str]) -> str:
        """As Table 3 prints it: `0 ≤ cj ≤ 15, 0 ≤ ck ≤ 42`."""
        texts = []
        for q, (name, b) in enumerate(zip(names, self.bounds, strict=True)):
            low, high = (_affine(side, names[:q]) for side in (b.low, b.high))
            texts.append(f"{name} = {low}" if b.low == b.high else f"{low} ≤ {name} ≤ {high}")
        return ", ".join(texts) or "one point"

    def __str__(self) -> str:
        names = [f"c{q + 1}" for q in range(len(self.anchor))]
        functions = ", ".join(str(f) for f in self.labels) or "N/A"
        about = " (approximate)" if self.approximate else ""
        return f"{self.polyhedron(names)}{about}: {functions}"


def _affine(side: tuple[Point, int], names: Sequence[str]) -> str:
    coefficients, constant = side
    terms: list[Any] = [
        name if k == 1 else f"-{name}" if k == -1 else f"{k}{name}"
        for k, name in zip(coefficients, names, strict=True)
        if k
    ]
    if constant or not terms:
        terms.append(constant)
    return " + ".join(map(str, terms)).replace(" + -", " - ")


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

    def piece(self, outputs: int) -> FoldedPiece:
        """Nothing is claimed about the labels."""
        nothing = LabelFunction((TOP,) * len(self.low))
        corners = tuple(self.low), tuple(self.high)
        return FoldedPiece(corners, (nothing,) * outputs, self.points, approximate=True)
