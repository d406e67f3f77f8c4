"""Values that are lost: those that nothing reads, and that are in no result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from polynb import isl
from polynb.dependences.analysis import analyze
from polynb.dependences.memory import live_out_writes
from polynb.scop.model import Scop


def lost_values(scop: Scop, runs: Mapping[str, isl.Set], steps: int = 1) -> dict[str, isl.Set]:
    """`{ S[i] }`, by statement: the instances, of those that run, whose values are in no result and
    are read by none but others of these, as far as so many steps from one to the other show."""
    edges = [e for a in scop.arrays for e in analyze(scop).flow(a).edges]
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
    """The statements of whose values, as a loop repeats them, only some are for anybody: those of
    one of its iterations."""
    runs = {s.name: s.domain.intersect_params(scop.assumed) for s in scop.statements}
    for name, lost in lost_values(scop, runs).items():
        whole, kept = _flat(runs[name]), runs[name].subtract(lost)
        parts = map(isl.Set, kept.get_basic_sets())
        if not lost.is_empty() and all(_flat(p).is_strict_subset(whole) for p in parts):
            yield name


def _flat(points: isl.Set) -> isl.Set:
    """The least affine space that the points are in, whatever their remainders."""
    return isl.Set(points.affine_hull().remove_divs())
