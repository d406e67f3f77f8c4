"""How many cells an array has at given parameter values."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.scop.model import Array


def extents_at(array: Array, parameters: Mapping[str, int]) -> tuple[int | None, ...]:
    """The number of cells of each dimension; None where nothing bounds it, 0 where the array is
    not accessed at these values."""
    return tuple(None if e is None else _at(e, parameters) for e in array.extents)


def _at(extent: isl.PwAff, parameters: Mapping[str, int]) -> int:
    if extent.get_domain_space().is_params():  # as isl gives the bound of a set
        extent = extent.from_range()
    found = isl.points(isl.Map.from_pw_aff(extent).range(), parameters)
    return max(found[0][0], 0) if found else 0
