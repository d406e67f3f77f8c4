"""Which temporaries begin as zeros: those of which data may decide to read a cell that nothing has
written, and that must not be what happened to be in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polynb import isl
from polynb.scop.arrays import cells
from polynb.scop.model import MemoryAccess, Scop, Statement, constant_order

OPERATIONS: Final = 200_000
"""isl operations for an array, to find that all is written: memory is soon zeroed, after all."""


def begin_as_zeros(scop: Scop) -> set[str]:
    """The arrays that data decides where, or whether, to access, but for those whose cells are
    surely written before they may be read."""
    accesses = (a for s in scop.statements for a in s.accesses)
    return {name for name in {a.array for a in accesses if not a.must} if not _written(name, scop)}


def _written(name: str, scop: Scop) -> bool:
    """Whether each cell that an array has, and an instance may read, was written before."""
    inside = cells(scop.arrays[name])
    sources = [s for s in scop.statements if s.write.array == name and s.write.must]
    reads = [(s, r) for s in scop.statements for r in s.reads if r.array == name]
    try:
        with isl.budget(OPERATIONS):
            return not any(_unset(s, r, sources, scop.assumed, inside) for s, r in reads)
    except isl.BudgetExhausted:
        return False


def _unset(
    s: Statement, r: MemoryAccess, sources: Sequence[Statement], context: isl.Set, inside: isl.Set
) -> bool:
    left = r.relation.intersect_domain(s.domain.intersect_params(context)).intersect_range(inside)
    for w in sources:
        order, written = constant_order(w, s), w.write.relation.intersect_domain(w.domain)
        if order is None:
            before = s.schedule.lex_gt_map(w.schedule)
            left = left.subtract(before.apply_range(written))
        elif order < 0:
            left = left.subtract_range(written.range())
    return not left.is_empty()
