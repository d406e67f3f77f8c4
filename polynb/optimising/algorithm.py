"""Optimising: of the orders that are legal, the one that a cost model likes best, or none."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import cache
from typing import Final

from polynb import isl
from polynb.arguments import optional, values
from polynb.delicm import remove_scalars
from polynb.dependences.analysis import analyze
from polynb.dependences.lost import repeated_in_vain
from polynb.derivation import Step, derivation
from polynb.errors import PolynbError
from polynb.legality.checking import check
from polynb.optimising.estimate import Estimate
from polynb.optimising.orders import (
    GAIN,
    GAIN_ELSEWHERE,
    WORTH_SAYING,
    Costs,
    Ordered,
    costs_of,
)
from polynb.optimising.pictures import best_form, is_pipeline
from polynb.optimising.steps import (
    Estimated,
    InVain,
    LeftAlone,
    NoOrder,
    OrderChosen,
    WithoutSums,
    faster,
)
from polynb.reordering import IslOptions, reorder
from polynb.schedules import permutable_bands
from polynb.schedules.bands import with_schedule
from polynb.schedules.privatizing import privatized
from polynb.scop.model import Scop
from polynb.scop.schedule import without_promises
from polynb.scop.storage import in_memory
from polynb.words import listed

OWN, APART = "its own loops", "as few statements in a loop as possible"
OPERATIONS: Final = 5_000_000
"""isl operations for one order."""
SECONDS: Final = 15.0
"""And seconds: isl counts little of what its scheduler and its code generator do. More than an
order takes on a busy machine, mostly, so that answers do not hang on that."""
IN_CACHE: Final = 0.9
"""What an order's operations may lose at most: with small sizes, a cache holds everything."""
AT_ONCE: Final = 1_000_000
"""Where an estimate is an aside."""


@derivation(start=in_memory)
def optimise(scop: Scop, sizes: Mapping[str, int] | None = None) -> Generator[Step, None, Scop]:
    """The program in the order that is fastest by a model of loops, vectors, threads and caches;
    as it is, where the model sees no gain.

    Looked at are its own loops, and those of live-range reordering (IMPACT'16) with as much as
    possible in common and with nothing in common that need not be; of each the permutable bands are
    permuted for the strides of the accesses, and tiled, and iterations of loops around an innermost
    one run together in it (unroll-and-jam: Carr, Kennedy, TOPLAS'94). Its own loops are also tried
    in tiles of the skewed bands that reordering finds, which run in waves. Its loops, and those
    with nothing in common, are looked at once more without the scalars that it sums up in (DeLICM),
    if there are any. A pipeline of pictures is propagated (CC'18), in strips of rows or not
    (`row_windows`), as has least to compute and to load, on one thread, too; planes that look up
    entries of a table are then side by side in memory. `sizes`: values of parameters for the
    model; by default equal ones for which the largest array has a million cells, or less where that
    would be work for many seconds. What the model does not know is doubt: an order has to gain,
    too, where columns cost more, and where caches are larger; and, where not all sizes are given,
    not to lose a tenth where a cache holds everything. Nothing is run: `pn.tune` measures.

    Of the result each read gets the value that it got, as proven by `check` (without scalars, by
    `remove_scalars` before; of a pipeline, by `propagate`). Raises PolynbError for unknown
    parameters.
    """
    known = values("sizes", optional(values, "sizes", sizes) or {}, scop.parameters)
    if not scop.statements:
        yield LeftAlone("", 1.0, GAIN)
        return scop
    try:
        with isl.budget(OPERATIONS):
            idle = tuple(repeated_in_vain(scop))
        if idle:
            yield InVain(idle)
            return scop
        if is_pipeline(scop) and (pictures := (yield from best_form(scop, known))) is not None:
            return pictures
        with isl.budget(OPERATIONS, SECONDS):
            costs = costs_of(scop, known)
    except PolynbError as error:  # its loops are too hard to be generated, or to be counted
        yield NoOrder("compared with other orders", error.message)
        yield LeftAlone("", 1.0, GAIN)
        return scop
    return (yield from _best_order(scop, costs, sized=known.keys() >= {*scop.parameters}))


