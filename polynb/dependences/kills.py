"""Cells whose content a statement destroys, as a person says them."""

from __future__ import annotations

from typing import Any

from polynb import isl
from polynb.scop import Scop
from polynb.scop.isl_text import check_tuples, union_map


def read_kills(scop: Scop, kills: Any) -> isl.UnionMap | None:
    """Kills `{ S[i] -> A[x] }` of a program, given as an islpy map or isl text.

    Raises PolynbError for what is no map, and for statements and arrays that there are not, or of
    other numbers of dimensions.
    """
    if kills is None:
        return None
    found = union_map("kills", kills)
    check_tuples("kills", kills, found, {s.name: len(s.iterators) for s in scop.statements})
    arrays = {a.name: a.dimensions for a in scop.arrays.values()}
    check_tuples("kills", kills, found, arrays, side=isl.OUT, what="array")
    return found
