"""Expression propagation: the loop over the arrays (CC'18, section 4.4)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.arguments import count, flag, instance, objects, one_of, optional, several_names
from polynb.dependences import Dependences, analyze
from polynb.derivation import Step, attempted, attempted_steps, derivation, unanswered
from polynb.propagation.array import propagate_edges, propagate_whole
from polynb.propagation.chosen import chosen
from polynb.propagation.dead_writes import removal_steps, remove_dead_writes
from polynb.propagation.heuristics import (
    Attempt,
    CacheLines,
    CodeComplexity,
    Heuristic,
    Judgement,
    NonLiveOut,
)
from polynb.propagation.order import Choice, Order, as_order, first_write
from polynb.propagation.recomputation import OnceARow, Recomputation
from polynb.propagation.reload import AS_MEANT, ReloadReadings
from polynb.propagation.steps import (
    ArrayChosen,
    ArrayKept,
    ArrayPropagated,
    Judged,
    PartlyPropagated,
)
from polynb.recurrences import FORMS, carry_recurrences
from polynb.rewriting.dead_writes import remove_unneeded
from polynb.rewriting.pool import Pool
from polynb.rewriting.remainders import plain_remainders
from polynb.scop.model import Scop
from polynb.scop.schedule import without_promises
from polynb.scop.storage import in_memory
from polynb.windows import STRIP, TOGETHER, row_windows

LIMIT: Final = 32
"""Cache lines per iteration, the default of the paper's implementation."""


def paper_heuristics(cache_lines: int | None = LIMIT) -> tuple[Heuristic, ...]:
    """The heuristics of sections 4.2 and 4.3 (4.1, `NonLiveOut`, is added unless
    `live_out=True`); None: any number of cache lines."""
    limit = () if cache_lines is None else (CacheLines(count("cache_lines", cache_lines)),)
    return (CodeComplexity(), *limit)


def default_heuristics(cache_lines: int | None = LIMIT) -> tuple[Heuristic, ...]:
    """The paper's, and a limit on what is computed again, which is not the paper's: with its
    own, the camera pipe keeps fewer arrays and becomes slower than it was."""
    return (*paper_heuristics(cache_lines), Recomputation())


WINDOWED: Final = (CodeComplexity(), OnceARow())
"""Where what is left goes into windows: what a window holds costs little."""

BUDGET = 5_000_000
"""isl operations for one array: a few seconds at most; Harris needs about a hundredth."""