def _best_order(scop: Scop, costs: Costs, *, sized: bool) -> Generator[Step, None, Scop]:
    """The order that is fastest by the model; the program as it is, where none is for sure.
    `sized`: the sizes are known, and with them what caches hold."""
    found: dict[str, tuple[Scop, Ordered]] = {}
    written = costs.written
    for said, base, its in [("", scop, costs), *(yield from _without_sums(scop, costs.sizes))]:
        orders = looked_at(base, its)
        if base is not scop:  # what the sums held together is to be free, and not with others
            orders = {name: orders[name] for name in (OWN, APART)}
        each = yield from _estimated(orders, said, written)
        found |= {name: (base, order) for name, order in each.items()}
    gains = {name: order.estimate.gain(written) for name, (_, order) in found.items()}
    for name, gain in sorted(gains.items(), key=lambda x: -x[1]):
        if gain < GAIN:
            yield LeftAlone(name if gain > WORTH_SAYING else "", gain, GAIN)
            return scop
        base, order = found[name]
        elsewhere = order.estimate.gains_elsewhere(written)
        worst = min(elsewhere, key=elsewhere.__getitem__)
        if elsewhere[worst] < GAIN_ELSEWHERE:
            doubt = ", too little to be sure" if elsewhere[worst] > 1 else ""
            yield NoOrder(name, f"{worst} it is {faster(elsewhere[worst])}{doubt}")
            continue
        in_cache = written.operations / order.estimate.operations
        if in_cache < IN_CACHE and not sized:
            yield NoOrder(name, f"at sizes for which a cache holds all, it is {faster(in_cache)}")
            continue
        try:
            with isl.budget(seconds=SECONDS):
                verdict = check(base, order.scop)
        except isl.BudgetExhausted as error:
            yield NoOrder(name, error.message)
            continue
        if verdict:
            yield OrderChosen(name, gain, verdict)
            return order.scop
        yield NoOrder(name, str(verdict))
    yield LeftAlone("", 1.0, GAIN)
    return scop


def _estimated(
    orders: Mapping[str, Callable[[], Ordered]], said: str, written: Estimate
) -> Generator[Step, None, dict[str, Ordered]]:
    """What each of them is, by its name and what is `said` behind it."""
    found: dict[str, Ordered] = {}
    for name, ordered in orders.items():
        try:
            with isl.budget(OPERATIONS, SECONDS):
                order = ordered()
        except PolynbError as error:  # a budget that is used up, among others
            yield NoOrder(name + said, error.message)
            continue
        found[name + said] = order
        yield from order.decisions
        yield Estimated(name + said, order.estimate, written)
    return found


def _without_sums(
    scop: Scop, sizes: Mapping[str, int]
) -> Generator[Step, None, list[tuple[str, Scop, Costs]]]:
    """The program without the scalars that it sums up in, where that is possible, how it is called,
    and what it costs: the loops of a sum are held together by the one cell that is for them all."""
    updates = [s for s in scop.statements if s.write.array in {r.array for r in s.reads}]
    # what is updated with nothing else, compilers work out once
    summed = [s.write.array for s in updates if {r.array for r in s.reads} != {s.write.array}]
    arrays = [scop.arrays[name] for name in dict.fromkeys(summed)]
    sums = [a.name for a in arrays if a.role == "temp" and not a.dimensions]
    if not sums:
        return []
    try:
        with isl.budget(OPERATIONS, SECONDS):
            new = in_memory(remove_scalars(scop).result)
            costs = costs_of(new, sizes)
    except PolynbError as error:
        yield NoOrder(f"without {listed(sums)}", error.message)
        return []
    gone = tuple(name for name in sums if name not in new.arrays)
    if not gone:
        return []
    yield WithoutSums(gone)
    return [(f", without {listed(gone)}", new, costs)]


def gain_of(before: Scop, after: Scop) -> float | None:
    """How many times as fast another order of a program is by the model, on one thread or on two,
    whichever is less; None where its loops are too hard to be counted at once."""
    try:
        with isl.budget(AT_ONCE, SECONDS):
            costs = costs_of(in_memory(before), {})
            return costs.whole(after).gain(costs.written)
    except PolynbError:
        return None


def looked_at(scop: Scop, costs: Costs) -> dict[str, Callable[[], Ordered]]:
    """The orders that are looked at, by what they are called."""
    free = with_schedule(scop, without_promises(scop.schedule, scop.arrays))  # loops are moved
    own = cache(lambda: privatized(permutable_bands(free), None, analyze(free)))
    fused = cache(lambda: reorder(scop).result)
    apart = IslOptions(serialize_sccs=True)
    return {
        OWN: lambda: costs.best(own()),
        APART: lambda: costs.best(reorder(scop, scheduler="isl", options=apart).result),
        "as many statements in a loop as possible": lambda: costs.best(fused()),
        "its own loops in skewed tiles": lambda: costs.best_in_skewed_tiles(own(), fused()),
    }
