"""Writes whose value nobody needs (CC'18, sections 3.2 and 4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from polynb import isl
from polynb.dependences import Dependences, analyze
from polynb.derivation import Step, attempted
from polynb.graphs import reached
from polynb.rewriting.splitting import with_statements
from polynb.scop.access import restricted
from polynb.scop.model import Scop, Statement

MOST_PIECES = 4
"""Write instances are not removed where what is left would need more disjuncts than this."""


@dataclass(frozen=True, eq=False)
class WritesGone(Step):
    """Write instances `{ S[i] }` that are no longer executed."""

    statement: str
    array: str
    removed: isl.Set


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
        made = keep_only(scop, s, _needed(dependences, s))
        if made is not scop:
            changed.append(made.by_name.get(s.name, s))
            scop = made
    if not changed:
        return dependences, ()
    return analyze(without_unused(scop), previous=dependences), tuple(changed)


@dataclass(frozen=True, eq=False)
class Removal:
    """What the search for unneeded writes of an array came to: the statements that changed, and the
    dependences from then on; or, where nothing was found out, why (`failure`)."""

    array: str
    before: Scop
    dependences: Dependences
    changed: tuple[Statement, ...] = ()
    failure: isl.IslError | None = None


def removals(dependences: Dependences, max_operations: int | None) -> Iterator[Removal]:
    """Remove all writes that are neither read nor live-out, array by array, and then those that
    only they read.

    A statement that lost some of its instances is followed once only: where a sum is dead, its
    last addition goes, then the one before, and so on without end at parametric sizes.
    """
    waiting = list(dict.fromkeys(s.write.array for s in dependences.scop.statements))
    followed: set[str] = set()
    while waiting:  # from the last array to the first: mostly each is looked at once
        array = waiting.pop()
        before = dependences.scop
        done = attempted(max_operations, remove_unneeded, dependences, array)
        if isinstance(done, isl.IslError):
            yield Removal(array, before, dependences, failure=done)
            continue
        dependences, changed = done
        yield Removal(array, before, dependences, changed)
        left = dependences.scop
        gone = [s for s in changed if s.name not in left.by_name or s.name not in followed]
        followed |= {s.name for s in gone}
        read = {r.array for s in gone for r in s.reads if r.array in left.arrays}
        waiting += [a for a in sorted(read) if a not in waiting]


def removed_instances(before: Scop, after: Scop, name: str) -> isl.Set:
    """`{ S[i] }` that a statement lost."""
    was = before.by_name[name].domain.intersect_params(before.assumed)
    left = after.by_name.get(name)
    return was if left is None else was.subtract(left.domain)


def keep_only(scop: Scop, s: Statement, needed: isl.Set) -> Scop:
    """The program in which a statement runs for the needed instances `{ S[i] }`, or for some more
    where they would be many pieces; the same object if all are kept."""
    domain = needed.intersect(s.domain)
    if s.domain.intersect_params(scop.assumed).is_subset(domain):
        return scop
    domain = _simple(isl.coalesced(domain.intersect_params(scop.assumed)), s.domain)
    if s.domain.intersect_params(scop.assumed).is_subset(domain):
        return scop
    if domain.is_empty():
        return with_statements(scop, s.name, ())
    if domain.n_basic_set() > MOST_PIECES:
        return scop
    return with_statements(scop, s.name, (restricted(s, domain.gist_params(scop.assumed)),))


def without_unused(scop: Scop) -> Scop:
    """The program without the temporaries that nothing accesses any more."""
    used = {a.array for s in scop.statements for a in s.accesses}
    arrays = {n: a for n, a in scop.arrays.items() if n in used or a.role != "temp"}
    return scop if len(arrays) == len(scop.arrays) else replace(scop, arrays=arrays)


def _needed(dependences: Dependences, s: Statement) -> isl.Set:
    """`{ S[i] }` whose written value is read, or is live-out."""
    edges = dependences.flow(s.write.array).edges
    needed = [e.relation.domain() for e in edges if e.source == s.name]
    if dependences.scop.arrays[s.write.array].live_out:
        needed.append(dependences.live_out_of(s).domain())
    return isl.united(needed, s.domain.get_space())


def _simple(needed: isl.Set, domain: isl.Set) -> isl.Set:
    """The needed instances; or, where parity decides among several disjuncts, more of the domain
    in fewer: a few values for nobody cost less than a condition in the innermost loop."""
    if needed.n_basic_set() < 2 or not any(b.dim(isl.dim_type.div) for b in isl.basic_sets(needed)):
        return needed
    hull = isl.coalesced(isl.Set.from_basic_set(needed.simple_hull()).intersect(domain))
    return hull if hull.n_basic_set() < needed.n_basic_set() else needed


# -- mark and sweep --------------------------------------------------------------------------


def live_statements(dependences: Dependences) -> frozenset[str]:
    """Mark: the statements that write something live-out, and those that they read values of, and
    so on."""
    scop = dependences.scop
    sources = _sources(dependences)
    remaining = (s.name for s in scop.statements if _remains(dependences, s))
    return reached(remaining, lambda name: sources.get(name, ()))


def _remains(dependences: Dependences, s: Statement) -> bool:
    scop = dependences.scop
    if not scop.arrays[s.write.array].live_out:
        return False
    return not dependences.live_out_of(s).intersect_params(scop.assumed).is_empty()


def _sources(dependences: Dependences) -> dict[str, set[str]]:
    """For each statement those whose values it may read."""
    scop = dependences.scop
    found: dict[str, set[str]] = {}
    for array in dict.fromkeys(s.write.array for s in scop.statements):
        for e in dependences.flow(array).edges:
            if not e.relation.intersect_params(scop.assumed).is_empty():
                found.setdefault(e.target, set()).add(e.source)
    return found
