"""Reads whose cell data decides, where one statement has written every cell that it may be.

`B[x] = L[f(x)][x]` reads some cell of a column. Where one statement has written all of these,
`L[c][x] = e(c, x)`, the value that is read is e(f(x), x), whatever f is: of eight planes, say, only
those are evaluated that are chosen. This goes beyond the paper, which propagates nothing into such
reads (CC'18, section 5.5).
"""

from __future__ import annotations

from polynb import isl
from polynb.dependences import Edge
from polynb.rewriting.splitting import CellChoice
from polynb.scop.arrays import cells
from polynb.scop.model import Scop
from polynb.scop.schedule import member


def chosen(scop: Scop, edge: Edge) -> CellChoice | None:
    """How the source of an edge follows from what its target chooses; None where it does not.

    Claims that in all instances of the target that the edge reaches, all cells that the read may
    choose, within the array, hold what the source wrote.
    """
    source, target = scop.by_name[edge.source], scop.by_name[edge.target]
    read, array = target.reads[edge.read or 0], scop.arrays[edge.array]
    if not all(s.write.must for s in scop.statements if s.write.array == edge.array):
        return None
    free = [k for k in range(array.dimensions) if not member(read.relation, k).is_single_valued()]
    if not free or not source.write.relation.is_single_valued():
        return None
    written = edge.relation.reverse().apply_range(source.write.relation)
    choice = read.relation.intersect_range(cells(array)).intersect_domain(edge.relation.range())
    if not choice.intersect_params(scop.assumed).is_subset(written):
        return None
    relation = edge.relation
    for k in free:
        relation = relation.flat_range_product(member(source.write.relation, k))
    relation = relation.set_tuple_name(isl.OUT, target.name)
    return CellChoice(relation, tuple(read.node.subscripts[k] for k in free))
