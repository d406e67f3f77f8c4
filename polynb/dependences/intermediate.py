"""Writes that come between a read and its repetition: what forbids reading a cell again later."""

from __future__ import annotations

from dataclasses import dataclass

from polynb import isl
from polynb.scop.model import MemoryAccess, Statement
from polynb.scop.witness import Instance, Witness, cell_text


@dataclass(frozen=True, eq=False)
class IntermediateWrite(Witness):
    """The "source" reads the cell, the "writer" overwrites it, and only then the "target" would
    read it again."""

    def __str__(self) -> str:
        text = f"{self['writer']} overwrites {self.cell}, which {self['source']} reads, before "
        return self.for_values(f"{text}{self['target']}")


def intermediate_write(
    source: tuple[Statement, MemoryAccess],
    writer: Statement,
    target: Statement,
    war: isl.Map,
    pairs: isl.Map,
) -> IntermediateWrite | None:
    """A smallest (i, l, j) with (i, l) in `war`, `{ S[i] -> W[l] }`, (i, j) in `pairs`,
    `{ S[i] -> T[j] }`, and l before j: l overwrites what i reads, for which j would have to read
    the cell again. None if there is none."""
    s, access = source
    triples = war.range_product(pairs)  # { S[i] -> [W[l] -> T[j]] }
    triples = triples.intersect_range(writer.schedule.lex_lt_map(target.schedule).wrap())
    cells = triples.domain_map().apply_range(access.relation)  # { [S -> [W -> T]] -> A[x] }
    found = isl.witness(cells.wrap().flatten())
    if found is None:
        return None
    values, point = found
    a, b, c = (len(x.iterators) for x in (s, writer, target))
    instances = {
        "source": Instance(s.name, point[:a]),
        "writer": Instance(writer.name, point[a : a + b]),
        "target": Instance(target.name, point[a + b : a + b + c]),
    }
    return IntermediateWrite(values, instances, cell_text(access.array, point[a + b + c :]))
