"""How large an array has to be for what accesses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polynb import isl
from polynb.scop.model import MemoryAccess

BUDGET: Final = 20_000
"""isl operations for one extent: the maximum of n unrelated bounds has up to 2^n pieces. The
programs of the gallery and of PolyBench need 3,000 at most, one subscript under a disjunction with
a remainder 15,000."""


def inferred_extents(
    accesses: Sequence[MemoryAccess], assumed: isl.Set, *, own: bool = False
) -> tuple[isl.PwAff | None, ...]:
    """One more than the largest subscript; meaningful where the array is accessed at all.

    Where that would take too long it is None: to be declared where it is needed. Of a program's
    `own` array nobody outside knows the size: it is a bound then, which may be larger.
    """
    dims = accesses[0].relation.dim(isl.OUT) if accesses else 0
    if not dims:
        return ()
    cells = isl.united(a.relation.range() for a in accesses)
    cells = isl.coalesced(cells.intersect_params(assumed))
    return tuple(_one_more_than_the_largest(cells, k, own) for k in range(dims))


def _one_more_than_the_largest(cells: isl.Set, k: int, own: bool) -> isl.PwAff | None:
    if cells.is_empty() or not cells.dim_has_upper_bound(isl.SET, k):
        return None
    for largest in (_exact, _bound) if own else (_exact,):
        try:
            with isl.budget(BUDGET):
                return largest(cells, k).add_constant_val(isl.Val(1))
        except isl.BudgetExhausted:
            continue
    return None


def _exact(cells: isl.Set, k: int) -> isl.PwAff:
    found = isl.coalesced(cells.dim_max(k))
    return isl.one_piece(found).gist(cells.params())


def _bound(cells: isl.Set, k: int) -> isl.PwAff:
    """At least the largest subscript, for all parameters: the greatest of what bounds the pieces
    from above, whichever of them has cells, without what divisions say."""
    dims = cells.dim(isl.SET)
    column = cells.project_out(isl.SET, k + 1, dims - k - 1).project_out(isl.SET, 0, k)
    pieces = isl.basic_sets(isl.coalesced(column.remove_divs()))
    largest, *others = (_from_above(p).to_set().dim_max(0) for p in pieces)
    for other in others:
        largest = largest.max(other)
    return isl.one_piece(isl.coalesced(largest))


def _from_above(piece: isl.BasicSet) -> isl.BasicSet:
    """`{ [x] }`, all that is below the upper bounds of a piece."""
    found = isl.BasicSet.universe(piece.get_space())
    for c in isl.constraints(piece):
        sign = c.get_coefficient_val(isl.SET, 0)
        if sign.is_neg() or (sign.is_pos() and c.is_equality()):
            aff = c.get_aff() if sign.is_neg() else c.get_aff().neg()
            found = found.intersect(aff.ge_basic_set(aff.get_domain_space().zero_aff_on_domain()))
    return found
