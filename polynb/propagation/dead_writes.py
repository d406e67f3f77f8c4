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
    for removal in removals(dependences, max_operations):
        dependences = removal.dependences
        if isinstance(removal.failure, isl.BudgetExhausted):
            yield BudgetSpent(removal.array, removal.failure.limit)
        elif removal.failure is not None:
            yield BudgetSpent(removal.array, "", removal.failure.message)
        yield from removal_steps(removal.before, dependences.scop, removal.array, removal.changed)
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
