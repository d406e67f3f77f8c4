"""A slice that is complete, and yet not absorbed by the one before it (TACO'19, Figure 7)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.folding import fold
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.labs.tasks.labels import Point, point_text
from polynb.scop.isl_text import check_tuples, union_set
from polynb.scop.witness import Instance, Witness

FAR: Final = 50
"""How many points a slice may have, and how far away they may be."""


@dataclass(frozen=True)
class SliceTask:
    """A slice that is one polyhedron, inside the square of the slice before it, and that is not
    absorbed by it (Figure 7). The square has four points, of which `first` is the smallest."""

    first: tuple[int, int]

    @property
    def square(self) -> list[Point]:
        return [*itertools.product(*(range(x, x + 2) for x in self.first))]

    @property
    def form(self) -> str:
        return 'isl text: "{ S[j, k] : ... }", the points of the second slice'

    def judge(self, answer: object) -> Outcome:
        points = self._points(answer)
        outside = [p for p in points if p not in self.square]
        if outside:
            at = Witness({}, {"at": Instance("S", outside[0])})
            return nothing(Finding(f"S{point_text(outside[0])} is outside of the square", at))
        if not points:
            return nothing("it has no point")
        alone = pieces_of(points)
        if alone > 1:
            return nothing(f"alone it is {alone} polyhedra")
        both = pieces_of([*((0, *p) for p in self.square), *((1, *p) for p in points)])
        if both == 1:
            said = "it is absorbed: both slices together are one polyhedron"
            return Outcome(Fraction(1, 4), (Finding(said),))
        return Outcome(Fraction(1), (), f"refused: together they are {both} polyhedra")

    def _points(self, answer: object) -> list[Point]:
        """The points of an answer, in order. Raises PolynbError for another set, or a large one."""
        example = "{ S[j, k] : ... }"
        given = union_set("answer", answer, example)
        check_tuples("answer", answer, given.identity(), {"S": 2}, side=isl.IN, what="statement")
        if isl.dim_names(given.get_space(), isl.PARAM):
            raise PolynbError("this exercise has no parameters", hint="numbers")
        near = given.intersect(isl.read_union_set(f"{{ S[j, k] : -{FAR} <= j, k <= {FAR} }}"))
        found = sorted(p for piece in isl.sets(near) for p in isl.points(piece, {}))
        if len(found) > FAR or not given.is_equal(near):
            raise PolynbError(f"the slice has more than {FAR} points, or some far away")
        return found


def pieces_of(points: Sequence[Point]) -> int:
    """How many polyhedra the folding (variant F of TACO'19) makes of points."""
    return len(fold([list(p) for p in points], variant="F").pieces)
