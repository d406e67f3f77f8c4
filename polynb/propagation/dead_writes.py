"""Dead writes, as propagation leaves them: what is removed, in its words."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from polynb import isl
from polynb.dependences import Dependences
from polynb.derivation import Step
from polynb.propagation.steps import ArrayPropagated, BudgetSpent, WritesRemoved
from polynb.rewriting.dead_writes import removals, removed_instances
from polynb.scop.model import Scop, Statement


def remove_dead_writes(
    dependences: Dependences, max_operations: int | None
) -> Generator[Step, None, Dependences]:
    """Remove all writes that are neither read nor live-out, and then those that only they read."""
    for found in removals(dependences, max_operations):
        dependences = found.dependences
        if isinstance(found.failure, isl.BudgetExhausted):
            yield BudgetSpent(found.array, found.failure.limit)
        elif found.failure is not None:
            yield BudgetSpent(found.array, "", found.failure.message)
        yield from removal_steps(found.before, dependences.scop, found.array, found.changed)
    return dependences


def removal_steps(
    before: Scop, after: Scop, array: str, removed: Sequence[Statement]
) -> Generator[Step, None, None]:
    """What was removed, in words."""
    if not removed:
        return
    if array not in after.arrays:
        yield ArrayPropagated(array, tuple(s.name for s in removed), after)
        return
    for s in removed:
        yield WritesRemoved(s.name, array, removed_instances(before, after, s.name))
