"""Expansion: a temporary has a cell for each value that is written to it."""

from __future__ import annotations

from dataclasses import dataclass

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves.move import Move, Offered, Spot
from polynb.moves.words import Temporary
from polynb.schedules.expanding import all_dimensions, expanded, ways_out
from polynb.scop.model import Scop
from polynb.scop.storage import in_memory
from polynb.source.typos import meant
from polynb.words import listed


@dataclass(frozen=True)
class Expand(Move):
    """A temporary has a cell for each value that is written to it.

    `t` becomes `t[i][j]` if S[i, j] writes it, and each read gets its value from the cell of its
    own write. No live range of it is in the way of another one then: of its dependences, the flow
    is left. Statements that write it have a part of it each, told apart by the first subscript.
    Raises PolynbError for what is no temporary, is read before it is written, or of which data
    decides what is accessed. (Feautrier: Array expansion, 1988.)
    """

    array: Temporary

    usage = "expand ARRAY"
    example = "expand t"
    about = "a temporary has a cell for each value"
    legal = "each value of {array} has its own cell"
    needs = "a temporary that is used here"
    tried = False

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        scop, array = in_memory(scop), self.array
        if array not in scop.arrays:
            near = meant(array, scop.arrays)
            known = scop.temporaries
            raise PolynbError(
                f"there is no array '{array}'",
                reason=f"the temporaries are {listed(known)}" if known else None,
                hint=f"did you mean `{near}`?" if near else ways_out(scop),
            )
        return expanded(scop, {array: all_dimensions(scop, array)})

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        return ((t, str(cls(t))) for t in at.temporaries())
