"""Where scalars may be mapped to: stores that open an unused zone before them (section 2.1)."""

from __future__ import annotations

from dataclasses import dataclass

from polynb import isl
from polynb.delicm.timing import Times, next_instance
from polynb.scop.model import Scop, Statement
from polynb.source.tree import Access


@dataclass(frozen=True, eq=False)
class MappingTarget:
    """The store of a statement, before which the array element that it writes may be unused.

    `statement` writes `array`; a value that is made at a time may live in the element that the
    next instance of the statement is going to overwrite.
    """

    statement: Statement
    array: str

    def cells(self, at: isl.Map, times: Times) -> isl.Map:
        """`{ D[i] -> A[x] }`: what the next instance of the statement overwrites, at a time of
        `at`, `{ D[i] -> [t] }`, or later. Behind the last instance there is none."""
        following = next_instance(at, times[self.statement.name])
        return isl.coalesced(following.apply_range(self.statement.write.relation))


def ineligible(scop: Scop, s: Statement) -> str | None:
    """Why no scalar is mapped to what a statement stores; None if one may be."""
    if not scop.arrays[s.write.array].dimensions:
        return f"{s.write.array} is a scalar"
    if not s.write.must or s.guard is not None:
        return "data decides whether, or where, it stores"
    if not s.iterators:
        return "it is not in a loop"
    cells = s.write.relation.range().intersect_params(scop.assumed)
    if cells.is_empty():
        return "it never runs"
    pairs = isl.Map.from_domain_and_range(cells, cells)
    if pairs.is_subset(isl.Map.identity(pairs.get_space())):
        return "it stores to one element only"
    return None


def input_scalars(scop: Scop, s: Statement) -> tuple[str, ...]:
    """The scalars whose values a statement uses: the one that it stores as it is, or else all that
    it reads, in the order of its text. Those that the program does not write, its parameters in
    all but name, are left out where there are others."""
    stored = s.expression
    if isinstance(stored, Access) and not scop.arrays[stored.array].dimensions:
        return (stored.array,)
    read = dict.fromkeys(r.array for r in s.reads if not scop.arrays[r.array].dimensions)
    written = {x.write.array for x in scop.statements}
    return tuple(n for n in read if n in written) or tuple(read)
