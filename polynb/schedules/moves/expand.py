"""Expansion: a temporary has a cell for each value that is written to it."""

from __future__ import annotations

from polynb import isl
from polynb.errors import PolynbError
from polynb.schedules.expanding import all_dimensions, expanded, ways_out
from polynb.scop.model import Scop
from polynb.scop.storage import in_memory
from polynb.source.typos import meant
from polynb.words import listed


@isl.guarded
def expand(scop: Scop, array: str) -> Scop:
    """The program in which a temporary has a cell for each instance that writes it, `t` as
    `t[i][j]` if S[i, j] writes it, and each read gets its value from the cell of its own write.

    No live range of it is in the way of another one then: of its dependences, the flow is left.
    Statements that write it have a part of it each, told apart by the first subscript. Raises
    PolynbError for what is no temporary, is read before it is written, or of which data decides
    what is accessed. (Feautrier: Array expansion, 1988.)
    """
    scop = in_memory(scop)
    if array not in scop.arrays:
        near = meant(array, scop.arrays)
        raise PolynbError(
            f"there is no array '{array}'",
            reason=f"the temporaries are {listed(scop.temporaries)}" if scop.temporaries else None,
            hint=f"did you mean `{near}`?" if near else ways_out(scop),
        )
    return expanded(scop, {array: all_dimensions(scop, array)})
