"""Algorithm 1, the main folding function: the reference of the engine, and the stepper's source.

What the paper leaves open, decided so that any two folders give the same pieces:

- `process_dims`: a vector is compared with the one before it (a loop may skip values). Loops
  inside the outermost coordinate that changed are complete.
- The dimensions of completed loops are processed before the new point is inserted, as Figure 5
  does it; in Algorithm 1's order, the point would be promoted with them.
- The polyhedra of a level are visited in the order in which they came to it; those that absorb
  nothing leave before those that waited follow. They look for others in the order of `search`,
  and absorb the first one that fits in shape and label.
- The give-up looks at what lives after the completed loops are processed, before the insertion.
- At the end, completed loops are processed up to the outermost one before what is left retires.

It is written to be read; the `engine` does the same for long streams.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from polynb.errors import PolynbError
from polynb.folding import steps
from polynb.folding.coefficients import Label, new_label
from polynb.folding.growing import Growing
from polynb.folding.pieces import BoundingBox, FoldedPiece
from polynb.folding.polyhedra import Point
from polynb.folding.search import SLOPE

Ints = NDArray[np.int64]
FAR: Final = 2**48
"""Coordinates lie between -FAR and FAR, so that no sum of terms leaves the engine's 128 bits."""
REPEATED: Final = -1
EARLIER: Final = -2
TOO_FAR: Final = -3
"""Why an entry is refused; the engine's numbers, too."""


