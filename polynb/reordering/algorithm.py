"""Live-range reordering, whole: dependences, constraints, a schedule, and the proof that it is
legal (IMPACT'16)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from polynb import isl
from polynb.arguments import count, flag, instance, integers, one_of, optional, several_names
from polynb.dependences import LiveRanges, live_ranges
from polynb.derivation import Step, attempted, derivation
from polynb.errors import PolynbError, about
from polynb.legality.checking import Conflict, check_ranges
from polynb.legality.order import new_times
from polynb.reordering.active import AS_MEANT, ReorderReadings
from polynb.reordering.band import OPERATIONS as MEMBER, SearchBudget
from polynb.reordering.constraints import (
    PRESETS,
    Constraint,
    ScheduleConstraints,
    preset as preset_of,
)
from polynb.reordering.fallback import Fallback
from polynb.reordering.integer_program import Counter
from polynb.reordering.isl_scheduler import IslOptions, isl_schedule
from polynb.reordering.limit_steps import NotScheduled, NotTiled, OrderKept, Repaired, Unchanged
from polynb.reordering.proof import proven, refuse_illegal, refuse_permuted
from polynb.reordering.scheduler import PROGRAMS, build
from polynb.reordering.steps import Checked, Constrained, Scheduled
from polynb.schedules import (
    contract as contracted,
    interchange as interchanged,
    privatize as privatized,
    tile as tiled,
)
from polynb.schedules.bands import band_labels, with_schedule
from polynb.schedules.tiling import tileable
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree, walk

SCHEDULERS: Final = ("polynb", "isl")
BUDGET: Final = 50_000_000
"""isl operations for one decision."""

R = TypeVar("R")


@derivation(paper="IMPACT'16")
def reorder(
    scop: Scop,
    preset: str = "cpu",
    *,
    scheduler: str = "polynb",
    constraints: ScheduleConstraints | None = None,
    privatize: bool | Sequence[str] = True,
    contract: bool | Sequence[str] = False,
    interchange: Sequence[int] | None = None,
    tile: int | Sequence[int] | None = None,
    separate: bool = False,
    options: IslOptions | None = None,
    kills: isl.UnionMap | str | None = None,
    max_programs: int = PROGRAMS,
    max_operations: int | None = BUDGET,
    readings: ReorderReadings = AS_MEANT,
) -> Generator[Step, None, Scop]:
    """The program in an order with as wide permutable bands as can be found, in which live ranges
    may change places but never overlap.

    `preset`: what the scheduler is told, "cpu" (as PPCG's C target), "gpu" (section 3.3 to the
    letter) or "none" (no live-range reordering); or `constraints` of your own, as from
    `reordering.from_isl`. `scheduler`: "polynb", Algorithm 1 step by step, or "isl", with its
    `options`. `privatize`: scalars whose live ranges are local may be private to an iteration
    (names: these temporaries, arrays too), so that loops around them can run in parallel;
    `contract`: temporary arrays of which an iteration needs one cell become such scalars.
    `interchange`: the members of the first band of several in another order, (1, 0). `tile`: the
    sizes of tiles for the outermost permutable bands (a number for all of a band's loops);
    `separate`: full tiles apart. `kills`, `{ S[i] -> A[x] }`: cells whose content S[i] destroys.

    Of the result each read gets the value that it got, as was proven by `check`, which does not see
    the constraints. Statements that are too hard to schedule, or not in `max_programs` integer
    programs, get isl's order or keep their own; where a decision takes more than `max_operations`
    of isl, nothing is changed; where nothing can be tiled, nothing is: each is a step. Raises
    PolynbError for constraints that do not fit, contradict each other or leave out what the program
    needs. `readings`: the paper read in other ways.
    """
    _check_options(preset, scheduler, constraints, options, readings)
    max_operations = optional(count, "max_operations", max_operations)
    max_programs = count("max_programs", max_programs)
    separate, interchange, tile = flag("separate", separate), _order(interchange), _sizes(tile)
    contract, privatize = _chosen("contract", contract, scop), _chosen("privatize", privatize, scop)
    try:
        with isl.budget(max_operations):
            ranges = replace(live_ranges(scop, kills=kills), naming=readings.naming)
            wanted = constraints or preset_of(ranges, preset, privatize=bool(privatize))
            _check_domain(scop, wanted)
        yield Constrained(ranges, wanted, "" if constraints is not None else preset)
        given, sure = constraints is not None, False
        if scheduler == "isl":
            tree = yield from by_isl(scop, ranges, wanted, options, max_operations, given=given)
        else:
            effort = _effort(max_programs, max_operations, readings)
            tree, sure = yield from _ours(scop, ranges, wanted, effort, max_operations, given=given)
        made = yield from _finished(scop, tree, interchange, contract, privatize, tile, separate)
        doubted = not sure and (interchange, tile) != (None, None)
        return _proven(made, ranges, max_operations, given=given) if doubted else made
    except isl.BudgetExhausted as error:
        yield Unchanged(tuple(s.name for s in scop.statements), error.message)
        return scop


def _effort(programs: int, max_operations: int | None, readings: ReorderReadings) -> SearchBudget:
    member = min(max_operations or MEMBER, MEMBER)
    return SearchBudget(Counter(programs), operations=member, readings=readings)


def _finished(
    scop: Scop,
    tree: Tree,
    interchange: tuple[int, ...] | None,
    contract: bool | tuple[str, ...],
    privatize: bool | tuple[str, ...],
    tile: int | tuple[int, ...] | None,
    separate: bool,
) -> Generator[Step, None, Scop]:
    """The program with what is asked for besides an order. Tiles come last: what is one iteration's
    own is seen at once in the loops that they are made from."""
    result = with_schedule(scop, tree)
    if interchange is not None:
        with about("interchange"):
            result = _interchanged(result, interchange)
    if contract is not False:
        with about("contract"):
            result = contracted(result, None if contract is True else contract)
    if privatize is not False:
        with about("privatize"):
            result = privatized(result, None if privatize is True else privatize)
    if tile is not None:
        if tileable(result):
            with about("tile"):
                result = tiled(result, tile, separate=separate)
        else:
            yield NotTiled(band_labels(result))
    return result


def _ours(
    scop: Scop,
    ranges: LiveRanges,
    wanted: ScheduleConstraints,
    effort: SearchBudget,
    max_operations: int | None,
    *,
    given: bool,
) -> Generator[Step, None, tuple[Tree, bool]]:
    """The tree of our own scheduler, proven legal, with isl's or their own order for statements
    that are too hard; and whether it is sure that all bands said to be permutable are: of the right
    constraints, Algorithm 1 makes no others."""
    domains = {s.name: s.domain for s in scop.statements}
    fallback = Fallback(scop.schedule, domains, wanted.context)
    effort.fallback = fallback.order
    marked = yield from budgeted(build(wanted, effort=effort), max_operations, effort)
    verdict = None
    if fallback.marked:
        with isl.budget(max_operations):
            verdict = check_ranges(ranges, new_times(scop, marked))
    tree = yield from fallback.settled(marked, verdict)
    with isl.budget(max_operations):
        tree, verdict = proven(scop, ranges, wanted, tree)
    yield Checked(verdict)
    refuse_illegal(verdict, given=given)
    return tree, not given and not fallback.used and effort.readings == AS_MEANT


def _proven(made: Scop, ranges: LiveRanges, max_operations: int | None, *, given: bool) -> Scop:
    """The program, of which it was not sure that its bands were permutable."""
    with isl.budget(max_operations):
        refuse_permuted(ranges, made.schedule, given=given)
    return made


def _interchanged(result: Scop, order: tuple[int, ...]) -> Scop:
    """As `interchange` does, with ways out that `reorder` has."""
    try:
        return interchanged(result, order)
    except PolynbError as error:
        argument, _, value = (error.hint or "").partition("=")
        error.hint = f"interchange={value}" if argument == "order" else "leave interchange out"
        raise


def _order(interchange: object) -> tuple[int, ...] | None:
    return optional(integers, "interchange", interchange, least=0)


def _sizes(tile: object) -> int | tuple[int, ...] | None:
    if isinstance(tile, str) or not isinstance(tile, Iterable):
        return optional(count, "tile", tile)
    return integers("tile", tile, least=1)


def _chosen(name: str, given: object, scop: Scop) -> bool | tuple[str, ...]:
    return given if isinstance(given, bool) else several_names(name, given, scop.arrays)


def _check_options(
    preset: str,
    scheduler: str,
    constraints: ScheduleConstraints | None,
    options: IslOptions | None,
    readings: ReorderReadings,
) -> None:
    one_of("preset", preset, PRESETS)
    one_of("scheduler", scheduler, SCHEDULERS)
    optional(instance, "constraints", constraints, ScheduleConstraints, "reordering.from_isl(...)")
    optional(instance, "options", options, IslOptions, "reordering.IslOptions(...)")
    instance("readings", readings, ReorderReadings, "ReorderReadings()")
    if options is not None and scheduler != "isl":
        raise PolynbError("`options` are isl's", hint='scheduler="isl"')


def _check_domain(scop: Scop, constraints: ScheduleConstraints) -> None:
    constraints.check()
    given = dict(zip(constraints.names(), constraints.domain, strict=True))
    for s in scop.statements:
        if s.name not in given:
            raise PolynbError(
                f"the constraints leave out statement {s.name}",
                hint="a domain that has all of the program's statements",
            )
        if not s.domain.is_equal(given[s.name]):
            raise PolynbError(
                f"the constraints have other instances of {s.name} than the program",
                reason=f"{given[s.name]} is not {s.domain}",
            )


def budgeted(
    steps: Generator[Step, None, R], operations: int | None, effort: SearchBudget
) -> Generator[Step, None, R]:
    """The same steps, each found in so many isl operations; an error says what was being done."""
    while True:
        try:
            with isl.budget(operations):
                step = next(steps)
        except StopIteration as stop:
            result: R = stop.value
            return result
        except isl.BudgetExhausted as error:
            raise isl.BudgetExhausted(
                f"{error.message} at {effort.doing}", reason=error.reason, hint=error.hint
            ) from None
        yield step


# isl's scheduler, asked again where its order is illegal.
#
# Where isl 0.27 schedules statements one after the other, it forgets the live ranges from one to
# the other: what was conditioned on them is violated later. A witness says which live range another
# write would come into; the order dependences between them are no longer conditioned then.


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
        tree = attempted(max_operations, isl_schedule, asked, options)
        if isinstance(tree, isl.IslError):
            yield NotScheduled(names, f"isl's scheduler gives up, as {tree.message}")
            break
        yield Scheduled(_bands(tree))
        with isl.budget(max_operations):
            tree, verdict = proven(scop, ranges, wanted, tree)
        added = () if verdict or given else _conditioned_beside(verdict.conflicts, asked)
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


def _conditioned_beside(
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
    members: dict[str, isl.Map] = {}
    for node in walk(tree):
        if isinstance(node, Band):
            for name, m in node.members.items():
                members[name] = members[name].flat_range_product(m) if name in members else m
    return members
