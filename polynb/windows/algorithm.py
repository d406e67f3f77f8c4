"""A pipeline of pictures, computed in strips of rows, with windows of rows in between.

The rows of the results are cut into strips, which run in parallel. A strip computes what it needs
of each intermediate picture itself, also what its neighbours need as well, row by row, just before
it is read; so a picture in between is a window of as many rows as are alive at a time, and stays in
the cache. (Halide calls it a sliding window with storage folding, Ragan-Kelley et al., PLDI 2013;
here both follow from the flow of values. The order is checked with cells of the strips' own, and
for windows it is enough that the rows that share a place are accessed one after the other.)
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, product
from typing import Final

from polynb import isl
from polynb.arguments import count, optional
from polynb.dependences import analyze
from polynb.derivation import Step, attempted_steps, derivation, unanswered
from polynb.legality.carried import loops_within
from polynb.legality.checking import check
from polynb.schedules.bands import all_bands, replaced, with_schedule
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import with_kinds
from polynb.scop.storage import in_memory
from polynb.windows.cells import in_window, rows_keep_apart, with_cells
from polynb.windows.order import groups, in_order, only, with_private
from polynb.windows.plan import Plan, all_planned, reads_before
from polynb.windows.steps import ComputedBefore, InStrips, NotInStrips, Windowed
from polynb.windows.strips import in_strips
from polynb.windows.turns import in_turns

STRIP: Final = 32
"""Rows of the results in a strip."""

TOGETHER: Final = 4
"""Rows that a stage computes side by side: what they read of the same rows is read once. (Harris
at 6398 x 6398 on two threads with `fast_math`: 36 ms row by row, 24 ms four together.)"""

BUDGET: Final = 60_000_000
"""isl operations: camera pipe and pyramid blending need some 20 million, and 5 s; interpolate, the
largest that goes into strips, needs 50."""


@derivation(paper="CC'18", start=in_memory)
def row_windows(
    scop: Scop,
    *,
    rows: int = STRIP,
    together: int = TOGETHER,
    max_operations: int | None = BUDGET,
) -> Generator[Step, None, Scop]:
    """Compute a pipeline in strips of rows, its temporaries in windows of rows.

    Claims that the result computes the same values of all live-out arrays, bit for bit, for all
    parameter values. `rows`: of the results in a strip; `together`: those of the finest pictures
    that a stage computes side by side, before the next one does. `max_operations` bounds isl's
    work; if it is used up, the program stays as it is. Temporaries that do not keep pace with the
    results, as a histogram does not, or what is read where data decides, are computed whole before,
    with all that they are computed from: that is a pipeline as well, whose results are what is
    needed later, and runs in strips of its own if large pictures of it then need no more than a
    window.
    """
    count("rows", rows)
    count("together", together)
    max_operations = optional(count, "max_operations", max_operations)
    result, taken = attempted_steps(max_operations, _wrapped(_windowed(scop, rows, together)))
    if isinstance(result, isl.IslError):
        yield NotInStrips(unanswered(result))
        return scop
    yield from taken
    return result


def _wrapped(work: Generator[Step, None, Scop]) -> Generator[Step, None, Scop]:
    with isl.wrapped():
        return (yield from work)


def _windowed(scop: Scop, rows: int, together: int) -> Generator[Step, None, Scop]:
    plans = all_planned(analyze(scop), rows, together)
    if not plans[0].windows:
        for array, reason in plans[0].before.items():
            yield ComputedBefore(array, reason)
        yield NotInStrips("no temporary keeps pace with the results")
        return scop
    tried = _tried(scop, plans)
    if tried.refusal and len(plans) > 1:
        tried = _tried(scop, plans[:1])
    inside = {a for plan in tried.plans for a in plan.windows}
    for array, reason in tried.plans[0].before.items():
        if array not in inside:
            yield ComputedBefore(array, reason)
    if tried.refusal:
        yield NotInStrips(tried.refusal)
        return scop
    # A window reuses a row only for one of a later time, in the same strip: what a strip, or a row,
    # does not carry with cells of its own, it does not carry in windows.
    result = tried.result
    for k, plan in enumerate(tried.plans):
        bands = all_bands(_only(tried.result, plan.statements).schedule)
        parallel = any("parallel" in band.kinds for band in bands)
        yield InStrips(plan.results if k else (), rows, dict(plan.windows), parallel, result)
        tree, windows = result.schedule, list[str]()
        for array, kept in plan.windows.items():
            windows.append(array)
            marked = with_private(tree, plan, windows)  # marks change no times
            result = replace(in_window(result, plan, array), schedule=marked)
            yield Windowed(array, kept, result)
    return result


@dataclass(frozen=True, eq=False)
class _Tried:
    """The program in strips by these plans, each with cells of its own, and why not ("")."""

    plans: tuple[Plan, ...]
    result: Scop
    refusal: str


def _tried(scop: Scop, plans: Sequence[Plan]) -> _Tried:
    scop = in_turns(scop, [n for plan in plans for n in plan.statements])
    plans = tuple(plan.of(scop) for plan in plans)
    own = in_strips(scop, plans)
    for plan in plans:
        own = with_cells(own, plan)
    result = with_schedule(own, in_order(scop, own, plans))
    refusal = _refusal(own, result, plans)
    for plan in () if refusal else plans:
        result = _with_kinds_that_hold(result, plan)
    return _Tried(plans, result, refusal)


def _refusal(own: Scop, scheduled: Scop, plans: Sequence[Plan]) -> str:
    """Why the program in strips, each with cells of its own, does not compute the same in another
    order and in windows of rows; "" if it does. (Windows are not checked by their live ranges:
    for interpolate that takes 15 s, and the check of the order with cells of its own takes one.)

    What is computed in no strips keeps its order: it is enough that nothing follows what runs after
    it now, and that strips are right, for which it is given what comes before.
    """
    parts = [[own.by_name[n] for n in g.statements] for g in groups(own, plans)]
    for k, part in enumerate(parts):
        for s, t in product(part, chain(*parts[k + 1 :])):
            if _follows(s, t, own.assumed):
                return f"{s.name} is computed before the strips, and follows {t.name}, which is not"
    reasons = (_refusal_of_strips(own, scheduled, plan) for plan in plans)
    return next(filter(None, reasons), "")


def _refusal_of_strips(own: Scop, scheduled: Scop, plan: Plan) -> str:
    own, scheduled = (_only(x, plan.statements) for x in (own, scheduled))
    dependences = analyze(own)
    for array in plan.windows:
        if reads_before(dependences, array):
            return f"a strip would read rows of {array} that it has not computed"
    verdict = check(own, scheduled)
    if not verdict:
        return str(verdict.conflicts[0])
    meeting = (a for a in plan.windows if not rows_keep_apart(scheduled, plan, a))
    return "".join(f"rows of {a} would meet in a window" for a in islice(meeting, 1))


def _follows(s: Statement, t: Statement, assumed: isl.Set) -> bool:
    """Whether an instance of s runs behind one of t that accesses the same cell, written by one."""
    pairs = [(s.write, x) for x in t.accesses] + [(r, t.write) for r in s.reads]
    shared = [(a, b) for a, b in pairs if a.array == b.array]
    if not shared:
        return False
    domains = [x.domain.intersect_params(assumed) for x in (s, t)]
    later = t.schedule.lex_lt_map(s.schedule).intersect_domain(domains[1])
    later = later.intersect_range(domains[0])
    return any(
        not later.intersect(b.relation.apply_range(a.relation.reverse())).is_empty()
        for a, b in shared
    )


def _only(scop: Scop, names: Collection[str]) -> Scop:
    """The program of these statements alone, whose results are also what the others read."""
    kept = tuple(s for s in scop.statements if s.name in names)
    read = {r.array for s in scop.statements if s.name not in names for r in s.reads}
    written = {s.write.array for s in kept}
    results = {a: replace(scop.arrays[a], role="output") for a in read & written}
    arrays = {n: results.get(n, a) if a.role == "temp" else a for n, a in scop.arrays.items()}
    tree = only(scop.schedule, scop, names)
    return with_schedule(replace(scop, statements=kept, arrays=arrays, program=None), tree)


def _with_kinds_that_hold(scop: Scop, plan: Plan) -> Scop:
    """The program whose loops in strips are parallel, or in vectors, only where they carry
    nothing."""
    strips = _only(scop, plan.statements)
    loops = loops_within(strips, analyze(strips).edges)
    carrying = [x for x in loops if x.kind != "sequential" and x.carried is not None]
    plain = ((x.band, with_kinds(x.band, ["sequential"] * x.band.depth)) for x in carrying)
    return with_schedule(scop, replaced(scop.schedule, plain))
