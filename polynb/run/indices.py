"""Which numbers an array may hold whose values are subscripts: seeded data has to stay inside."""

from __future__ import annotations

from collections.abc import Mapping

from polynb.scop.model import Scop
from polynb.scop.sizes import extents_at
from polynb.source.tree import Access


def index_limits(scop: Scop, parameters: Mapping[str, int]) -> dict[str, int]:
    """Array -> how many numbers, from 0, stay inside whatever its values choose a cell of.

    Claims that for subscripts that are a value as it is, `t[k[i]]`. What is computed from a value,
    `t[k[i]+1]`, is the program's own business, and limits nothing."""
    limits: dict[str, int] = {}
    for s in scop.statements:
        for access in s.accesses:
            extents = extents_at(scop.arrays[access.array], parameters)
            for subscript, extent in zip(access.node.subscripts, extents, strict=False):
                if isinstance(subscript, Access) and extent:
                    known = limits.get(subscript.array, extent)
                    limits[subscript.array] = min(known, extent)
    return limits
