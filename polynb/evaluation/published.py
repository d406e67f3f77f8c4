"""Two heuristics that the program published with CC'18 has, and the paper has not.

They are those of `ExpressionPropagation::propagateEdges` in the authors' artifact
(github.com/cdl-saarland/PolyhedralExpressionPropagation, commit 2db511e).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from polynb import isl
from polynb.dependences import Dependences
from polynb.propagation.heuristics import Heuristic, Judgement
from polynb.scop.model import Statement
from polynb.words import counted


@dataclass(frozen=True)
class NoLostVectors(Heuristic):
    """What data decides is not propagated into more loops than it is in: these could no longer
    become vector instructions. In force in the published program."""

    name: ClassVar[str] = "Vectors"

    def worth_trying(self, dependences: Dependences, array: str) -> Judgement | None:
        by_name = dependences.scop.by_name
        edges = dependences.flow(array).edges
        loops = 0
        lost: dict[str, int] = {}
        for e in edges:
            source, target = by_name[e.source], by_name[e.target]
            if not is_affine(source):
                loops = loops or len(source.iterators)
                if is_affine(target):
                    lost.setdefault(target.write.array, len(target.iterators))
        if sum(lost.values()) <= loops:
            return None
        said = f"data decides what is read in {counted(loops, 'loop')}, and would in"
        return Judgement(False, f"{said} {sum(lost.values())}")


@dataclass(frozen=True)
class NoExpansion(Heuristic):
    """What a source computes from several operands is not propagated to where more dimensions vary
    than at the source. Written in the published program and switched off: the function begins
    with `return false`."""

    name: ClassVar[str] = "Expansion"

    def worth_trying(self, dependences: Dependences, array: str) -> Judgement | None:
        for e in dependences.flow(array).edges:
            if len(dependences.scop.by_name[e.source].reads) > 1:
                ends = _varying(e.relation.domain()), _varying(e.relation.range())
                if ends[0] < ends[1]:
                    said = f"{e.target} varies in {ends[1]} dimensions, {e.source} in {ends[0]}"
                    return Judgement(False, said)
        return None


def is_affine(s: Statement) -> bool:
    """Whether no access of a statement depends on data."""
    return s.write.must and all(r.must for r in s.reads)


def _varying(instances: isl.Set) -> int:
    """The number of dimensions that are not fixed to one number."""
    dims = range(instances.dim(isl.SET))
    return sum(instances.plain_get_val_if_fixed(isl.SET, k).is_nan() for k in dims)
