"""Dead writes, as propagation leaves them: what it removes, step by step."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from polynb import isl
from polynb.dependences import Dependences
from polynb.derivation import Step
from polynb.propagation.steps import ArrayPropagated, BudgetSpent, WritesRemoved
from polynb.rewriting.dead_writes import remove_unneeded
from polynb.scop import Scop, Statement


def remove_dead_writes(
    dependences: Dependences, max_operations: int | None
) -> Generator[Step, None, Dependences]:
    """Remove all writes that are neither read nor live-out, and then those that only they read.

    A statement that lost some of its instances is followed once only: where a sum is dead, its
    last addition goes, then the one before, and so on without end at parametric sizes.
    """
    waiting = list(dict.fromkeys(s.write.array for s in dependences.scop.statements))
    followed: set[str] = set()
    while waiting:  # from the last array to the first: mostly each is looked at once
        array = waiting.pop()
        before = dependences.scop
        try:
            with isl.budget(max_operations):
                dependences, removed = remove_unneeded(dependences, array)
        except isl.BudgetExhausted as error:
            yield BudgetSpent(array, error.limit)
            continue
        except isl.IslError as error:
            yield BudgetSpent(array, "", error.message)
            continue
        yield from removal_steps(before, dependences.scop, array, removed)
        left = dependences.scop
        gone = [s for s in removed if s.name not in left.by_name or s.name not in followed]
        followed |= {s.name for s in gone}
        read = {r.array for s in gone for r in s.reads if r.array in left.arrays}
        waiting += [a for a in sorted(read) if a not in waiting]
    return dependences


def removal_steps(
    before: Scop, after: Scop, array: str, removed: Sequence[Statement]
) -> Generator[Step, None, None]:
    """What was removed, in words."""
    left = after.by_name
    if not removed:
        return
    if array not in after.arrays:
        yield ArrayPropagated(array, tuple(s.name for s in removed), after)
        return
    for s in removed:
        was = before.by_name[s.name].domain
        gone = was.subtract(left[s.name].domain) if s.name in left else was
        yield WritesRemoved(s.name, array, gone.intersect_params(after.assumed))
