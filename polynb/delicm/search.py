"""The search for a place for one scalar at one target (DeLICM, Listing 5, lines 9 to 17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.delicm.candidates import (
    MappableScalar,
    cells_by_definition,
    cells_by_last_use,
    proposal,
    written_at,
)
from polynb.delicm.conflicts import KnowledgeConflict, is_conflicting
from polynb.delicm.knowledge import Knowledge
from polynb.delicm.mapping_steps import Mapped, NotMapped
from polynb.delicm.targets import MappingTarget, input_scalars
from polynb.delicm.timing import Times, first_at
from polynb.delicm.values import written_values
from polynb.dependences import Dependences
from polynb.dependences.zones import array_unused, reaching_write
from polynb.scop.model import Scop
from polynb.scop.witness import Instance, Witness


@isl.guarded
def _array_knowledge(
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


@dataclass(frozen=True, eq=False)
class MappingSearch:
    """One target with what is known of its array; `values` are those that are written,
    `{ S[i] -> V[i] }`."""

    target: MappingTarget
    at: Times
    existing: Knowledge
    values: Mapping[str, isl.UnionMap]

    @classmethod
    def begun(cls, dependences: Dependences, target: MappingTarget, at: Times) -> MappingSearch:
        values = written_values(dependences)
        known = _array_knowledge(dependences.scop, target.array, at, values)
        return cls(target, at, known, values)

    def renewed(self, scop: Scop, accepted: MappingTried) -> MappingSearch:
        """The same target in the program in which something was mapped to it. (Not by uniting what
        was known with the proposal, as Listing 5, line 17, has it: the array's former content,
        known also where nobody needs it, is no longer there.)"""
        known = _array_knowledge(scop, self.target.array, self.at, self.values)
        return replace(self, existing=known)

    def adjacent(self, scop: Scop, c: MappableScalar) -> tuple[str, ...]:
        """The scalars that the writes of a mapped one use: where its lifetimes begin, theirs may
        end (line 19, which asks for those of the scalar, and means those of each write)."""
        inputs = [x for d in c.definitions for x in input_scalars(scop, scop.by_name[d])]
        return tuple(dict.fromkeys(inputs))

    def tried(self, dependences: Dependences, c: MappableScalar) -> MappingTried:
        """By the definition's time, and if that does not do, by that of the last use."""
        attempt = None
        for by, cells in self.ways(c):
            attempt = self._judged(dependences, c, by, cells)
            if not attempt.why:
                return attempt
        assert attempt is not None
        return attempt

    def ways(self, c: MappableScalar) -> Iterator[tuple[str, dict[str, isl.Map]]]:
        yield "definition", cells_by_definition(c, self.target, self.at)
        yield "last use", cells_by_last_use(c, self.target, self.at)

    def _judged(
        self, dependences: Dependences, c: MappableScalar, by: str, cells: dict[str, isl.Map]
    ) -> MappingTried:
        assumed = dependences.scop.assumed
        for name, used in c.definitions.items():
            left = used.intersect_params(assumed).subtract(cells[name].domain())
            found = isl.witness(left)
            if found is not None:
                witness = Witness(found[0], {"definition": Instance(name, found[1])})
                why = f"behind the {by} of the value of {witness} it stores nothing more"
                return MappingTried(self, c, by, cells, why, witness=witness)
        proposed = proposal(c, cells, self.at, self.values)
        conflict = is_conflicting(self.existing, proposed)
        why = "" if conflict is None else said(conflict, self.at)
        return MappingTried(self, c, by, cells, why, proposed, conflict)


SAID: Final[Mapping[str, str]] = {
    "lifetime": "before {time}, {cell} has to keep another value",
    "existing-write-in-proposed": "{time} stores to {cell}, and destroys a value that is still to "
    "be read there",
    "proposed-write-in-existing": "{time} would store to {cell}, which is still needed for another "
    "value",
    "write-write": "{time} would store to {cell}, where another value is stored at the same time",
}


def said(conflict: KnowledgeConflict, at: Times) -> str:
    """A conflict in the program's own terms: which instance is in the way of which element."""
    time = first_at(at, conflict.witness.parameters, conflict.time)
    text = SAID[conflict.rule].format(time=time or "the end", cell=conflict.cell)
    return conflict.witness.for_values(text)


@dataclass(frozen=True, eq=False)
class MappingTried:
    """A scalar that was tried, and why it does not fit ("": it does)."""

    search: MappingSearch
    candidate: MappableScalar
    by: str
    cells: Mapping[str, isl.Map]
    why: str
    proposal: Knowledge | None = None
    conflict: KnowledgeConflict | None = None
    witness: Witness | None = None

    def refused(self, queue: tuple[str, ...]) -> NotMapped:
        target = self.search.target
        return NotMapped(
            self.candidate.name,
            target.statement.name,
            target.array,
            self.why,
            queue,
            self.cells,
            self.search.existing,
            self.proposal,
            self.conflict,
            self.witness,
            self.search.at,
        )

    def mapped(self, queue: tuple[str, ...], program: Scop, known: Knowledge) -> Mapped:
        target, existing = self.search.target, self.search.existing
        assert self.proposal is not None
        return Mapped(
            self.candidate.name,
            target.statement.name,
            target.array,
            self.by,
            self.cells,
            existing,
            self.proposal,
            known,
            queue,
            self.search.at,
            program,
        )
