"""Live-range reordering, whole: dependences, constraints, a schedule, and the proof that it is
legal (IMPACT'16)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from polynb import isl
from polynb.arguments import count, flag, instance, integers, one_of, optional, several_names
from polynb.dependences import live_ranges
from polynb.derivation import Step, derivation
from polynb.errors import PolynbError
from polynb.legality.checking import check_ranges, new_times
from polynb.reordering.band import OPERATIONS as MEMBER, SearchBudget
from polynb.reordering.coincidence import with_coincidence
from polynb.reordering.constraints import PRESETS, ScheduleConstraints, preset as preset_of
from polynb.reordering.integer_program import Counter
from polynb.reordering.isl_scheduler import IslOptions, isl_schedule
from polynb.reordering.scheduler import PROGRAMS, build
from polynb.reordering.steps import Checked, Constrained, Scheduled
from polynb.schedules import (
    contract as contracted,
    interchange as interchanged,
    privatize as privatized,
    tile as tiled,
)
from polynb.schedules.bands import with_schedule
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree, walk

SCHEDULERS: Final = ("polynb", "isl")
BUDGET: Final = 50_000_000
"""isl operations for one decision."""

R = TypeVar("R")


@derivation
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
    `separate`: full tiles apart from partial ones. `kills`, `{ S[i] -> A[x] }`: cells whose content
    S[i] destroys.

    Of the result each read gets the value that it got, as was proven by `check`, which does not see
    the constraints. Raises PolynbError for constraints that do not fit, contradict each other or
    leave out what the program needs, where no schedule is found in `max_programs` integer programs,
    and BudgetExhausted where a decision takes more than `max_operations` of isl; the error's
    `steps` are what was decided until then.
    """
    _check_options(preset, scheduler, constraints, options)
    max_operations = optional(count, "max_operations", max_operations)
    effort = SearchBudget(Counter(count("max_programs", max_programs)))
    separate, interchange, tile = flag("separate", separate), _order(interchange), _sizes(tile)
    contract = _chosen("contract", contract, scop)
    privatize = _chosen("privatize", privatize, scop)
    with _budget(max_operations, "the dependences"):
        ranges = live_ranges(scop, kills=kills)
        wanted = constraints or preset_of(ranges, preset, privatize=bool(privatize))
        wanted.check()
        _check_domain(scop, wanted)
    yield Constrained(ranges, wanted, "" if constraints is not None else preset)
    effort.operations = min(max_operations or MEMBER, MEMBER)
    if scheduler == "isl":
        with _budget(max_operations, "isl's scheduler"):
            tree = isl_schedule(wanted, options)
    else:
        tree = yield from budgeted(build(wanted, effort=effort), max_operations, effort)
    with _budget(max_operations, "the proof that the new order is legal"):
        if not wanted.of("coincidence"):
            tree = with_coincidence(tree, ranges)
        times = new_times(scop, tree)
        if scheduler == "isl":
            yield Scheduled(_bands(tree))
        verdict = check_ranges(ranges, times)
    yield Checked(verdict)
    if not verdict:
        raise PolynbError(
            f"the schedule found is illegal: {verdict.conflicts[0]}",
            reason=_why_illegal(constraints, scheduler),
            hint='`constraints=None` makes the right ones; scheduler="polynb" is Algorithm 1 whole',
        )
    result = with_schedule(scop, tree)
    if interchange is not None:
        result = interchanged(result, interchange)
    if tile is not None:
        result = tiled(result, tile, separate=separate)
    if contract is not False:
        result = contracted(result, None if contract is True else contract)
    if privatize is not False:
        result = privatized(result, None if privatize is True else privatize)
    return result


def _why_illegal(constraints: ScheduleConstraints | None, scheduler: str) -> str:
    if constraints is not None:
        return "the constraints leave out what the program needs"
    if scheduler == "isl":
        return (
            "where isl schedules statements one after the other, it forgets the live ranges from "
            "one to the other (isl 0.27)"
        )
    return "the scheduler went wrong"


def _order(interchange: Any) -> tuple[int, ...] | None:
    return optional(integers, "interchange", interchange, least=0)


def _sizes(tile: Any) -> int | tuple[int, ...] | None:
    if isinstance(tile, str) or not isinstance(tile, Iterable):
        return optional(count, "tile", tile)
    return integers("tile", tile, least=1)


def _chosen(name: str, given: Any, scop: Scop) -> bool | tuple[str, ...]:
    return given if isinstance(given, bool) else several_names(name, given, scop.arrays)


def _check_options(
    preset: str,
    scheduler: str,
    constraints: ScheduleConstraints | None,
    options: IslOptions | None,
) -> None:
    one_of("preset", preset, PRESETS)
    one_of("scheduler", scheduler, SCHEDULERS)
    optional(instance, "constraints", constraints, ScheduleConstraints, "reordering.from_isl(...)")
    optional(instance, "options", options, IslOptions, "reordering.IslOptions(...)")
    if options is not None and scheduler != "isl":
        raise PolynbError("`options` are isl's", hint='scheduler="isl"')


def _check_domain(scop: Scop, constraints: ScheduleConstraints) -> None:
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
            with _budget(operations, effort):
                step = next(steps)
        except StopIteration as stop:
            result: R = stop.value
            return result
        yield step


@contextmanager
def _budget(operations: int | None, doing: str | SearchBudget) -> Iterator[None]:
    """`isl.budget`, of which an error says what was being done."""
    try:
        with isl.budget(operations):
            yield
    except isl.BudgetExhausted as error:
        raise isl.BudgetExhausted(
            f"{error.message} at {doing if isinstance(doing, str) else doing.doing}",
            reason=error.reason,
            hint='scheduler="isl", a larger `max_operations=`, or a smaller program',
        ) from None


def _bands(tree: Tree) -> dict[str, isl.Map]:
    """The members of all bands, one after the other, `{ S[i] -> [t] }`."""
    found: dict[str, isl.Map] = {}
    for node in walk(tree):
        if isinstance(node, Band):
            for name, m in node.members.items():
                found[name] = found[name].flat_range_product(m) if name in found else m
    return found
