"""What the other passes leave behind: writes that change nothing, and writes for nobody."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from polynb import isl
from polynb.arguments import count, optional
from polynb.delicm.simplification_steps import (
    ArrayGone,
    DeadWrites,
    NotSimplified,
    RedundantWrites,
    StatementEmpty,
)
from polynb.delicm.values import COMPUTED, ProgramValues, cells_with, copied_read, values
from polynb.dependences import analyze
from polynb.derivation import Step, attempted, derivation, unanswered
from polynb.rewriting.dead_writes import (
    keep_only,
    live_statements,
    removals,
    removed_instances,
    without_unused,
)
from polynb.rewriting.splitting import with_statements
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import without_promises
from polynb.scop.storage import in_memory

BUDGET = 5_000_000
"""isl operations for one array, as propagation has."""


@derivation(paper="DeLICM", start=in_memory)
def simplify(scop: Scop, *, max_operations: int | None = BUDGET) -> Generator[Step, None, Scop]:
    """Remove writes that change nothing, and writes whose values nobody needs (DeLICM, section 4).

    Claims that all cells that are live-out are the same in the end, for all parameter values that
    the context and `requires` allow. Removed are, in this order: statements that never run; write
    instances of a value that the cell has already (by the values of statement instances: of
    `C[i] = C[i]`, or of a constant that was written before); statements nothing live-out depends
    on, however they feed each other; write instances that are overwritten before they are read;
    and temporaries that nothing accesses any more. Arrays that live in the memory of others become
    that memory (`scop.storage`).

    Redundant instances among others stay where a condition of several parts would be needed.
    `max_operations` bounds isl's work on one array; if it is used up, its writes stay.
    """
    optional(count, "max_operations", max_operations)
    given = scop
    scop = yield from _without_empty(scop)
    scop = yield from _without_redundant(scop, max_operations)
    scop = yield from _without_dead(scop, max_operations)
    left = without_unused(scop)
    for array in scop.arrays:
        if array not in left.arrays:
            yield ArrayGone(array)
    if left is given:
        return left
    return replace(left, schedule=without_promises(left.schedule, left.arrays))


def _without_empty(scop: Scop) -> Generator[Step, None, Scop]:
    for s in scop.statements:
        if s.domain.intersect_params(scop.assumed).is_empty():
            yield StatementEmpty(s.name)
            scop = with_statements(scop, s.name, ())
    return scop


# -- writes that change nothing --------------------------------------------------------------


def _without_redundant(scop: Scop, max_operations: int | None) -> Generator[Step, None, Scop]:
    """All are found in the program as it is: without them, memory is the same at each time."""
    if not scop.statements:
        return scop
    known = attempted(max_operations, values, analyze(scop))
    if isinstance(known, isl.IslError):
        yield NotSimplified(scop.statements[0].write.array, "redundant", unanswered(known))
        return scop
    result = scop
    for s in scop.statements:
        kept = attempted(max_operations, _without_redundant_ones, known, s, result)
        if isinstance(kept, isl.IslError):
            yield NotSimplified(s.write.array, "redundant", unanswered(kept))
        elif kept is not result:
            yield RedundantWrites(s.name, s.write.array, *_removed(scop, kept, s))
            result = kept
    return result


def _without_redundant_ones(known: ProgramValues, s: Statement, scop: Scop) -> Scop:
    """Not where what is left has more pieces than it had: a condition costs more than a write."""
    kept = keep_only(scop, s, s.domain.subtract(_redundant_writes(known, s)))
    left = kept.by_name.get(s.name)
    more = left is not None and left.domain.n_basic_set() > s.domain.n_basic_set()
    return scop if more else kept


@isl.bounded("the search for redundant writes")
def _redundant_writes(values: ProgramValues, s: Statement) -> isl.Set:
    """`{ S[i] }`: the instances that surely write what the cell holds when they read."""
    rewrites = isl.Set.empty(s.domain.get_space())
    number = copied_read(values.scop, s)
    if number is not None and s.reads[number].array == s.write.array:
        rewrites = s.reads[number].relation.intersect(s.write.relation).domain()
    # a value of its own is nowhere before
    others = [m for m in isl.maps(values.written[s.name])
              if isl.tuple_name(m, isl.OUT) != COMPUTED + s.name]  # fmt: skip
    if not others:
        return rewrites
    cells = cells_with(values, s, isl.union_map(others), s.write.array, s.write.relation)
    return rewrites.union(cells.domain())


# -- writes for nobody -----------------------------------------------------------------------


def _without_dead(scop: Scop, max_operations: int | None) -> Generator[Step, None, Scop]:
    """Mark and sweep, then instance by instance."""
    dependences = analyze(scop)
    live = attempted(max_operations, live_statements, dependences)
    if isinstance(live, isl.IslError):
        yield NotSimplified(scop.statements[0].write.array, "dead", unanswered(live))
        live = frozenset(s.name for s in scop.statements)
    for s in scop.statements:
        if s.name not in live:
            scop = with_statements(scop, s.name, ())
            yield DeadWrites(s.name, s.write.array, s.domain, whole=True)
    for found in removals(analyze(scop, previous=dependences), max_operations):
        scop = found.dependences.scop
        if found.failure is not None:
            yield NotSimplified(found.array, "dead", unanswered(found.failure))
        for s in found.changed:
            yield DeadWrites(s.name, found.array, *_removed(found.before, scop, s))
    return scop


def _removed(before: Scop, after: Scop, s: Statement) -> tuple[isl.Set, bool]:
    """The instances of a statement that are gone, and whether these are all."""
    return removed_instances(before, after, s.name), s.name not in after.by_name
