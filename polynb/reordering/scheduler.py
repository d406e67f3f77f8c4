"""A schedule tree from schedule constraints: bands, and what is done where there is none
(IMPACT'16, sections 2.4 and 3.2)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from polynb import isl
from polynb.arguments import count, instance, optional
from polynb.derivation import Step
from polynb.errors import PolynbError
from polynb.graphs import connected, strongly_connected
from polynb.reordering.active import (
    STRICT,
    Active,
    Below,
    Neighbours,
    active,
    order,
)
from polynb.reordering.band import BandMembers, SearchBudget, StatementGroup, construct_band
from polynb.reordering.constraints import ScheduleConstraints
from polynb.reordering.farkas import ConstraintRow, Unknown
from polynb.reordering.integer_program import (
    WEIGHTS,
    Counter,
    ProgramLimit,
    Solution,
    VariableLayout,
)
from polynb.reordering.limit_steps import NotScheduled
from polynb.reordering.matrices import fixed
from polynb.reordering.sentences import pair
from polynb.reordering.steps import (
    ConstraintsCarried,
    Enforced,
    Sorted,
    SplitUp,
    TooHard,
)
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Sequence as Sequenced, Tree

PROGRAMS: Final = 2000
"""Integer programs for one schedule; Listing 3 of the paper takes a few dozen."""

MANY: Final = 10
"""Of more statements, components that depend on each other in a cycle are joined one by one:
integer programs of all of them together would take too long."""

MERGED: Final = 8
"""Statements that components are joined to at most."""
LEAST: Final = 20_000
"""isl operations that a member is never denied."""


class NoSchedule(PolynbError):
    """No schedule was found; the program stays as it is."""


def build(
    constraints: ScheduleConstraints,
    *,
    max_programs: int = PROGRAMS,
    effort: SearchBudget | None = None,
) -> Generator[Step, None, Tree]:
    """The schedule tree of our own scheduler, all statements together wherever they have a band
    that is deep enough.

    `effort` counts what was done (Table 1), and may have a way out for statements that no affine
    schedule is found for, or not within `max_programs` integer programs and its operations: without
    one NoSchedule is raised, or BudgetExhausted.
    """
    instance("constraints", constraints, ScheduleConstraints, "cpu(live_ranges(scop))").check()
    count("max_programs", max_programs)
    optional(instance, "effort", effort, SearchBudget, "SearchBudget(Counter(2000))")
    names = constraints.names()
    mentioned: dict[str, None] = {}
    for d in constraints.domain:
        mentioned |= dict.fromkeys(
            isl.dim_names(d.intersect_params(constraints.context), isl.PARAM)
        )
    parameters = tuple(mentioned)
    spaces = {n: d.get_space() for n, d in zip(names, constraints.domain, strict=True)}
    # A dimension that has one value only needs no member (isl compresses such domains).
    known = {n: fixed(d) for n, d in zip(names, constraints.domain, strict=True)}
    piece = StatementGroup(spaces, parameters, known)
    effort = effort or SearchBudget(Counter(max_programs))
    return (yield from _schedule(piece, active(constraints, effort.begin), effort))


def _schedule(
    piece: StatementGroup, edges: Sequence[Active], effort: SearchBudget
) -> Generator[Step, None, Tree]:
    """What is below some bands, which left these edges open. What is too hard is left to the
    fallback, if the effort has one."""
    try:
        with _isl_told():
            return (yield from _scheduled(piece, edges, effort))
    except ProgramLimit:
        n = effort.counter.limit
        error: PolynbError = NoSchedule(
            f"no schedule was found with {n} integer program{'s' * (n != 1)}"
            if effort.counter.solved >= n
            else "no schedule was found in the operations that there are for integer programs",
            reason="many statements with many dimensions take many of them",
            hint='scheduler="isl", fewer statements, or a larger max_programs=',
        )
    except (NoSchedule, isl.BudgetExhausted) as found:
        error = found
    if effort.fallback is not None:
        yield NotScheduled(piece.names, error.message)
        tree = yield from effort.fallback(piece.names, edges)
        if tree is not None:
            return tree
    raise error


@contextmanager
def _isl_told() -> Iterator[None]:
    """What isl refuses, as errors of ours already inside of a generator (see `isl.budget`)."""
    with isl.wrapped():
        try:
            yield
        except TypeError:
            isl.Set("{ : }")
            raise


def _scheduled(
    piece: StatementGroup, edges: Sequence[Active], effort: SearchBudget
) -> Generator[Step, None, Tree]:
    if not piece.most:
        return (yield from _inside(piece, edges, effort))
    groups = connected(piece.names, [(e.source, e.target) for e in edges])
    if len(groups) > 1:
        yield SplitUp(tuple(groups), "unrelated")
        return (yield from _one_by_one(piece, groups, edges, effort))
    cycles = strongly_connected(piece.names, order(edges))
    if len(piece.names) > MANY and len(cycles) > 1:
        yield SplitUp(tuple(cycles), "many")
        return (yield from _clustered(piece, cycles, edges, effort))
    band = yield from _attempt(piece, edges, effort, alone=len(cycles) == 1)
    if band is None or not band.full:
        if len(cycles) > 1:
            yield SplitUp(tuple(cycles), "cycles")
            return (yield from _clustered(piece, cycles, edges, effort))
        if band is None or not band.coincident:
            return (yield from _carry(piece, edges, effort))
    return (yield from _with_child(band, edges, effort))


def _attempt(
    piece: StatementGroup, edges: Sequence[Active], effort: SearchBudget, *, alone: bool
) -> Generator[Step, None, BandMembers | None]:
    """A band. Where it takes more isl operations than there are for a member: for statements that
    cannot be scheduled apart one that need not be good, else, or if that is too hard too, None.
    After that, there are fewer operations."""
    # Without what is only wished for, programs are far easier.
    needed = [e for e in edges if e.kind not in ("proximity", "coincidence")]
    for wanted in (edges, needed) if alone else (edges,):
        try:
            band = yield from construct_band(piece, wanted, effort)
            unknown = wanted is needed and any(e.kind == "coincidence" for e in edges)
            return replace(band, coincident=(False,) * len(band.coincident)) if unknown else band
        except isl.BudgetExhausted:
            yield TooHard(piece.names, effort.operations, alone)
            effort.operations = min(effort.operations, max(effort.operations // 4, LEAST))
    return None


def _with_child(
    band: BandMembers, edges: Sequence[Active], effort: SearchBudget
) -> Generator[Step, None, Tree]:
    left = effort.readings.below(edges, band.members)
    yield from _enforced(left)
    child = yield from _schedule(band.piece, left.edges, effort)
    return Band(
        band.members,
        child,
        permutable=len(band.coincident) > 1,
        loops=tuple(Loop(coincident=c) for c in band.coincident),
    )


def _clustered(
    piece: StatementGroup,
    cycles: Sequence[tuple[str, ...]],
    edges: Sequence[Active],
    effort: SearchBudget,
) -> Generator[Step, None, Tree]:
    """Components one after the other, and those next to each other together where their common band
    is deep enough. (isl merges any two; a few programs of many parts come out better there.)"""
    near = Neighbours(edges)
    bands: list[BandMembers | None] = []
    groups: list[tuple[str, ...]] = []
    for c in cycles:
        if groups and near.lead(groups[-1], c):
            both = tuple(n for n in piece.names if n in groups[-1] or n in c)
            if len(both) < len(piece.names) and len(both) <= MERGED:
                open_ = _only(both, near.touching(both), effort).edges
                band = yield from _attempt(piece.only(both), open_, effort, alone=False)
                if band is not None and band.full:
                    groups[-1], bands[-1] = both, band
                    continue
        groups.append(c)
        bands.append(None)
    return (yield from _one_by_one(piece, groups, edges, effort, bands))


def _only(names: Sequence[str], touching: Sequence[Active], effort: SearchBudget) -> Below:
    """What is left inside of a group of statements, of the edges from or to it."""
    ends = dict.fromkeys(n for e in touching for n in (e.source, e.target))
    outside = {n: k for k, n in enumerate(ends, 1)}
    return effort.readings.inside_groups(touching, outside | dict.fromkeys(names, 0))


def _one_by_one(
    piece: StatementGroup,
    groups: Sequence[tuple[str, ...]],
    edges: Sequence[Active],
    effort: SearchBudget,
    bands: Sequence[BandMembers | None] = (),
) -> Generator[Step, None, Tree]:
    """The groups in sequence; `bands` are those that are known."""
    number = {n: k for k, g in enumerate(groups) for n in g}
    left = effort.readings.inside_groups(edges, number)
    yield from _enforced(left)
    inside: list[list[Active]] = [[] for _ in groups]
    for e in left.edges:
        inside[number[e.source]].append(e)
    children = []
    for g, band, own in zip_longest(groups, bands, inside):
        if band is None:
            tree = yield from _schedule(piece.only(g), own, effort)
        else:
            tree = yield from _with_child(band, own, effort)
        children.append(Filter(dict.fromkeys(g), tree))
    return Sequenced(tuple(children))


def _enforced(left: Below) -> Generator[Step, None, None]:
    for condition, now in left.enforced:
        relation = now.relation
        yield Enforced(condition.constraint, now.constraint, relation, pair(relation))


def _carry(
    piece: StatementGroup, edges: Sequence[Active], effort: SearchBudget
) -> Generator[Step, None, Tree]:
    """One member of Feautrier's, for statements that depend on each other in a cycle."""
    member = carry(piece, edges, effort)
    if member is None:
        open_ = dict.fromkeys(str(e) for e in edges if e.kind in STRICT)
        raise NoSchedule(
            f"there is no affine schedule for {', '.join(piece.names)}",
            reason=f"no member carries any of these: {'; '.join(open_)}",
            hint="constraints that some order respects: without cycles among instances",
        )
    functions = piece.functions(member.solution)
    yield ConstraintsCarried(
        piece.names, functions, tuple(e.constraint for e in member.carried), len(member.open)
    )
    band = BandMembers(piece.with_member(member.solution), functions, (False,))
    return (yield from _with_child(band, edges, effort))


