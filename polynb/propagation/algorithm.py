"""Expression propagation: the loop over the arrays (CC'18, section 4.4)."""

from __future__ import annotations

import difflib
from collections.abc import Generator, Sequence
from dataclasses import replace

from polynb import isl
from polynb.dependences import Dependences, analyze, overwritten
from polynb.derivation import Step, derivation
from polynb.errors import PolynbError
from polynb.propagation.array import propagate_edges, propagate_whole
from polynb.propagation.order import Heuristic, Order, first_write
from polynb.propagation.splitting import with_statements
from polynb.propagation.steps import (
    ArrayChosen,
    ArrayKept,
    ArrayPropagated,
    BudgetSpent,
    PartlyPropagated,
    WritesRemoved,
)
from polynb.scop import Scop, Statement
from polynb.source.names import as_names

BUDGET = 20_000_000
"""isl operations for one array: a few seconds at most; Harris needs about a hundredth."""
MOST_PIECES = 4
"""Write instances are not removed where what is left would need more disjuncts than this."""


@derivation
def propagate(
    scop: Scop,
    *,
    arrays: str | Sequence[str] | None = None,
    keep: str | Sequence[str] = (),
    partial: bool = False,
    live_out: bool = False,
    order: Order = first_write,
    heuristics: Sequence[Heuristic] = (),
    max_operations: int | None = BUDGET,
) -> Generator[Step, None, Scop]:
    """Evaluate expressions where their values are needed, instead of storing them (CC'18).

    Claims that the result computes the same values of all live-out arrays, for all parameter
    values that the context and `requires` allow. Each temporary is propagated whole (all reads
    that have a source in the program are replaced, its writes removed) or not at all.

    `arrays`: only these; `keep`: not these (`"tmp, s"` or a sequence). `partial`: where an array
    cannot be propagated whole, propagate the part of each edge that the reload test allows.
    `live_out`: also propagate through live-out arrays, whose needed writes stay. `order` picks the
    next array; a heuristic can refuse one. `max_operations` bounds isl's work on one array; if it
    is used up, the array is kept. Raises PolynbError for names of no array.
    """
    arrays = None if arrays is None else as_names(arrays)
    keep = as_names(keep)
    _check_names(scop, (*(arrays or ()), *keep))
    dependences = analyze(scop)
    candidates = _candidates(dependences, arrays, keep, live_out)
    yield from _not_tried(dependences, candidates, arrays, keep)
    while candidates:
        array = order(dependences, candidates)
        candidates = [a for a in candidates if a != array]
        yield ArrayChosen(array, tuple(candidates))
        taken: list[Step] = []  # yielded afterwards: what the caller does is not limited
        try:
            with isl.budget(max_operations):
                work = _one_array(dependences, array, partial, heuristics)
                dependences = _drained(work, taken) or dependences
        except isl.BudgetExhausted:
            taken.append(ArrayKept(array, f"the analysis used up its {max_operations} operations"))
        except isl.IslError as error:
            taken.append(ArrayKept(array, f"its analysis failed ({error.message})"))
        yield from taken
    if dependences.scop is not scop:
        dependences = yield from _dead_writes(dependences, max_operations)
    return dependences.scop


def _drained(
    work: Generator[Step, None, Dependences | None], taken: list[Step]
) -> Dependences | None:
    """Run the work to its end; its steps go to `taken`."""
    while True:
        try:
            taken.append(next(work))
        except StopIteration as stop:
            result: Dependences | None = stop.value
            return result


def _dead_writes(
    dependences: Dependences, max_operations: int | None
) -> Generator[Step, None, Dependences]:
    """Remove the writes that propagation left unneeded, once, array by array from the last."""
    written = dict.fromkeys(s.write.array for s in dependences.scop.statements)
    for array in reversed(written):
        before = dependences.scop
        try:
            with isl.budget(max_operations):
                dependences, removed = remove_unneeded(dependences, array)
        except isl.BudgetExhausted:
            yield BudgetSpent(array, max_operations)
            continue
        yield from _said(before, dependences.scop, array, removed)
    return dependences


def _said(
    before: Scop, after: Scop, array: str, removed: Sequence[Statement]
) -> Generator[Step, None, None]:
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


def _one_array(
    dependences: Dependences, array: str, partial: bool, heuristics: Sequence[Heuristic]
) -> Generator[Step, None, Dependences | None]:
    """The dependences of the program without (or, partly, with less of) the array, or None."""
    done = yield from propagate_whole(dependences, array)
    whole = done is not None
    if done is None and partial:
        done = yield from propagate_edges(dependences, array)
    if done is None:
        return None
    before = done.scop
    done, removed = remove_unneeded(done, array)
    for judge in heuristics:
        refused = judge(dependences.scop, done.scop, array)
        if refused is not None:
            yield ArrayKept(array, refused)
            return None
    left = done.scop.by_name
    if not whole:
        yield PartlyPropagated(array, done.scop)
        yield from _said(before, done.scop, array, removed)
        return done
    yield ArrayPropagated(array, tuple(s.name for s in removed if s.name not in left), done.scop)
    shrunk = [s for s in removed if s.name in left]
    yield from _said(before, done.scop, array, shrunk)
    return done


def _candidates(
    dependences: Dependences, arrays: Sequence[str] | None, keep: Sequence[str], live_out: bool
) -> list[str]:
    scop = dependences.scop
    written = dict.fromkeys(s.write.array for s in scop.statements)
    possible = [a for a in written if live_out or not scop.arrays[a].live_out]
    return [a for a in possible if a not in keep and (arrays is None or a in arrays)]


def _not_tried(
    dependences: Dependences,
    candidates: Sequence[str],
    arrays: Sequence[str] | None,
    keep: Sequence[str],
) -> Generator[Step, None, None]:
    """Say of every array with flow through it that is not a candidate why it is none."""
    for array in dependences.scop.arrays:
        if array in candidates or not dependences.flow(array).edges:
            continue
        if array in keep or (arrays is not None and array not in arrays):
            yield ArrayKept(array, "it was not asked for")
        else:
            way_out = f"Add `temp {array};` or `--temp {array}` if it is not"
            yield ArrayKept(array, f"it may be used later. {way_out}")


def _check_names(scop: Scop, names: Sequence[str]) -> None:
    for name in names:
        if name not in scop.arrays:
            close = difflib.get_close_matches(name, scop.arrays, 1)
            known = ", ".join(scop.arrays)
            raise PolynbError(
                f"there is no array {name!r}",
                hint=close[0] if close else f"one of: {known}",
            )


# -- writes nobody needs -------------------------------------------------------------------


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
        domain = domain.intersect_params(scop.assumed).coalesce()
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
        left = s.write.relation.subtract(overwritten(dependences.scop, s))
        found = found.union(left.domain())
    return found


def restricted(s: Statement, domain: isl.Set) -> Statement:
    """The same statement on a part of its domain."""
    reads = tuple(replace(r, relation=r.relation.intersect_domain(domain)) for r in s.reads)
    write = replace(s.write, relation=s.write.relation.intersect_domain(domain))
    return replace(s, domain=domain, reads=reads, write=write)
