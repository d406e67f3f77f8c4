"""Which accesses of a loop are to one cell, which others may touch it, and where it is accessed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.scalarizing.uses import LoopSite, Use
from polynb.scop.access import memory_access
from polynb.scop.affine import AffineFrame
from polynb.scop.affine_from_isl import condition
from polynb.scop.arrays import surely_inside
from polynb.scop.model import Scop
from polynb.scop.witness import Witness, pair_witness
from polynb.source import tree as syntax


@dataclass(frozen=True, eq=False)
class Cell:
    """The accesses of a loop that name one cell, which only iterators around the loop choose."""

    site: LoopSite
    array: str
    text: str
    uses: tuple[Use, ...]

    @property
    def node(self) -> syntax.Access:
        found = self.uses[0].node
        assert found is not None
        return found

    @property
    def reads(self) -> list[Use]:
        return [u for u in self.uses if not u.writes]

    @property
    def writes(self) -> list[Use]:
        return [u for u in self.uses if u.writes]

    @property
    def others(self) -> list[Use]:
        """The other accesses of the loop to the same array."""
        return [u for u in self.site.uses if u.access.array == self.array and u not in self.uses]


def cells(site: LoopSite, free: Iterable[Use]) -> list[Cell]:
    """The cells that do not change in a loop, of the uses that are still `free`."""
    groups: dict[str, list[Use]] = {}
    for u in free:
        if u.node is not None and u.node.subscripts and _chosen_outside(u.node, site):
            groups.setdefault(u.cell, []).append(u)
    return [Cell(site, g[0].access.array, text, tuple(g)) for text, g in groups.items()]


def _chosen_outside(node: syntax.Access, site: LoopSite) -> bool:
    parts = [x for e in node.subscripts for x in syntax.walk(e)]
    names = {x.name for x in parts if isinstance(x, syntax.Iterator)}
    return names <= set(site.iterators) and not any(isinstance(x, syntax.Access) for x in parts)


def conflict(
    scop: Scop, depth: int, uses: Sequence[Use], others: Sequence[Use]
) -> tuple[Use, Witness] | None:
    """Another access that touches the cell of one of the uses, in the same iteration of the
    `depth` loops around, with a witness; None if none does."""
    for other in others:
        for u in uses:
            pairs = u.access.relation.apply_range(other.access.relation.reverse())
            for k in range(depth):
                pairs = pairs.equate(isl.IN, k, isl.OUT, k)
            witness = pair_witness(pairs.intersect_params(scop.assumed), "cell", "other")
            if witness is not None:
                return other, witness
    return None


def where(site: LoopSite, uses: Iterable[Use]) -> isl.Set:
    """`{ [outer iterators] : one of the uses is made in the loop }`."""
    nowhere = site.place.subtract(site.place)
    inside = (_outer(u.statement.domain, site.depth) for u in uses)
    return isl.coalesced(isl.united([nowhere, *inside]))


def _outer(domain: isl.Set, depth: int) -> isl.Set:
    kept = domain.project_out(isl.SET, depth, domain.dim(isl.SET) - depth)
    return kept.reset_tuple_id() if kept.has_tuple_id() else kept


def first_reads(site: LoopSite, cell: Cell) -> isl.Set:
    """`{ [outer iterators] : a read comes before all writes in the loop }`."""
    total = site.place.subtract(site.place)
    for r in cell.reads:
        unwritten = r.statement.domain
        for w in cell.writes:
            if not w.sure:
                continue
            earlier = r.statement.schedule.lex_gt_map(w.statement.schedule)
            earlier = earlier.intersect_domain(r.statement.domain)
            earlier = earlier.intersect_range(w.statement.domain)
            for k in range(site.depth):
                earlier = earlier.equate(isl.IN, k, isl.OUT, k)
            unwritten = unwritten.subtract(earlier.domain())
        total = total.union(_outer(unwritten, site.depth))
    return total


def always(site: LoopSite, needed: isl.Set, scop: Scop) -> bool:
    """Whether the loop, whenever it is come to, is at one of `needed`."""
    return bool(site.place.intersect_params(scop.assumed).is_subset(needed))


def guard(site: LoopSite, needed: isl.Set, scop: Scop) -> syntax.Expr | None:
    """`needed` as a condition right before the loop; None if it always holds."""
    if always(site, needed, scop):
        return None
    known = site.place.intersect_params(scop.assumed)
    return condition(isl.coalesced(needed.gist(known)), site.iterators, scop.assumed)


def in_bounds(site: LoopSite, cell: Cell, scop: Scop) -> bool:
    """Whether the cell, of an array that nothing writes and whose extents are declared, is one of
    its cells wherever the loop is come to: it can be loaded even if the loop does not run."""
    array = scop.arrays[cell.array]
    if not array.sized or array.role != "input":
        return False
    frame = AffineFrame(site.place.get_space())
    access = memory_access(cell.node, site.place, frame)
    return access.must and surely_inside(access, array, scop.assumed)
