"""What is known of an array before anything is mapped to it (section 2.1, "Knowledge")."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.delicm.candidates import written_at
from polynb.delicm.knowledge import Knowledge
from polynb.delicm.timing import Times
from polynb.dependences.zones import array_unused, reaching_write
from polynb.scop import Scop


@isl.guarded
def array_knowledge(
    scop: Scop, array: str, at: Times, values: Mapping[str, isl.UnionMap]
) -> Knowledge:
    """When each element is unused, what is known to be in it, and what is written to it when.

    Unused is the time before a write that is sure to happen, back to the last access; behind the
    last write, an element is needed. Sets are over `[A[x] -> [t]]`, an element and a zone
    (`written`: a time); contents are `{ [A[x] -> [t]] -> V[i] }`, or `[]` where what is written is
    not known.
    """
    writers = [s for s in scop.statements if s.write.array == array]
    reads = isl.union_map(
        r.relation.intersect_domain(s.domain)
        for s in scop.statements
        for r in s.reads
        if r.array == array
    )
    touching = {s.name for s in writers} | {
        s.name for s in scop.statements if any(r.array == array for r in s.reads)
    }
    schedule = isl.union_map(at[name] for name in sorted(touching))
    assumed = scop.assumed
    all_writes = isl.union_map(s.write.relation.intersect_params(assumed) for s in writers)
    sure = isl.union_map(
        s.write.relation.intersect_params(assumed) for s in writers if s.write.must
    )
    unused = array_unused(schedule, sure, reads.intersect_params(assumed), False, False, True)
    definitions = reaching_write(schedule, all_writes, False, False, True)
    known = isl.union_map(
        definitions.apply_range(values[s.name]) for s in writers if s.name in values
    )
    written = isl.union_map(
        written_at(s.write.relation.intersect_params(assumed), at[s.name], values.get(s.name))
        for s in writers
    )
    return Knowledge(None, unused.wrap(), known, written)


__all__ = ["array_knowledge"]
