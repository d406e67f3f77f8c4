"""The least expansion of an array that keeps its live ranges apart (the paper, 4.3.2, *supporting
array/scalar expansion*)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from polynb.schedules.expanding import Dimensions, dimensions, expanded
from polynb.scop import Scop
from polynb.violations.memory_cost import Cells
from polynb.violations.overlaps import Overlap

SIZE: Final = 64
"""The value of the parameters at which costs are compared."""


@dataclass(frozen=True, eq=False)
class ArrayExpansion:
    """Further dimensions of an array: how many cells it had, has with them, and would have with
    all of them, a cell for each value that is written."""

    added: Dimensions
    before: Cells
    cells: Cells
    full: Cells

    @property
    def array(self) -> str:
        return self.added.array

    @property
    def cost(self) -> str:
        """`N cells, not 1; in full N * N`, where that is more."""
        full = f"; in full {self.full}" if str(self.full) != str(self.cells) else ""
        return f"{self.cells} cells, not {self.before}{full}"


def least_expansion(scop: Scop, array: str, found: Sequence[Overlap]) -> ArrayExpansion:
    """The fewest dimensions, and of those the fewest cells, such that none of these overlapping
    live ranges share a cell any more. (With all dimensions each value has its own.)

    The array is one that can be expanded (`expanding.refusal`).
    """
    costs = [(added, _cells(scop, added)) for added in _choices(scop, array)]
    sizes = dict.fromkeys(scop.parameters, SIZE)
    chosen = sorted(costs, key=lambda c: _order(c[0], c[1], sizes))
    full, most = chosen[-1]
    best = next((d, c) for d, c in chosen if d is full or _apart(found, d))
    return ArrayExpansion(best[0], Cells.of(scop, array), best[1], most)


def _choices(scop: Scop, array: str) -> Iterator[Dimensions]:
    writers = [s for s in scop.statements if s.write.array == array]
    loops = range(max(len(s.iterators) for s in writers))
    for number in range(len(loops) + 1):
        for chosen in combinations(loops, number):
            for by_statement in (False, True) if len(writers) > 1 else (False,):
                if chosen or by_statement:
                    yield dimensions(scop, array, chosen, by_statement)


def _cells(scop: Scop, added: Dimensions) -> Cells:
    return Cells.of(expanded(scop, {added.array: added}), added.array)


def _order(added: Dimensions, cells: Cells, sizes: Mapping[str, int]) -> tuple[int, bool, float]:
    at = cells.at(sizes)
    return len(added.loops), added.by_statement, float("inf") if at is None else at


def _apart(found: Sequence[Overlap], added: Dimensions) -> bool:
    """Whether no two of these live ranges have the same cell."""
    return all(_left(o, added) for o in found)


def _left(o: Overlap, added: Dimensions) -> bool:
    if o.first.write is None or o.second.write is None:
        return False
    same = added.same(o.first.write, o.second.write)
    pairs = o.first.pairs.domain_map().apply_range(same)
    pairs = pairs.apply_range(o.second.pairs.domain_map().reverse())
    return bool(o.relation.intersect_range(pairs.wrap()).is_empty())
