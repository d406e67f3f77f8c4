"""Which live ranges a schedule violates: the public door, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from polynb import isl
from polynb.arguments import count, one_of, optional
from polynb.conveniences import Conveniences
from polynb.dependences import LiveRanges, live_ranges
from polynb.derivation import Derivation, as_scop
from polynb.legality.checking import New
from polynb.legality.pair import ViolatedPair
from polynb.scop import Scop
from polynb.scop.storage import in_memory
from polynb.scop.witness import Witness
from polynb.violations.images import image
from polynb.violations.intervals import Interval, intervals
from polynb.violations.live import RangesOf, all_ranges
from polynb.violations.orders import Order, new_order
from polynb.violations.overlaps import Overlap, broken_flow, overlaps
from polynb.violations.printed import printed_pairs, printed_vio
from polynb.violations.witnesses import violated_pair
from polynb.words import counted

MODES: Final = ("sound", "paper")


@dataclass(frozen=True, eq=False)
class ViolatedRanges(Conveniences):
    """The live ranges that a new order makes overlap; true if there are any.

    `vio` has the set Vio of each array where it is not empty: `{ A[s] -> [[W[i] -> R[j]] ->
    [X[k] -> T[l]]] }`, of live ranges in the cell s, in instances. ([] stands for before and after
    the program; a write that nothing reads has the range `W[i] -> W[i]`.) In the paper's mode,
    `times` has the same sets as they are printed, in times, `{ A[s] -> [[[t_w] -> [t_r]] ->
    [[t_w'] -> [t_r']]] }`, and `images` the images. `pairs` has a small witness for each two kinds
    of live ranges. `flow` are witnesses of flow that is not respected (a read before the write that
    it needs): an order is legal if both are empty.
    """

    scop: Scop
    mode: str
    order: Order
    vio: Mapping[str, isl.UnionMap]
    pairs: tuple[ViolatedPair, ...]
    flow: tuple[Witness, ...]
    times: Mapping[str, isl.Map] = field(default_factory=dict, repr=False)
    images: Mapping[str, isl.Map] = field(default_factory=dict, repr=False)

    @property
    def legal(self) -> bool:
        """Whether the order respects all flow, and no live ranges overlap."""
        return not self.vio and not self.flow

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arrays whose live ranges overlap."""
        return tuple(self.vio)

    def __bool__(self) -> bool:
        return bool(self.vio)

    def __str__(self) -> str:
        if not self.vio:
            return "no live ranges overlap"
        number = counted(len(self.pairs), "kind")
        return "\n".join([f"live ranges overlap, {number} of pairs:", *map(str, self.pairs)])

    def __repr__(self) -> str:
        which = f"of {', '.join(self.vio)}" if self.vio else "none"
        return f"<ViolatedRanges: {which}>"


@isl.bounded("the analysis of violated live ranges")
def violated_ranges(
    program: Scop | Derivation,
    schedule: New,
    mode: str = "sound",
    parallel: bool | Iterable[int] = False,
    *,
    kills: isl.UnionMap | str | None = None,
    max_operations: int | None = 50_000_000,
) -> ViolatedRanges:
    """The live ranges of a program that overlap in the order of `schedule` (the paper, 4.3).

    `schedule` and `kills` are as `pn.check` takes them. `parallel`: the loops of a schedule tree
    that are to run in parallel or in vectors do so; or the levels (from 0) of the times that do.
    `mode`: "sound" for all live ranges, compared by their instances; "paper" for the formulas as
    they are printed: the sequential one, or with `parallel` the parallel one (see
    `violations/printed.py` for what is wrong with them). Raises PolynbError for a schedule that
    leaves instances out, and BudgetExhausted.
    """
    one_of("mode", mode, MODES)
    scop = in_memory(as_scop(program))
    optional(count, "max_operations", max_operations)
    with isl.budget(max_operations):
        ranges = live_ranges(scop, kills=kills)
        order = new_order(ranges, schedule, parallel)
        flow = tuple(broken_flow(ranges, order))
        if mode == "paper":
            at_once = not isinstance(parallel, bool) or parallel
            return _printed(ranges, order, flow, at_once)
        return _sound(ranges, order, flow)


def _sound(ranges: LiveRanges, order: Order, flow: tuple[Witness, ...]) -> ViolatedRanges:
    vio: dict[str, isl.UnionMap] = {}
    pairs: list[ViolatedPair] = []
    for array, parts in all_ranges(ranges).items():
        found = list(overlaps(ranges, parts, order))
        if found:
            vio[array] = isl.union_map(o.relation for o in found)
            pairs += [violated_pair(o, order.times) for o in found]
    return ViolatedRanges(ranges.scop, "sound", order, vio, tuple(pairs), flow)


def _printed(
    ranges: LiveRanges, order: Order, flow: tuple[Witness, ...], parallel: bool
) -> ViolatedRanges:
    scop, when = ranges.scop, order.lockstep()
    when = {name: m.intersect_params(scop.assumed) for name, m in when.items()}
    lambdas = intervals(scop, ranges.flow)
    shown = {array: image(parts, when) for array, parts in lambdas.items()}
    times = {array: printed_vio(i, parallel=parallel) for array, i in shown.items()}
    times = {array: m for array, m in times.items() if not m.is_empty()}
    vio: dict[str, isl.UnionMap] = {}
    pairs: list[ViolatedPair] = []
    for array in times:
        found = list(_printed_overlaps(lambdas[array], when, parallel))
        vio[array] = isl.union_map(o.relation for o in found)
        pairs += [violated_pair(o, order.times) for o in found]
    return ViolatedRanges(scop, "paper", order, vio, tuple(pairs), flow, times, shown)


def _printed_overlaps(
    parts: Iterable[Interval], when: dict[str, isl.Map], parallel: bool
) -> Iterator[Overlap]:
    def plain(x: Interval) -> RangesOf:
        return RangesOf("live range", x.array, x.write, x.read, x.cells)

    parts = tuple(parts)
    for first in parts:
        for second in parts:
            relation = printed_pairs(first, second, when, parallel=parallel)
            if not relation.is_empty():
                yield Overlap(plain(first), plain(second), relation)