@derivation(paper="CC'18", start=in_memory)
def propagate(
    scop: Scop,
    *,
    arrays: str | Sequence[str] | None = None,
    keep: str | Sequence[str] = (),
    partial: bool = False,
    live_out: bool = False,
    by_data: bool = False,
    order: Order | str | Sequence[str] = "potential",
    cache_lines: int | None = LIMIT,
    heuristics: Sequence[Heuristic] | None = None,
    recurrences: bool | str = False,
    windows: bool | int = False,
    together: int = TOGETHER,
    max_operations: int | None = BUDGET,
    readings: ReloadReadings = AS_MEANT,
) -> Generator[Step, None, Scop]:
    """Evaluate expressions where their values are needed, instead of storing them (CC'18).

    Claims that the result computes the same values of all live-out arrays, for all parameter
    values that the context and `requires` allow. Each temporary is propagated whole (all reads
    that have a source in the program are replaced, its writes removed) or not at all.

    `arrays`: only these; `keep`: not these (`"tmp, s"` or a sequence). `partial`: where an array
    cannot be propagated whole, propagate the part of each edge that the reload test allows.
    `live_out`: also propagate through live-out arrays, whose needed writes stay. `by_data`: also to
    reads whose cell data decides, of cells that one statement wrote (not in the paper). `order`:
    "potential" (section 4.4), "first_write", arrays in order, or a function. `cache_lines`: the
    most that an iteration may need (section 4.2); None: any number. `heuristics` replace the
    default ones, `default_heuristics(cache_lines)`; () takes whatever is legal. `recurrences`:
    iterations pass on what the next would compute again (section 5.4), in "scalars" (or True),
    as the paper does, or in "strips", a buffer at a time, which compilers can vectorise.
    `windows`: what is left is computed in strips of so many rows (True: 32), in which each array is
    a window of the rows that are still needed, some `together` (see `row_windows`). That costs
    little: less is propagated by default; where it cannot be, a step says why, and propagation goes
    on as without. `max_operations` bounds isl's work on an array: if it is used up, that is kept.
    `readings`: of definitions. Raises PolynbError for unknown names.
    """
    arrays = optional(several_names, "arrays", arrays, scop.arrays)
    keep = several_names("keep", keep, scop.arrays)
    partial, live_out = flag("partial", partial), flag("live_out", live_out)
    pick = as_order(order, tuple(scop.arrays))
    max_operations = optional(count, "max_operations", max_operations)
    readings = instance("readings", readings, ReloadReadings, "ReloadReadings()")
    readings = replace(readings, chosen=chosen) if flag("by_data", by_data) else readings
    recurrences = _form(recurrences)
    strip, together = _rows_of_a_strip(windows), count("together", together)
    usual = _judges(heuristics, default_heuristics(cache_lines), live_out)
    asked = _Asked(arrays, keep, partial, pick, max_operations, readings, recurrences, Pool(scop))
    dependences = analyze(scop)
    if strip is not None:
        dependences = yield from asked.without(dependences, _judges(heuristics, WINDOWED, live_out))
        left = yield from asked.finished(scop, dependences)
        result = yield from row_windows.steps(left, rows=strip, together=together)
        if result is not left or heuristics is not None:
            return result
    dependences = yield from asked.without(dependences, usual)
    if dependences.scop is not scop:
        dependences = yield from remove_dead_writes(dependences, max_operations)
    return (yield from asked.finished(scop, dependences))


@dataclass(frozen=True, eq=False)
class _Asked:
    """What `propagate` was asked for, and the names that are taken."""

    arrays: Sequence[str] | None
    keep: Sequence[str]
    partial: bool
    pick: Order
    max_operations: int | None
    readings: ReloadReadings
    recurrences: bool | str
    pool: Pool

    def without(
        self, dependences: Dependences, judges: Sequence[Heuristic]
    ) -> Generator[Step, None, Dependences]:
        """The dependences of the program without the arrays that can go, and should."""
        most = self.max_operations
        candidates = yield from _candidates(dependences, self.arrays, self.keep, judges, most)
        while candidates:
            choice = _picked(self.pick, dependences, candidates, most)
            candidates = [a for a in candidates if a != choice.array]
            yield ArrayChosen(choice.array, tuple(candidates), choice.why)
            work = _one_array(
                dependences, self.pool, choice.array, self.partial, judges, self.readings
            )
            dependences = (yield from _within(most, choice.array, work)) or dependences
        return dependences

    def finished(self, scop: Scop, dependences: Dependences) -> Generator[Step, None, Scop]:
        """The program with what it is after its values pass by other ways, if they do, and with
        recurrences, if that was asked for."""
        result = dependences.scop
        if result is not scop:
            tree = without_promises(result.schedule, result.arrays)
            result = replace(result, schedule=tree)
            with suppress(isl.IslError), isl.budget(self.max_operations):  # else it reads worse
                result = plain_remainders(result)
        if not self.recurrences:
            return result
        form = "scalars" if self.recurrences is True else self.recurrences
        return (yield from carry_recurrences.steps(result, form=form))


def _form(recurrences: bool | str) -> bool | str:
    if isinstance(recurrences, bool):
        return recurrences
    return one_of("recurrences", recurrences, FORMS, "form of recurrences")


