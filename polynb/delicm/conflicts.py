"""Whether what a proposal needs of cells can be true beside what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from polynb import isl
from polynb.delicm.knowledge import OTHER, Knowledge, check_knowledge, free, named, needed, unknown
from polynb.dependences.zones import zone_to_timepoints
from polynb.scop.witness import Witness, cell_text

Rule: TypeAlias = Literal[
    "lifetime", "existing-write-in-proposed", "proposed-write-in-existing", "write-write"
]

SENTENCES: Final[Mapping[Rule, str]] = {
    "lifetime": "both need {cell} right before {time}, and not for one value",
    "existing-write-in-proposed": "{cell} is written at {time}, and the proposal needs it "
    "for another value then",
    "proposed-write-in-existing": "the proposal writes {cell} at {time}, and it is needed for "
    "another value then",
    "write-write": "both write {cell} at {time}, and not one value",
}


@dataclass(frozen=True, eq=False)
class KnowledgeConflict:
    """Why two knowledges can't both be true: the rule that is violated, and where.

    `witness` has the cell, `A[1]`, and the parameters' values; `time` is a timepoint. For the rule
    "lifetime" it is the end of the unit zone in which both occupy the cell.
    """

    rule: Rule
    witness: Witness
    time: tuple[int, ...]

    @property
    def cell(self) -> str:
        """`A[1]`"""
        return self.witness.cell or ""

    def __str__(self) -> str:
        time = str(self.time[0]) if len(self.time) == 1 else str(list(self.time))
        return self.witness.at_values(SENTENCES[self.rule].format(cell=self.cell, time=time))


@isl.bounded("the search for a conflict")
@isl.guarded
def is_conflicting(existing: Knowledge, proposed: Knowledge) -> KnowledgeConflict | None:
    """The first rule that is violated, with a witness; None if both can be true.

    The rules (DeLICM, section 2), in this order, where values are the same only if they are known:
    "lifetime": zones that both occupy have the same content;
    "existing-write-in-proposed": what is written into a zone that the proposal occupies is the
    proposal's content;
    "proposed-write-in-existing": and the other way round;
    "write-write": what both write to a cell at one timepoint is the same.
    A write at the start of a zone is in it; one at its end is not, since reads come before it.
    Raises PolynbError for what is no Knowledge.
    """
    check_knowledge(existing, proposed)
    for rule, cells, allowed in _rules(existing, proposed):
        piece = _outside(cells, allowed)
        if piece is not None:
            return _conflict(rule, piece)
    return None


def _rules(
    existing: Knowledge, proposed: Knowledge
) -> Iterator[tuple[Rule, isl.UnionSet, isl.UnionSet]]:
    """Each rule, with the cells at times `{ [A[x] -> [t]] }` that it is about, and those at which
    it holds.

    That zones are free, or of the same content, is one intersection: what is free has in the one
    the unknown value that what is occupied has in the other. The difference of the two would be
    exponential in the dimensions.
    """
    unused, occupied = free(existing, proposed), needed(existing, proposed)
    ours, theirs = named(existing.known), named(proposed.known)
    compatible = ours.union(unknown(unused)).intersect(theirs.union(unknown(occupied)))
    yield "lifetime", occupied, compatible.domain()

    overwriting = existing.written.intersect_domain(zone_to_timepoints(occupied, True, False))
    same = overwriting.intersect(zone_to_timepoints(theirs, "in", True, False))
    yield "existing-write-in-proposed", overwriting.domain(), same.domain()

    same = proposed.written.intersect(zone_to_timepoints(ours, "in", True, False))
    allowed = zone_to_timepoints(unused, True, False).union(same.domain())
    yield "proposed-write-in-existing", proposed.written.domain(), allowed

    both = existing.written.domain().intersect(proposed.written.domain())
    yield "write-write", both, named(existing.written).intersect(proposed.written).domain()


def _outside(cells: isl.UnionSet, allowed: isl.UnionSet) -> isl.Set | None:
    """Some of the cells that are not allowed, in one piece; None if there are none.

    The whole difference may be exponential: one path through it, first piece by first piece, is
    enough.
    """
    if cells.is_subset(allowed):
        return None
    # Where there is a conflict in an array that has a name, that is the one to show.
    for s in sorted(isl.sets(cells), key=lambda s: isl.tuple_name(s, isl.SET) == OTHER):
        cover = isl.basic_sets(allowed.extract_set(s.get_space()))
        pieces = [(s, 0)]
        while pieces:
            piece, k = pieces.pop()
            if piece.is_empty():
                continue
            if k == len(cover):
                return piece
            rest = isl.basic_sets(piece.subtract(cover[k].to_set()))
            pieces += [(r.to_set(), k + 1) for r in reversed(rest)]
    return None


def _conflict(rule: Rule, cells: isl.Set) -> KnowledgeConflict:
    """A witness from cells at times, `{ [A[x] -> [t]] }` or `{ A[x, t] }`."""
    point_at = isl.witness(cells.flatten())
    assert point_at is not None
    values, point = point_at
    if cells.is_wrapping():
        pair = cells.unwrap()
        array, dims = isl.tuple_name(pair, isl.IN), pair.dim(isl.IN)
    else:
        array, dims = isl.tuple_name(cells, isl.SET), len(point) - 1
    cell = cell_text(array, point[:dims])
    return KnowledgeConflict(rule, Witness(values, {}, cell), point[dims:])
