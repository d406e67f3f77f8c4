"""isl's scheduler, asked again where its order is illegal.

Where isl 0.27 schedules statements one after the other, it forgets the live ranges from one to the
other: what was conditioned on them is violated later. A witness says which live range another write
would come into; the order dependences between them are no longer conditioned then.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.dependences import LiveRanges
from polynb.derivation import Step
from polynb.legality.checking import Conflict
from polynb.reordering.constraints import Constraint, ScheduleConstraints
from polynb.reordering.isl_scheduler import IslOptions, isl_schedule
from polynb.reordering.limit_steps import NotScheduled, OrderKept, Repaired
from polynb.reordering.proof import proven, refuse_illegal
from polynb.reordering.steps import Checked, Scheduled
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree, walk

REPAIRS: Final = 8
"""Schedules that isl is asked for at most, after the first."""


def by_isl(
    scop: Scop,
    ranges: LiveRanges,
    wanted: ScheduleConstraints,
    options: IslOptions | None,
    max_operations: int | None,
    *,
    given: bool,
) -> Generator[Step, None, Tree]:
    """The tree of isl's scheduler, repaired until it is legal; the program's own tree, if isl finds
    none that is."""
    names = tuple(s.name for s in scop.statements)
    asked = wanted
    for _ in range(REPAIRS + 1):
        try:
            with isl.budget(max_operations):
                tree = isl_schedule(asked, options)
        except isl.IslError as error:
            yield NotScheduled(names, f"isl's scheduler gives up, as {error.message}")
            break
        yield Scheduled(_bands(tree))
        with isl.budget(max_operations):
            tree, verdict = proven(scop, ranges, wanted, tree)
        added = () if verdict or given else conditioned_beside(verdict.conflicts, asked)
        if not added:
            yield Checked(verdict)
            refuse_illegal(verdict, given=given)
            return tree
        asked = replace(asked, constraints=_validity(asked.constraints, added))
        yield Repaired(verdict.conflicts[0], added)
    else:
        yield NotScheduled(names, f"isl's order is illegal after {REPAIRS} repairs")
    yield OrderKept(names)
    with isl.budget(max_operations):
        tree, verdict = proven(scop, ranges, wanted, scop.schedule)
    yield Checked(verdict)
    return tree


def conditioned_beside(
    conflicts: tuple[Conflict, ...], constraints: ScheduleConstraints
) -> tuple[Constraint, ...]:
    """The conditioned constraints between the statements of the first conflict that has any; of all
    its array, where none are; () if nothing is conditioned any more."""
    conditioned = constraints.of("conditioned_validity")
    for conflict in conflicts:
        there = set(conflict.witness.statements)
        through = [c for c in conditioned if c.why.endswith(f" through {conflict.array}")]
        between = [c for c in through if c.source in there and c.target in there]
        if between or through:
            return tuple(between or through)
    return conditioned


def _validity(
    constraints: tuple[Constraint, ...], added: tuple[Constraint, ...]
) -> tuple[Constraint, ...]:
    chosen = {id(c) for c in added}
    kept = (c for c in constraints if id(c) not in chosen)
    return (*kept, *(replace(c, kind="validity", tags=None) for c in added))


def _bands(tree: Tree) -> dict[str, isl.Map]:
    """The members of all bands, one after the other, `{ S[i] -> [t] }`."""
    found: dict[str, isl.Map] = {}
    for node in walk(tree):
        if isinstance(node, Band):
            for name, m in node.members.items():
                found[name] = found[name].flat_range_product(m) if name in found else m
    return found