def _rows_of_a_strip(windows: bool | int) -> int | None:
    if isinstance(windows, bool):
        return STRIP if windows else None
    return count("windows", windows)


def _picked(
    order: Order, dependences: Dependences, candidates: Sequence[str], max_operations: int | None
) -> Choice:
    """The next array; the first one written if the order cannot be found in the operations."""
    chosen = attempted(max_operations, order, dependences, candidates)
    if isinstance(chosen, isl.IslError):
        return first_write(dependences, candidates)
    return chosen if isinstance(chosen, Choice) else Choice(chosen)


def _within(
    max_operations: int | None, array: str, work: Generator[Step, None, Dependences | None]
) -> Generator[Step, None, Dependences | None]:
    done, taken = attempted_steps(max_operations, work)
    yield from taken
    if isinstance(done, isl.IslError):
        yield ArrayKept(array, unanswered(done))
        return None
    return done


def _one_array(
    dependences: Dependences,
    pool: Pool,
    array: str,
    partial: bool,
    heuristics: Sequence[Heuristic],
    readings: ReloadReadings,
) -> Generator[Step, None, Dependences | None]:
    """The dependences of the program without (or, partly, with less of) the array, or None."""
    done = yield from propagate_whole(dependences, pool, array, readings)
    whole = done is not None
    if done is None and partial:
        done = yield from propagate_edges(dependences, pool, array, readings)
    if done is None:
        return None
    before = done.scop
    done, removed = remove_unneeded(done, array)
    trial = Attempt(array, dependences.scop, done.scop)
    for heuristic in heuristics:
        if (yield from _refused(array, heuristic, heuristic.beneficial(trial))):
            return None
    left = done.scop.by_name
    if not whole:
        yield PartlyPropagated(array, done.scop)
        yield from removal_steps(before, done.scop, array, removed)
        return done
    yield ArrayPropagated(array, tuple(s.name for s in removed if s.name not in left), done.scop)
    shrunk = [s for s in removed if s.name in left]
    yield from removal_steps(before, done.scop, array, shrunk)
    return done


def _refused(
    array: str, heuristic: Heuristic, verdict: Judgement | None
) -> Generator[Step, None, bool]:
    if verdict is None:
        return False
    yield Judged(array, heuristic.name, verdict)
    if not verdict.beneficial:
        yield ArrayKept(array, verdict.reason)
    return not verdict.beneficial


def _candidates(
    dependences: Dependences,
    arrays: Sequence[str] | None,
    keep: Sequence[str],
    heuristics: Sequence[Heuristic],
    max_operations: int | None,
) -> Generator[Step, None, list[str]]:
    """The arrays to try, as they are written. Of all others with flow through them, say why they
    are not tried."""
    candidates = []
    scop = dependences.scop
    for array in dict.fromkeys(s.write.array for s in scop.statements):
        if scop.arrays[array].live_out and not _has_flow(dependences, array, max_operations):
            continue
        if array in keep or (arrays is not None and array not in arrays):
            yield ArrayKept(array, "it was not asked for")
            continue
        for heuristic in heuristics:
            if (yield from _refused(array, heuristic, heuristic.worth_trying(dependences, array))):
                break
        else:
            candidates.append(array)
    return candidates


def _has_flow(dependences: Dependences, array: str, max_operations: int | None) -> bool:
    """Whether a value of the array is read again; where that is not found in the operations,
    whether it may be."""
    if not any(r.array == array for s in dependences.scop.statements for r in s.reads):
        return False
    flow = attempted(max_operations, dependences.flow, array)
    return isinstance(flow, isl.IslError) or bool(flow.edges)


def _judges(given: object, default: tuple[Heuristic, ...], live_out: bool) -> tuple[Heuristic, ...]:
    """The heuristics given; without any, the default ones."""
    if given is not None:
        default = objects("heuristics", given, Heuristic, "heuristics", "[CacheLines(limit=8)]")
    return default if live_out else (NonLiveOut(), *default)
