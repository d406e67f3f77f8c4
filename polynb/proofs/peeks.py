"""Reads whose cell data decides, of arrays that are written where the program says.

Such a read gives the same in two programs if its subscripts do, and if all the cells that it may
read hold the same at its time: they are read, each, by a statement of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from polynb import isl
from polynb.proofs.accesses import Rows, without
from polynb.scop.arrays import cells
from polynb.scop.model import Array, MemoryAccess, Statement


@dataclass(frozen=True, eq=False)
class Peek:
    """A `statement` `{ P[i, x] -> A[..., x, ...] }`, at the time of S[i], a read of which
    depends on data in the dimensions `index`; `lift` is `{ S[i] -> P[i, x] }`."""

    statement: Statement
    lift: isl.Map
    index: tuple[int, ...]


def peek(
    name: str,
    s: Statement,
    read: MemoryAccess,
    index: tuple[int, ...],
    inside: Array | None,
    of: Rows,
) -> Peek:
    """The peek of a read of `s`, certain apart from the dimensions `index`. `of` are those that
    relations do not have; only cells within the extents of an array count, if it is given."""
    n, removed = len(s.iterators), of[read.array]
    kept = [k for k in range(len(read.node.subscripts)) if k not in removed]
    may = read.relation
    if inside is not None:
        there = cells(replace(inside, sized=True))
        may = may.intersect_range(without(isl.Map.from_range(there), removed).range())
    lift = isl.Map.from_domain(s.domain).add_dims(isl.OUT, n + len(index))
    for k in range(n):
        lift = lift.equate(isl.IN, k, isl.OUT, k)
    lift = lift.set_tuple_name(isl.OUT, name)
    relation = lift.reverse().apply_range(may)
    for k, dim in enumerate(index):
        relation = relation.equate(isl.IN, n + k, isl.OUT, kept.index(dim))
    access = replace(read, relation=relation)
    made = replace(
        s,
        name=name,
        domain=relation.domain(),
        write=replace(access, array=name),
        reads=(access,),
        schedule=lift.reverse().apply_range(s.schedule),
    )
    return Peek(made, lift.intersect_range(made.domain), index)
