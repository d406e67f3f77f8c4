"""How many cells an array has at given parameter values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.model import Array, Scop
from polynb.source.types import INT64


@isl.bounded("the sizes of an array")
def extents_at(array: Array, parameters: Mapping[str, int]) -> tuple[int | None, ...]:
    """The number of cells of each dimension; None where nothing bounds it, 0 where the array is
    not accessed at these values."""
    return tuple(None if e is None else _at(e, parameters) for e in array.extents)


def large(scop: Scop, size: int) -> Mapping[str, int]:
    """Parameter values the program may be called with: of at least `size`, where it may."""
    allowed = scop.assumed
    for k in range(allowed.dim(isl.PARAM)):
        above = allowed.lower_bound_val(isl.PARAM, k, isl.Val(size))
        allowed = allowed if above.is_empty() else above
    found = isl.witness(isl.Set.from_params(allowed))
    return {} if found is None else found[0]


def refuse_enormous(arrays: Iterable[Array]) -> None:
    """Raises PolynbError for an array that is larger than C's objects may be, whatever the
    parameters are: no compiler takes it."""
    for array in arrays:
        cells = prod(n for n in map(_constant, array.extents) if n is not None)
        if cells * array.type.size > INT64.most:
            raise PolynbError(
                f"{array.name} is too large for any memory: {cells:,} cells of {array.type}",
                span=array.span,
                reason=array.why or None,
                hint="loops that run to less, or a smaller extent",
            )


def _constant(extent: isl.PwAff | None) -> int | None:
    """The one value of an extent, None if it has several or none."""
    if extent is None:
        return None
    cells = _values(extent)
    values = cells.project_out(isl.PARAM, 0, cells.dim(isl.PARAM))
    return isl.points(values)[0][0] if values.is_singleton() else None


def _at(extent: isl.PwAff, parameters: Mapping[str, int]) -> int:
    found = isl.points(_values(extent), parameters)
    return max(found[0][0], 0) if found else 0


def _values(extent: isl.PwAff) -> isl.Set:
    """`[N] -> { [e] }`"""
    if extent.get_domain_space().is_params():  # as isl gives the bound of a set
        extent = extent.from_range()
    values: isl.Set = isl.Map.from_pw_aff(extent).range()
    return values