def _inside(
    piece: StatementGroup, edges: Sequence[Active], effort: SearchBudget
) -> Generator[Step, None, Tree]:
    """The statements at one point of all bands, in topological order; where they still depend on
    each other in a cycle (instances at one point may be of different times), members carry that."""
    strict = [e for e in edges if e.kind in STRICT]
    if any(e.source == e.target for e in strict):
        return (yield from _carry(piece, edges, effort))
    cycles = strongly_connected(piece.names, order(strict))
    if len(piece.names) == 1:
        return Leaf()
    if len(cycles) == 1:
        return (yield from _carry(piece, edges, effort))
    if all(len(c) == 1 for c in cycles):
        yield Sorted(tuple(c[0] for c in cycles))
    return (yield from _one_by_one(piece, cycles, edges, effort))


# -- Feautrier's scheduler ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Step1D:
    """A member; the constraints it carries, wholly or in part (the targets of all pairs in some
    polyhedron of theirs come strictly later), and the others."""

    solution: Solution
    carried: tuple[Active, ...]
    open: tuple[Active, ...]


def carry(piece: StatementGroup, edges: Sequence[Active], effort: SearchBudget) -> Step1D | None:
    """The member that respects all constraints and leaves the fewest polyhedra of pairs open; None
    if it cannot carry any."""
    rows: list[ConstraintRow] = []
    slack: dict[Unknown, Active] = {}
    for e in edges:
        for d in effort.dual(e, piece.parameters) if e.kind in STRICT else ():
            open_: Unknown = ("e", str(len(slack)))  # 0 if it is carried, 1 if it is left open
            slack[open_] = e
            rows.append(ConstraintRow({open_: -1}, 1))
            # distance - (1 - e) >= 0
            for r in d.distance(1, {open_: 1}, str(e)):
                constant = _constant_share(r, open_)
                rows.append(ConstraintRow(r.terms, -constant, r.equality, r.because))
    solution = effort.solve(_layout(piece, tuple(slack)), rows, [])
    if solution is None or solution.objective[0] == len(slack):
        return None
    carried = {id(e): e for u, e in slack.items() if not solution.values[u]}
    left = {id(e): e for e in slack.values() if id(e) not in carried}
    return Step1D(solution, tuple(carried.values()), tuple(left.values()))


def _constant_share(row: ConstraintRow, open_: Unknown) -> int:
    """What a_0 is in this row: the factor of the slack stands for it."""
    return row.terms.get(open_, 0)


def _layout(piece: StatementGroup, slack: Sequence[Unknown]) -> VariableLayout:
    of_n = tuple(("n", s, p) for s in piece.names for p in piece.parameters)
    of_x = tuple(("x", s, str(k)) for s, d in piece.dims.items() for k in range(d))
    constants = tuple(("0", s) for s in piece.names)
    return VariableLayout(
        ((tuple(slack), 1, 1), (of_n, 1, 1), (of_x, *WEIGHTS)), (*slack, *of_x, *of_n, *constants)
    )
