"""Maximal propagation: every edge, as far as the reload test lets it (CC'18, section 3.4)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from polynb import isl
from polynb.dependences import Dependences, analyze
from polynb.derivation import Step, derivation, drained
from polynb.propagation.array import propagate_edges
from polynb.propagation.dead_writes import removal_steps
from polynb.propagation.steps import ArrayChosen
from polynb.rewriting.dead_writes import remove_unneeded
from polynb.rewriting.pool import Pool
from polynb.scop import Scop
from polynb.scop.access import restricted
from polynb.scop.witness import values_text

R = TypeVar("R")

BUDGET = 20_000_000
"""isl operations for one array: half a minute at most."""


@dataclass(frozen=True, eq=False)
class Eliminated(Step):
    """The parameter values `[p] -> { : ... }`, among the `allowed` ones, for which no value flows
    through a temporary any more: all reads of it were replaced, and its writes are obsolete."""

    array: str
    where: isl.Set
    allowed: isl.Set

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        said = {"array": self.array}
        if self.where.is_empty():
            return "{array} is eliminated for no parameter values.", said
        if self.allowed.is_subset(self.where):
            return "{array} is eliminated for all parameter values.", said
        found = isl.witness(isl.Set.from_params(self.where))
        values = found[0] if found is not None else {}
        at = values_text(values)
        text = "{array} is eliminated for some parameter values, for example {at}."
        return text, said | {"at": at}


@dataclass(frozen=True, eq=False)
class Unfinished(Step):
    """The budget, `limit` ("20 operations"), was used up at an array: the program so far is right,
    but whether more could have been propagated, and where temporaries are eliminated, is not
    known."""

    array: str
    limit: str

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        text = (
            "Unfinished: maximal propagation used up its {limit} at {array}, and "
            "nothing is known of what comes after it."
        )
        return text, {"array": self.array, "limit": self.limit}


@derivation(paper="CC'18", memory=True)
def propagate_maximally(
    scop: Scop, *, max_operations: int | None = BUDGET
) -> Generator[Step, None, Scop]:
    """Propagate all that can be propagated, also through live-out arrays, splitting statements by
    their iterators and by the parameters; record where each temporary is eliminated.

    The arrays are taken in the order of their first writes, each edge once: where values flow
    from the beginning of the text to its end, every source is maximal before it is propagated
    itself. (Of two arrays that exclude each other, as in Figure 9a, the first one wins.)

    Claims that the result computes the same values of all live-out arrays for all parameter
    values that the context and `requires` allow, and, of every `Eliminated` step, that it is exact
    for this order. The problem is NP-hard (`propagation/sat.py`), and so the time is exponential:
    `max_operations` bounds isl's work on each array; when it is used up, the last step is
    `Unfinished`, and there are no `Eliminated` ones.
    """
    dependences, pool = analyze(_as_allowed(scop)), Pool(scop)
    arrays = list(dict.fromkeys(s.write.array for s in scop.statements))
    for k, array in enumerate(arrays):
        yield ArrayChosen(array, tuple(arrays[k + 1 :]))
        taken, done = _within(max_operations, propagate_edges(dependences, pool, array))
        yield from taken
        if isinstance(done, isl.BudgetExhausted):
            yield Unfinished(array, done.limit)
            return dependences.scop
        dependences = done or dependences
    for array in scop.temporaries:
        taken, recorded = _within(max_operations, _record(dependences, array))
        yield from taken
        if isinstance(recorded, isl.BudgetExhausted):
            yield Unfinished(array, recorded.limit)
            return dependences.scop
        dependences = recorded
    return dependences.scop


def _as_allowed(scop: Scop) -> Scop:
    """The program for allowed parameter values only: its sets stay small when they are split."""
    allowed = [restricted(s, s.domain.intersect_params(scop.assumed)) for s in scop.statements]
    return replace(scop, statements=tuple(allowed), program=None)


def _record(dependences: Dependences, array: str) -> Generator[Step, None, Dependences]:
    """Where a temporary is eliminated; its obsolete writes are removed."""
    allowed = dependences.scop.assumed
    where = allowed
    for edge in dependences.flow(array).edges:
        where = where.subtract(edge.relation.params())
    yield Eliminated(array, isl.coalesced(where), allowed)
    before = dependences.scop
    dependences, removed = remove_unneeded(dependences, array)
    yield from removal_steps(before, dependences.scop, array, removed)
    return dependences


def _within(
    operations: int | None, work: Generator[Step, None, R]
) -> tuple[list[Step], R | isl.BudgetExhausted]:
    """Run some work to its end, or until its operations are used up; and the steps it took."""
    taken: list[Step] = []
    try:
        with isl.budget(operations):
            return taken, drained(work, taken)
    except isl.BudgetExhausted as error:
        return taken, error
