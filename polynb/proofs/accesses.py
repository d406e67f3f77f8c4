"""Accesses that are certain: which cell an instance touches, apart from what data decides.

Of an array that is written where data says, in some dimension and one of two programs that are
compared, a cell is a whole row along it: `{ S[i] -> A[x] }` is without that dimension. What reads
where data says, of an array that is not written so, may read any cell along it (see `peeks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from polynb import isl
from polynb.scop.access import memory_access
from polynb.scop.affine import AffineFrame
from polynb.scop.model import MemoryAccess, Scop, Statement

Rows = Mapping[str, frozenset[int]]
"""For each array the dimensions in which data decides what is accessed."""


class Unsuitable(Exception):
    """A program that cannot be looked at in this way, and why."""


def rows(scops: Iterable[Scop]) -> dict[str, frozenset[int]]:
    """For each array of some programs the dimensions in which a write depends on data."""
    by_data: dict[str, frozenset[int]] = {}
    for scop in scops:
        for name in scop.arrays:
            by_data.setdefault(name, frozenset())
        for s in scop.statements:
            by_data[s.write.array] |= decided_by_data(s, s.write)
    return by_data


def decided_by_data(s: Statement, a: MemoryAccess) -> frozenset[int]:
    """The dimensions in which an access depends on data."""
    if a.must:
        return frozenset()
    alone = (replace(a.node, subscripts=(x,)) for x in a.node.subscripts)
    return frozenset(k for k, node in enumerate(alone) if not _of_node(s, replace(a, node=node)))


def _of_node(s: Statement, a: MemoryAccess) -> isl.Map | None:
    """`{ S[i] -> A[x] }` as the subscripts say it; None if they depend on data."""
    found = memory_access(a.node, s.domain, AffineFrame(s.domain.get_space()))
    return found.relation if found.must else None


def certain(s: Statement, access: MemoryAccess, domain: isl.Set, of: Rows) -> MemoryAccess:
    """The access in `{ S[i] : domain }`, without the dimensions that data decides for writes.

    Raises Unsuitable if the model says something else than the subscripts.
    """
    dims = of[access.array]
    said = without(access.relation.intersect_domain(domain), dims)
    shown = _of_node(s, access)
    if shown is not None:
        shown = without(shown.intersect_domain(domain), dims)
        if not (said.plain_is_equal(shown) or said.is_equal(shown)):
            raise Unsuitable(f"{s.name} accesses other cells of {access.array} than its model says")
    return replace(access, relation=said, must=True)


def check_function(s: Statement, access: MemoryAccess) -> None:
    """Raises Unsuitable for an access of several cells."""
    if not access.relation.is_single_valued():
        raise Unsuitable(f"which cell of {access.array} {s.name} accesses is not known")


def without(m: isl.Map, dims: frozenset[int]) -> isl.Map:
    """`{ S[i] -> A[x] }` without some dimensions of A."""
    array = isl.tuple_name(m, isl.OUT)
    for k in sorted(dims, reverse=True):
        m = m.project_out(isl.OUT, k, 1)
    return m.set_tuple_name(isl.OUT, array)
