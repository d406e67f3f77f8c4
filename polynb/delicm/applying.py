"""A scalar moved to the array elements that it is mapped to (Listing 5, lines 15 and 16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polynb import isl
from polynb.delicm.candidates import MappableScalar
from polynb.rewriting.splitting import with_statements
from polynb.scop import Scop, Statement
from polynb.scop.access import restricted, with_relations


def with_cells(scop: Scop, c: MappableScalar, cells: Mapping[str, isl.Map]) -> Scop:
    """The program in which a scalar is gone: each definition writes its element, `{ D[i] -> A[x]
    }`, and each read reads that of its definition. Definitions that nobody reads are gone, too.
    """
    reads = _read_cells(c, cells)
    for s in scop.statements:
        moved = {id(s.reads[k]): m for (name, k), m in reads.items() if name == s.name}
        new = with_relations(s, moved, scop.assumed) if moved else s
        if s.write.array == c.name:
            made = _written(scop, new, cells.get(s.name))
            scop = with_statements(scop, s.name, () if made is None else (made,))
        elif any(r.array == c.name and id(r) not in moved for r in s.reads):
            # No definition reaches this read, and there is no value before: it never runs.
            assert s.domain.intersect_params(scop.assumed).is_empty()
            scop = with_statements(scop, s.name, ())
        elif new is not s:
            scop = with_statements(scop, s.name, (new,))
    arrays = {name: a for name, a in scop.arrays.items() if name != c.name}
    return replace(scop, arrays=arrays, program=None)


def _written(scop: Scop, s: Statement, element: isl.Map | None) -> Statement | None:
    """A definition that writes its element, where its value is read."""
    if element is None:
        return None
    used = element.domain()
    if not s.domain.intersect_params(scop.assumed).is_subset(used):
        s = restricted(s, isl.coalesced(used).gist_params(scop.assumed))
    return with_relations(s, {id(s.write): element}, scop.assumed)


def _read_cells(c: MappableScalar, cells: Mapping[str, isl.Map]) -> dict[tuple[str, int], isl.Map]:
    """`{ R[j] -> A[x] }` for each read: the element of the definition that it reads."""
    found = isl.united_by(
        ((e.target, e.read), e.relation.reverse().apply_range(cells[e.source]))
        for e in c.uses
        if e.read is not None
    )
    return {key: isl.coalesced(m) for key, m in found.items()}


__all__ = ["with_cells"]
