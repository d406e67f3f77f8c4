"""Accesses that are certain: which cell an instance touches, apart from what data decides.

Of an array whose subscripts depend on data in some dimension, in one of two programs that are
compared, a cell is a whole row along it, `{ S[i] -> A[x] }` without that dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from polynb import isl
from polynb.scop.affine import AffineFrame
from polynb.scop.build import memory_access
from polynb.scop.model import MemoryAccess, Scop, Statement

Rows = Mapping[str, frozenset[int]]
"""For each array the dimensions in which data decides what is accessed."""


class Unsuitable(Exception):
    """A program that cannot be looked at in this way, and why."""


def rows(scops: Iterable[Scop]) -> dict[str, frozenset[int]]:
    """For each array of some programs the dimensions in which an access depends on data."""
    found: dict[str, frozenset[int]] = {}
    for scop in scops:
        for name in scop.arrays:
            found.setdefault(name, frozenset())
        for s in scop.statements:
            for a in (*s.reads, s.write):
                if not a.must:
                    found[a.array] |= _decided_by_data(s, a)
    return found


def _decided_by_data(s: Statement, a: MemoryAccess) -> frozenset[int]:
    alone = (replace(a.node, subscripts=(x,)) for x in a.node.subscripts)
    return frozenset(k for k, node in enumerate(alone) if not _of_node(s, replace(a, node=node)))


def _of_node(s: Statement, a: MemoryAccess) -> isl.Map | None:
    """`{ S[i] -> A[x] }` as the subscripts say it; None if they depend on data."""
    found = memory_access(a.node, s.domain, AffineFrame(s.domain.get_space()))
    return found.relation if found.must else None


def certain(s: Statement, access: MemoryAccess, domain: isl.Set, of: Rows) -> MemoryAccess:
    """The access in `{ S[i] : domain }` without the dimensions that data decides.

    Raises Unsuitable if the model says something else than the subscripts, or not one cell.
    """
    dims = of[access.array]
    said = without(access.relation.intersect_domain(domain), dims)
    shown = _of_node(s, access)
    if shown is not None:
        shown = without(shown.intersect_domain(domain), dims)
        if not (said.plain_is_equal(shown) or said.is_equal(shown)):
            raise Unsuitable(f"{s.name} accesses other cells of {access.array} than its model says")
    if not said.is_single_valued():
        raise Unsuitable(f"which cell of {access.array} {s.name} accesses is not known")
    return replace(access, relation=said, must=True)


def without(m: isl.Map, dims: frozenset[int]) -> isl.Map:
    """`{ S[i] -> A[x] }` without some dimensions of A."""
    array = isl.tuple_name(m, isl.OUT)
    for k in sorted(dims, reverse=True):
        m = m.project_out(isl.OUT, k, 1)
    return m.set_tuple_name(isl.OUT, array)