class Folder:
    """Folds one stream, point by point; the memory is that of the live polyhedra (and of what has
    retired, until it is taken).

    `give_up` is the number of live polyhedra that are allowed, 0 for any; `tell` is called with
    each step. What it folds are points that are `growing`.
    """

    growing: ClassVar[type[Growing]] = Growing

    def __init__(
        self,
        dims: int,
        outputs: int,
        *,
        widen: bool,
        give_up: int = 0,
        slope: int = SLOPE,
        tell: steps.Teller | None = None,
    ) -> None:
        self.dims, self.outputs = dims, outputs
        self.widen, self.give_up, self.slope, self.tell = widen, give_up, slope, tell
        self.entries = self.rejected = self.live = self.most_live = 0
        self.absorbers: list[list[Growing]] = [[] for _ in range(dims)]
        self.waiting: list[dict[Point, Growing]] = [{} for _ in range(dims)]
        self.retired: list[FoldedPiece] = []
        self.box: BoundingBox | None = None
        self._last: tuple[list[int], list[int]] | None = None

    # -- entries ---------------------------------------------------------------------------

    def add(self, point: Sequence[int], labels: Sequence[int] = ()) -> int:
        """Fold one entry: 0, or why it is refused (then nothing has changed but `rejected`).

        Raises PolynbError for an entry of other dimensions, or with other outputs.
        """
        if (len(point), len(labels)) != (self.dims, self.outputs):
            raise PolynbError(
                f"entry {self.entries + self.rejected}, {tuple(point)} with {len(labels)} labels, "
                f"does not fit a stream of {self.dims} dimensions and {self.outputs} outputs"
            )
        changed = self._changed(list(point))
        if changed < 0:
            self.rejected += 1
            return changed
        self._insert(list(point), list(labels), changed)
        return 0

    def feed(self, points: Ints, labels: Ints) -> tuple[int, int]:
        """Fold entries, arrays (n, D) and (n, L), up to the first that is refused: how many were
        folded, and why it is (0 if none is)."""
        for done, (point, label) in enumerate(zip(points, labels, strict=True)):
            if code := self.add(point.tolist(), label.tolist()):
                return done, code
        return len(points), 0

    def finish(self) -> list[FoldedPiece]:
        """The end of the stream: all pieces, by their anchors."""
        if self.box is None and self.entries:
            self._complete(0)
            last = self.absorbers[0] if self.dims else self._point
            for polyhedron in last:
                self._retire(polyhedron)
            last.clear()
        if self.box is not None:
            self.retired.append(self.box.piece(self.outputs))
        return sorted(self.retired, key=lambda p: (p.anchor, p.approximate))

    @property
    def gave_up(self) -> bool:
        return self.box is not None

    def _insert(self, point: list[int], label: list[int], changed: int) -> None:
        """An entry that is in order, whose outermost axis that differs from the last one's is
        `changed`."""
        self._last = point, label
        self.entries += 1
        if self.box is None:
            self._complete(changed)
            if 0 < self.give_up < self.live:
                self._give_up()
        if self.box is not None:
            self.box.cover(point)
            self.box.points += 1
            return
        labels = tuple([new_label(value, self.dims) for value in label])
        self._row(self.growing(tuple(point), labels, self.entries))

    def _changed(self, point: list[int]) -> int:
        """The outermost axis that differs from the entry before, or why the point is refused."""
        if any(not -FAR <= c <= FAR for c in point):
            return TOO_FAR
        if self._last is None:
            return max(self.dims - 1, 0)
        last = self._last[0]
        if point == last:
            return REPEATED
        changed = next(q for q, (a, b) in enumerate(zip(last, point, strict=True)) if a != b)
        return changed if point[changed] > last[changed] else EARLIER

    # -- dimension 1 -----------------------------------------------------------------------

    def _row(self, new: Growing) -> None:
        """A point: absorbed by its row's polyhedron, or the first of another."""
        self._tell_created(new)
        if not self.dims:
            self._point = [new]
            self.live = self.most_live = 1
            return
        row, axis = self.absorbers[-1], self.dims - 1
        if row:
            there = tuple(new.anchor[:axis]), new.anchor[axis]
            follows = there == (row[0].anchor[:axis], row[0].vertices[-1][axis] + 1)
            if follows and self._absorb(row[0], new, axis):
                return
            self._promote(row.pop(), axis - 1, completed=False)
        row.append(new)
        self.live += 1
        self.most_live = max(self.most_live, self.live)

    # -- the dimensions of completed loops ---------------------------------------------------

    def _complete(self, changed: int) -> None:
        """Process the axes whose inner loop is complete, from the inside up to `changed`."""
        for axis in range(self.dims - 2, changed - 1, -1):
            # Step 1: what has grown along the inner loop can be absorbed.
            for polyhedron in self.absorbers[axis + 1]:
                self._promote(polyhedron, axis, completed=True)
            # Step 2: each absorbs what continues it, or leaves.
            waiting, kept = self.waiting[axis], []
            for polyhedron in self.absorbers[axis]:
                if self._grow(polyhedron, waiting, axis):
                    kept.append(polyhedron)
                else:
                    self._promote(polyhedron, axis - 1, completed=False)
            # Step 3: what was not absorbed can absorb the next time.
            self.absorbers[axis + 1] = []
            self.absorbers[axis] = [*kept, *waiting.values()]
            waiting.clear()

    def _grow(self, polyhedron: Growing, waiting: dict[Point, Growing], axis: int) -> bool:
        for other in polyhedron.candidates(waiting, axis, self.slope):
            if self._absorb(polyhedron, other, axis):
                del waiting[other.anchor]
                self.live -= 1
                return True
        return False

    def _absorb(self, one: Growing, other: Growing, axis: int) -> bool:
        before, grown = one.labels, one.grown
        if not one.absorb(other, axis, widen=self.widen, slope=self.slope):
            return False
        if self.tell:
            self._tell_absorbed(one, other, axis, grown != one.grown, before)
        return True

    def _promote(self, polyhedron: Growing, axis: int, *, completed: bool) -> None:
        if axis < 0:
            self._retire(polyhedron)
            return
        self.waiting[axis][polyhedron.anchor] = polyhedron
        if self.tell:
            level = self.dims - axis
            self.tell(steps.Promoted(self.entries, polyhedron.serial, level, completed))

    def _retire(self, polyhedron: Growing) -> None:
        self.live -= 1
        self.retired.append(polyhedron.piece())
        if self.tell:
            self.tell(steps.Retired(self.entries, polyhedron.serial))

    def _give_up(self) -> None:
        """Put a box around all that lives, and around all that comes."""
        living = [p for level in self.absorbers for p in level]
        living += [p for level in self.waiting for p in level.values()]
        if self.tell:
            self.tell(steps.GivenUp(self.entries, living[0].serial, self.live, self.give_up))
        self.box = BoundingBox(self.dims)
        for polyhedron in living:
            for vertex in polyhedron.vertices:
                self.box.cover(vertex)
            self.box.points += polyhedron.points
        self.absorbers = [[] for _ in range(self.dims)]
        self.waiting = [{} for _ in range(self.dims)]
        self.live = 0

    # -- steps -------------------------------------------------------------------------------

    def _tell_created(self, new: Growing) -> None:
        if self.tell:
            self.tell(steps.Created(self.entries, new.serial, new.anchor, new.labels))

    def _tell_absorbed(
        self, one: Growing, other: Growing, axis: int, merge: bool, before: tuple[Label, ...]
    ) -> None:
        assert self.tell is not None
        level = self.dims - axis
        now = self.entries, one.serial
        self.tell(
            steps.Absorbed(*now, other.serial, level, merge, one.vertices, one.grown, one.labels)
        )
        for output, (f, g) in enumerate(zip(before, one.labels, strict=True)):
            for q, (was, k) in enumerate(zip(f.coefficients, g.coefficients, strict=True)):
                if was is not k and was != k:
                    self.tell(steps.Determined(*now, output, q, was, k))
