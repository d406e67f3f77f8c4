"""What lives while a stream is folded, as its steps tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polynb import isl
from polynb.folding import FoldedPiece, LabelFunction, Sign, Stream
from polynb.folding.coefficients import Label
from polynb.folding.polyhedra import Point, Vertices
from polynb.folding.steps import Absorbed, Created, FoldingStep, GivenUp, Promoted, Retired


@dataclass(frozen=True)
class Polyhedron:
    """P`serial` by now; `members` are the numbers of its entries, from 0. `waits`: it is to be
    absorbed along dimension `level`; otherwise it can absorb along it. `retired`: it can do
    neither."""

    serial: int
    members: tuple[int, ...]
    vertices: Vertices
    grown: tuple[int, ...]
    labels: tuple[Label, ...]
    level: int = 1
    waits: bool = False
    retired: bool = False

    @property
    def name(self) -> str:
        return f"P{self.serial}"

    @property
    def piece(self) -> FoldedPiece:
        return FoldedPiece(self.vertices, (), len(self.members), grown=self.grown)

    def shape(self, stream: Stream) -> str:
        return self.piece.polyhedron(stream.dimensions)

    def domain(self, stream: Stream) -> isl.Set:
        return self.piece.domain(stream.dimensions)

    def functions(self, stream: Stream) -> list[str]:
        """`⊥cj + 4ck + 67`, one for each output."""
        return [label_text(f, self.vertices[0], stream.dimensions) for f in self.labels]

    @property
    def place(self) -> str:
        """Where Algorithm 1 keeps it."""
        if self.retired:
            return "a piece of the result"
        return f"{'to_be_absorbed' if self.waits else 'absorbers'}[{self.level}]"


def label_text(label: Label, anchor: Point, names: Sequence[str]) -> str:
    """A label function that is not finished: its constant is that of Figure 5, what the label of
    the anchor is without the known terms."""
    pairs = zip(label.coefficients, anchor, strict=True)
    known = sum(k * c for k, c in pairs if not isinstance(k, Sign))
    return LabelFunction(label.coefficients, label.value - known).text(names)


Living = dict[int, Polyhedron]
"""By serial, in the order in which they came."""


def after(living: Living, step: FoldingStep, completed: int) -> Living:
    """What lives after a step; `completed` is the outermost dimension that was processed before
    the entry of a `Created` (1: no loop was complete)."""
    found = dict(living)
    match step:
        case Created(serial=serial, point=point, labels=labels):
            for other in found.values():  # step 3 of the completed dimensions
                if other.waits and other.level <= completed:
                    found[other.serial] = replace(other, waits=False)
            found[serial] = Polyhedron(serial, (serial - 1,), (point,), (), labels)
        case Absorbed(serial=serial, other=absorbed):
            one, other = found[serial], found.pop(absorbed)
            members = tuple(sorted((*one.members, *other.members)))
            found[serial] = replace(
                one,
                members=members,
                vertices=step.vertices,
                grown=step.grown,
                labels=step.labels,
                level=step.level,
                waits=False,
            )
        case Promoted(serial=serial, level=level):
            found[serial] = replace(found[serial], level=level, waits=True)
        case Retired(serial=serial):
            found[serial] = replace(found[serial], retired=True)
        case GivenUp():
            found = {s: p for s, p in found.items() if p.retired}
    return found
