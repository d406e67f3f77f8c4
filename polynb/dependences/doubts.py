"""The questions about a program: about its names, its cells, and values that nobody gets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from polynb import isl
from polynb.dependences.analysis import analyze
from polynb.dependences.lost import lost_values
from polynb.scop.affine_from_isl import expression
from polynb.scop.doubt import MEANT, Doubt
from polynb.scop.doubtful_cells import usual
from polynb.scop.doubts import doubts as of_text
from polynb.scop.model import Scop, Statement
from polynb.source.scoplang.printer import print_affine
from polynb.source.tree import Access, If, Number, every, statements

BUDGET: Final = 500_000
"""isl operations: what is not found in them is not asked about."""
STEPS: Final = 3
"""How often what only lost values are made of is looked for."""
FEW: Final = 30
"""Statements: of a program of more, no person typed a short name for another one."""


def doubts(scop: Scop) -> tuple[Doubt, ...]:
    """The questions about a program that its text does not answer, in the order of the text; none
    about one without a text."""
    return tuple(d for d in _doubts(scop) if not d.is_answered)


def _doubts(scop: Scop) -> tuple[Doubt, ...]:
    asked = of_text(scop)
    about = {name for d in asked for name in (d.name, d.meant)}
    if scop.program is None or len(scop.statements) > FEW:
        return asked
    more: list[Doubt] = []
    with suppress(isl.BudgetExhausted), isl.budget(BUDGET), isl.wrapped():
        more = [d for d in _without_effect(scop) if d.name not in about]
        for each in () if asked else (_written_again, _one_of_many, _end_for_nobody):
            more = more or [*each(scop)]
    return tuple(sorted((*asked, *more), key=lambda d: d.span.start if d.span is not None else 0))


def _lost(scop: Scop, steps: int = 1) -> dict[str, tuple[isl.Set, isl.Set]]:
    """By statement: the instances that run at usual sizes, and those whose values nobody gets."""
    at = usual(scop.assumed)
    runs = {s.name: s.domain.intersect_params(at) for s in scop.statements}
    lost = lost_values(scop, runs, steps)
    return {name: (runs[name], lost[name]) for name in runs}


def _without_effect(scop: Scop) -> Iterator[Doubt]:
    """Of statements that never run, or all of whose values are overwritten before they are read."""
    values, program = _lost(scop), scop.program
    branches = (x for x in every(program.body if program else ()) if isinstance(x, If))
    chosen = {id(s.target) for x in branches for s in statements((*x.then, *x.otherwise))}
    for s in scop.statements:
        if s.write.span is None:
            continue
        runs = s.domain.intersect_params(scop.assumed)
        if runs.is_empty() or (id(s.write.node) not in chosen and _runs_once(s, *values[s.name])):
            often = "no iteration" if runs.is_empty() else "one iteration at most"
            down = "counting down" if program and program.language == "c" else "`by -1`"
            yield Doubt(s.write.array, "", f"written here in {often}", "", s.write.span,
                        f"are the bounds, conditions and {down} around it right?")  # fmt: skip
        elif _half_begun(scop, s, usual(scop.assumed)):
            yield Doubt(s.write.array, "", "summed up here, where some of its cells have a first "
                        "value and others have none", "", s.write.span,
                        "is the loop that sets them right?")  # fmt: skip
        elif _overwritten(scop, s, *values[s.name]):
            yield Doubt(s.write.array, "", "written here, and all of it is overwritten before "
                        "anything reads it", "", s.write.span,
                        "is another cell, or name, meant?")  # fmt: skip


def _runs_once(s: Statement, runs: isl.Set, _: isl.Set) -> bool:
    """Whether sizes say how often loops run, and it is once at most, as in `for k = 1 to N do
    for i = N to k do` and so on, where `by -1` is missing."""
    sized = s.iterators and any(
        c.involves_dims(isl.PARAM, 0, runs.dim(isl.PARAM))
        for part in isl.basic_sets(s.domain)
        for c in isl.constraints(part)
    )
    return bool(sized) and (runs.is_empty() or runs.lexmin().is_equal(runs.lexmax()))


def _written_again(scop: Scop) -> Iterator[Doubt]:
    """Of statements that write cells several times in vain: of values that nothing reads, or else
    of values that only go into others of these."""
    each = (_lost(scop, steps) for steps in (1, STEPS))
    found = ([s for s in scop.statements if _again(s, *values[s.name])] for values in each)
    for s in next(filter(None, found), []):
        if s.write.span is not None:
            cell, adds = s.write.span.text, _adds(s)
            asks = "its first value in the right loop" if adds else "only the last value meant"
            yield Doubt(s.write.array, "", "written here, and again by other iterations before "
                        "a result needs it", "" if adds else f"A sum is `{cell} = {cell} + ...`",
                        s.write.span, f"is {asks}?")  # fmt: skip


def _one_of_many(scop: Scop) -> Iterator[Doubt]:
    """Of temporaries of whose values, as many as there are sizes, one alone is ever read:
    `for y = 0 to Y do leap[y] = y % 4 == 0; done for y = 0 to Y do d[y] = 365 + leap[Y]; done`"""
    values = _lost(scop)
    for s in scop.statements:
        name, (runs, lost) = s.write.array, values[s.name]
        kept = runs.subtract(lost)
        if scop.arrays[name].role != "temp" or kept.is_empty() or lost.is_empty():
            continue
        if kept.lexmin().is_equal(kept.lexmax()):
            edges = (e for e in analyze(scop).flow(name).edges if e.source == s.name)
            spans = (scop.by_name[e.target].reads[e.read or 0].span for e in edges)
            for span in list(filter(None, spans))[:1]:
                why = f"computed for many iterations, and {span.text} alone is read"
                yield Doubt(name, "", why, f"If not, {MEANT}", span, "is another cell meant?")


def _end_for_nobody(scop: Scop) -> Iterator[Doubt]:
    """Of temporaries that are not computed from themselves, and of which nothing reads the first
    row (or cell) alone, or the last one."""
    values = _lost(scop)
    for name in scop.temporaries:
        own = [s for s in scop.statements if s.write.array == name]
        if not own or any(r.array == name for s in own for r in s.reads):
            continue
        if not all(s.write.must for s in own):
            continue  # data decides where
        parts = [(s.write.relation, *values[s.name]) for s in own]
        cells = isl.united([runs.apply(write) for write, runs, _ in parts])
        read = isl.united([runs.subtract(lost).apply(write) for write, runs, lost in parts])
        for k in range(0 if read.is_empty() else cells.dim(isl.SET)):
            every, kept, missed = (_axis(x, k) for x in (cells, read, cells.subtract(read)))
            for end, at in (("begin", every.lexmin()), ("end", every.lexmax())):
                if missed.is_equal(at) and missed.is_disjoint(kept):
                    yield Doubt(f"`{_row(own[0].write.node, k, at)}`", "", "computed, and nothing "
                                "reads it", f"If not, {MEANT}", own[0].write.span,
                                f"does a loop {end} too early or too late?")  # fmt: skip


def _axis(cells: isl.Set, k: int) -> isl.Set:
    """The values of one subscript, `{ [x] }`."""
    return cells.project_out(isl.SET, k + 1, cells.dim(isl.SET) - k - 1).project_out(isl.SET, 0, k)


def _row(cell: Access, k: int, at: isl.Set) -> str:
    """`h[y][1]` of `h[y][x]`."""
    index = expression(isl.one_piece(isl.Map.from_range(at).as_pw_multi_aff().get_at(0)), ())
    return print_affine(
        Access(cell.array, (*cell.subscripts[:k], index, *cell.subscripts[k + 1 :]))
    )


def _overwritten(scop: Scop, s: Statement, runs: isl.Set, lost: isl.Set) -> bool:
    """Whether later writes overwrite all values of a statement, and nothing reads one before."""
    others = [t for t in scop.statements if t is not s and t.write.array == s.write.array]
    if isinstance(s.expression, Number):  # set to be sure: usual, if it is done once
        others = [t for t in others if isinstance(t.expression, Number)]
    return bool(others) and s.write.must and not runs.is_empty() and runs.is_subset(lost)


def _again(s: Statement, runs: isl.Set, lost: isl.Set) -> bool:
    """Whether a statement writes cells several times, and only one of their values is for anybody,
    of the instances that run; of one that adds to its cell, whether that is so in inner loops:
    `for i do for j do s = 0; s = s + A[i][j]; done y[i] = s; done`"""
    if isinstance(s.expression, Number) or not s.write.must or s.guard is not None:
        return False
    if lost.is_empty():
        return False
    kept, loops = runs.subtract(lost), s.domain.dim(isl.SET)
    for inner in range(1, loops + 1) if _adds(s) else (loops,):
        each = s.domain.identity().project_out(isl.OUT, loops - inner, inner)
        cells = each.range_product(s.write.relation)
        if cells.intersect_domain(kept).is_injective():
            return not lost.apply(cells).is_disjoint(kept.apply(cells))
    return False


def _adds(s: Statement) -> bool:
    """Whether a statement computes its cell from what is in it."""
    return any(r.relation.is_equal(s.write.relation) for r in s.reads)


def _half_begun(scop: Scop, s: Statement, usual: isl.Set) -> bool:
    """Whether a statement adds to cells of which some, and not all, are set to a number before."""
    name = s.write.array
    own = [k for k, r in enumerate(s.reads) if r.array == name and r.must]
    own = [k for k in own if s.reads[k].relation.is_equal(s.write.relation)]
    zeros = {t.name for t in scop.statements
             if t.write.array == name and isinstance(t.expression, Number)}  # fmt: skip
    if not own or not zeros or scop.arrays[name].why.startswith("declared"):
        return False
    flow = analyze(scop).flow(name)
    begun = [e for e in flow.edges if e.source in zeros and e.target == s.name and e.read in own]
    unset = [flow.live_in[s.name, k] for k in own if (s.name, k) in flow.live_in]
    some = any(not e.relation.intersect_params(usual).is_empty() for e in begun)
    return some and any(not m.intersect_params(usual).is_empty() for m in unset)
