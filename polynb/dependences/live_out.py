"""What remains of a program's writes when it ends: the one definition of live-out."""

from __future__ import annotations

from polynb import isl
from polynb.dependences.memory import destroyers, same_cell
from polynb.scop import Scop, Statement


def live_out_writes(scop: Scop, s: Statement, kills: isl.UnionMap | None = None) -> isl.Map:
    """`{ S[i] -> A[x] }`, the writes of a statement that may survive the program (IMPACT'16,
    section 2.3): the array is live-out, and no later must-write or kill of the cell is certain.

    `kills` is `{ S[i] -> A[x] }`: cells whose content S[i] destroys.
    """
    relation: isl.Map = s.write.relation
    array = s.write.array
    if not scop.arrays[array].live_out:
        return isl.Map.empty(relation.get_space())
    for killer in reversed(destroyers(scop.statements, array, kills).values()):
        later = same_cell((s, s.write), killer, strict=True)
        relation = relation.subtract(later.apply_range(killer[1].relation))
        if relation.is_empty():  # as the last writes destroy most, mostly at once
            break
    return isl.coalesced(relation)
