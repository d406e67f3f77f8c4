"""The proof that a new order is legal, and what is said where it is not."""

from __future__ import annotations

from polynb.dependences import LiveRanges
from polynb.errors import PolynbError
from polynb.legality.checking import Verdict, check_ranges, new_times
from polynb.reordering.coincidence import with_coincidence
from polynb.reordering.constraints import ScheduleConstraints
from polynb.scop.model import Scop
from polynb.scop.schedule import Tree


def proven(
    scop: Scop, ranges: LiveRanges, wanted: ScheduleConstraints, tree: Tree
) -> tuple[Tree, Verdict]:
    """The tree, with coincidence where the constraints did not ask for it, and whether it is legal,
    which the constraints play no part in."""
    if not wanted.of("coincidence"):
        tree = with_coincidence(tree, ranges)
    return tree, check_ranges(ranges, new_times(scop, tree))


def refuse_illegal(verdict: Verdict, *, given: bool) -> None:
    """Raises PolynbError for an illegal order: by constraints that were `given`, or by mistake."""
    if not verdict:
        raise PolynbError(
            f"the schedule found is illegal: {verdict.conflicts[0]}",
            reason="the constraints leave out what the program needs"
            if given
            else "the scheduler went wrong",
            hint="`constraints=None` makes the right ones",
        )
