"""What folding a stream shows of itself: Figure 5, one step each time something changes.

Polyhedra are called as in the figure: P4 is the one whose first point is the stream's fourth.
`vertices` and `labels` are those after the step, so a picture of any moment is the last step of
each polyhedron that is still there. Levels are the paper's dimensions: 1 is the innermost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from polynb.derivation import Step
from polynb.folding.coefficients import Coefficient, Label
from polynb.folding.polyhedra import Point, Vertices


@dataclass(frozen=True, eq=False)
class FoldingStep(Step):
    """A step after `entry` entries of the stream, about polyhedron P`serial`."""

    entry: int
    serial: int

    @property
    def about(self) -> tuple[str, ...]:
        return (f"P{self.serial}",)


@dataclass(frozen=True, eq=False)
class Created(FoldingStep):
    """A point has come, and is a polyhedron of its own (Algorithm 1, line 13)."""

    point: Point
    labels: tuple[Label, ...]

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        return "P{serial} is created from the point {point}", vars(self)


@dataclass(frozen=True, eq=False)
class Absorbed(FoldingStep):
    """P`serial` has absorbed P`other` along a level (lines 24 to 30): a `merge` of two slices, or
    the extension of what has edges along that level."""

    other: int
    level: int
    merge: bool
    vertices: Vertices
    grown: tuple[int, ...]
    labels: tuple[Label, ...]

    @property
    def about(self) -> tuple[str, ...]:
        return (f"P{self.serial}", f"P{self.other}")

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        how = "by a merge" if self.merge else "by extension"
        text = "P{serial} absorbs P{other} along dimension {level}, {how}"
        return text, {**vars(self), "how": how}


@dataclass(frozen=True, eq=False)
class Determined(FoldingStep):
    """A coefficient of the polyhedron that has just absorbed another changed: ⊥ to a number, or
    anything to ⊤."""

    output: int
    axis: int
    was: Coefficient
    now: Coefficient

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        text = "P{serial}: the coefficient of coordinate {at} goes from {was} to {now}"
        return text, {**vars(self), "at": self.axis + 1}


@dataclass(frozen=True, eq=False)
class Promoted(FoldingStep):
    """It goes to the next level, where another can absorb it (lines 18 and 34); `completed`: since
    the loop is, and not because it found nothing to absorb."""

    level: int
    completed: bool

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        why = "the loop is complete" if self.completed else "it found nothing to absorb"
        return "P{serial} is promoted to dimension {level}: {why}", {**vars(self), "why": why}


@dataclass(frozen=True, eq=False)
class Retired(FoldingStep):
    """It can grow no more: it is part of the result."""

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        return "P{serial} is retired: it is a piece of the result", vars(self)


@dataclass(frozen=True, eq=False)
class GivenUp(FoldingStep):
    """More polyhedra live than are allowed: from now on a box holds all points (section 5.2.4)."""

    live: int
    allowed: int

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        text = "the stream is given up: {live} polyhedra live, and {allowed} are allowed"
        return text, vars(self)


Teller = Callable[[FoldingStep], None]
