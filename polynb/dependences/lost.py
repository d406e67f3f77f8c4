"""Values that are lost: those that nothing reads, and that are in no result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from polynb import isl
from polynb.dependences.analysis import analyze
from polynb.dependences.memory import live_out_writes
from polynb.scop.model import Scop
from polynb.source.normal_form import normal_form, same_form
from polynb.source.tree import Access, Expr, Select


def lost_values(scop: Scop, runs: Mapping[str, isl.Set], steps: int = 1) -> dict[str, isl.Set]:
    """`{ S[i] }`, by statement: the instances, of those that run, whose values are in no result and
    are read by none but others of these, as far as so many steps from one to the other show."""
    edges = analyze(scop).flow_edges
    idle = {s.name: runs[s.name].subtract(live_out_writes(scop, s).domain())
            for s in scop.statements}  # fmt: skip
    kept, lost = dict(runs), idle
    for _ in range(steps):
        lost = dict(idle)
        for e in edges:
            needed = e.relation.intersect_range(kept[e.target]).domain()
            lost[e.source] = lost[e.source].subtract(needed)
        kept = {name: isl.coalesced(runs[name].subtract(lost[name])) for name in runs}
    return lost


def repeated_in_vain(scop: Scop) -> Iterator[str]:
    """The statements that write cells several times, and of whose values only those of one
    iteration of a loop are for anybody, or none, or all are there already."""
    runs = {s.name: s.domain.intersect_params(scop.assumed) for s in scop.statements}
    for name, lost in lost_values(scop, runs).items():
        s = scop.by_name[name]
        if s.write.relation.intersect_domain(runs[name]).is_injective():
            continue
        if _keeps(s.expression, s.write.node):
            yield name
            continue
        if lost.is_empty():
            continue
        whole = _flat(runs[name])
        kept = map(isl.Set, isl.basic_sets(runs[name].subtract(lost)))
        if all(_flat(part).is_strict_subset(whole) for part in kept):
            yield name


def _keeps(value: Expr, cell: Access) -> bool:
    """Whether a value, whatever conditions select, is what a cell holds."""
    match value:
        case Select(then=a, otherwise=b):
            return _keeps(a, cell) and _keeps(b, cell)
        case Access(array=cell.array, subscripts=subscripts):
            pairs = zip(subscripts, cell.subscripts, strict=True)
            return all(same_form(normal_form(a), normal_form(b)) for a, b in pairs)
    return False


def _flat(points: isl.Set) -> isl.Set:
    """The least affine space that the points are in, whatever their remainders."""
    return isl.Set(points.affine_hull().remove_divs())
