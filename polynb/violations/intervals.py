"""Live range intervals: from each write to the last read of its value (paper, section 4.2.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from polynb import isl
from polynb.arguments import objects
from polynb.dependences import Edge, analyze
from polynb.derivation import Derivation, as_scop
from polynb.scop.model import Scop
from polynb.scop.storage import in_memory
from polynb.violations.dataflow import flow_by_array


@dataclass(frozen=True, eq=False)
class Interval:
    """λ of a write statement and a read statement: `relation` is `{ W[i] -> R[j] }`, where j is the
    last to read what i wrote. `cells` are their cells, `{ [W[i] -> R[j]] -> A[x] }`: λ[s]."""

    array: str
    write: str
    read: str
    cells: isl.Map

    @property
    def relation(self) -> isl.Map:
        return self.cells.domain().unwrap()

    def __str__(self) -> str:
        return f"λ {self.write} -> {self.read} ({self.array}): {self.relation}"


@isl.bounded("the computation of live range intervals")
def intervals(
    program: Scop | Derivation, flow: Iterable[Edge] | None = None
) -> dict[str, tuple[Interval, ...]]:
    """The set L_M for each array M: the live range intervals λ of its writes and reads that are
    not empty. `flow`: the dataflow, `pn.analyze`'s unless it is given (`array_dataflow`).

    Where data decides what is written or read, an interval contains all pairs that may be one.
    """
    scop = in_memory(as_scop(program))
    edges = analyze(scop).flow_edges
    if flow is not None:
        edges = objects("flow", flow, Edge, "edges", "array_dataflow(scop)")
    return {array: tuple(_of_array(scop, array, part)) for array, part in flow_by_array(edges)}


def _of_array(scop: Scop, array: str, edges: Iterable[Edge]) -> Iterable[Interval]:
    """Procedure *compute intervals*."""
    by_writer: dict[str, dict[str, isl.Map]] = {}
    for e in edges:  # S_R, of each writer: { [W[i] -> A[x]] -> R[j] }
        reads = by_writer.setdefault(e.source, {})
        pairs = _with_cells(scop, e)
        reads[e.target] = reads[e.target].union(pairs) if e.target in reads else pairs
    for writer, reads in by_writer.items():
        last = _last(scop, reads)
        for reader, pairs in reads.items():
            when = scop.by_name[reader].schedule.reverse()
            ends = pairs.intersect(last.apply_range(when))
            cells = _as_cells(ends)
            if not cells.is_empty():
                yield Interval(array, writer, reader, isl.coalesced(cells))


def _with_cells(scop: Scop, e: Edge) -> isl.Map:
    """`{ [W[i] -> A[x]] -> R[j] }`: the value of x that i writes flows to j."""
    write = scop.by_name[e.source].write.relation
    target = scop.by_name[e.target]
    assert e.read is not None
    read = target.reads[e.read].relation
    pairs = write.domain_map().apply_range(e.relation)
    return pairs.intersect(write.range_map().apply_range(read.reverse()))


def _last(scop: Scop, reads: dict[str, isl.Map]) -> isl.Map:
    """`{ [W[i] -> A[x]] -> [t] }`, the time of the last of these reads."""
    times = (m.apply_range(scop.by_name[name].schedule) for name, m in reads.items())
    return isl.united(times).lexmax()


def _as_cells(found: isl.Map) -> isl.Map:
    """`{ [W[i] -> A[x]] -> R[j] }` as `{ [W[i] -> R[j]] -> A[x] }`."""
    return found.curry().range_reverse().uncurry()
