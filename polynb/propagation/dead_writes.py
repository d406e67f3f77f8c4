"""Writes whose value nobody needs (CC'18, sections 3.2 and 4.1)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from polynb import isl
from polynb.dependences import Dependences, analyze
from polynb.derivation import Step
from polynb.propagation.steps import ArrayPropagated, BudgetSpent, WritesRemoved
from polynb.rewriting.splitting import with_statements
from polynb.scop import Scop, Statement
from polynb.scop.access import restricted

MOST_PIECES = 4
"""Write instances are not removed where what is left would need more disjuncts than this."""


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


def remove_unneeded(
    dependences: Dependences, array: str
) -> tuple[Dependences, tuple[Statement, ...]]:
    """Remove the writes of an array whose value is neither read nor live-out.

    Returns the dependences of the new program and the statements that changed: gone, or with a
    smaller domain.
    """
    changed = []
    scop = dependences.scop
    for s in [x for x in scop.statements if x.write.array == array]:
        domain = _needed(dependences, s).intersect(s.domain)
        if s.domain.intersect_params(scop.assumed).is_subset(domain):
            continue
        domain = _simple(domain.intersect_params(scop.assumed).coalesce(), s.domain)
        if s.domain.intersect_params(scop.assumed).is_subset(domain):
            continue
        if domain.is_empty():
            scop = with_statements(scop, s.name, ())
        elif domain.n_basic_set() <= MOST_PIECES:
            s = restricted(s, domain.gist_params(scop.assumed))
            scop = with_statements(scop, s.name, (s,))
        else:
            continue
        changed.append(s)
    if not changed:
        return dependences, ()
    used = {a.array for s in scop.statements for a in (*s.reads, s.write)}
    arrays = {n: a for n, a in scop.arrays.items() if n in used or a.role != "temp"}
    scop = replace(scop, arrays=arrays)
    return analyze(scop, previous=dependences), tuple(changed)


def _needed(dependences: Dependences, s: Statement) -> isl.Set:
    """`{ S[i] }` whose written value is read, or is live-out."""
    found = isl.Set.empty(s.domain.get_space())
    for e in dependences.flow(s.write.array).edges:
        if e.source == s.name:
            found = found.union(e.relation.domain())
    if dependences.scop.arrays[s.write.array].live_out:
        found = found.union(dependences.live_out_of(s).domain())
    return found


def _simple(needed: isl.Set, domain: isl.Set) -> isl.Set:
    """The needed instances; or, where parity decides among several disjuncts, more of the domain
    in fewer: a few values for nobody cost less than a condition in the innermost loop."""
    if needed.n_basic_set() < 2 or not any(b.dim(isl.dim_type.div) for b in isl.basic_sets(needed)):
        return needed
    hull = isl.Set.from_basic_set(needed.simple_hull()).intersect(domain).coalesce()
    return hull if hull.n_basic_set() < needed.n_basic_set() else needed
