"""Which live ranges a schedule violates: the public door, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from polynb import isl
from polynb.arguments import count, named, objects, one_of, optional
from polynb.conveniences import Conveniences
from polynb.dependences import LiveRanges, live_ranges
from polynb.derivation import Derivation, as_scop
from polynb.legality.order import New, Order, new_order, new_times
from polynb.legality.pair import LiveRange, ViolatedPair, time_of
from polynb.legality.ranges import RangesOf
from polynb.legality.violation import violations
from polynb.scop.model import Scop
from polynb.scop.storage import in_memory
from polynb.scop.witness import Instance, Witness, cell_text
from polynb.violations.intervals import Interval, intervals
from polynb.violations.overlaps import Overlap, overlapping
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
    `printed_vio` for what is wrong with them). Raises PolynbError for a schedule that leaves
    instances out, and BudgetExhausted.
    """
    one_of("mode", mode, MODES)
    scop = in_memory(as_scop(program))
    optional(count, "max_operations", max_operations)
    with isl.budget(max_operations):
        ranges = live_ranges(scop, kills=kills)
        order = new_order(ranges, schedule, parallel)
        broken = violations(ranges.flow, order, scop.assumed)
        flow = tuple(v.witness.with_roles("write", "read") for v in broken)
        if mode == "paper":
            at_once = not isinstance(parallel, bool) or parallel
            return _printed(ranges, order, flow, at_once)
        return _sound(ranges, order, flow)


def _sound(ranges: LiveRanges, order: Order, flow: tuple[Witness, ...]) -> ViolatedRanges:
    vio: dict[str, isl.UnionMap] = {}
    pairs: list[ViolatedPair] = []
    for array, violated in overlapping(ranges, order).items():
        vio[array] = isl.union_map(o.relation for o in violated)
        pairs += [violated_pair(o, order.times) for o in violated]
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
        violated = list(_printed_overlaps(lambdas[array], when, parallel))
        vio[array] = isl.union_map(o.relation for o in violated)
        pairs += [violated_pair(o, order.times) for o in violated]
    return ViolatedRanges(scop, "paper", order, vio, tuple(pairs), flow, times, shown)


def _printed_overlaps(
    parts: Iterable[Interval], when: dict[str, isl.Map], parallel: bool
) -> Iterator[Overlap]:
    def plain(x: Interval) -> RangesOf:
        return RangesOf("live range", x.array, x.write, x.read, x.cells)

    parts = tuple(parts)
    for first in parts:
        for second in parts:
            relation = _printed_pairs(first, second, when, parallel=parallel)
            if not relation.is_empty():
                yield Overlap(plain(first), plain(second), relation)


# Live range intervals at new times: the paper's transformed image (section 4.3.1).


HINT: Final = "polynb.violations.intervals(scop)"


@isl.bounded("the image of live range intervals")
def images(
    program: Scop | Derivation, schedule: New, known: Mapping[str, Iterable[Interval]] | None = None
) -> dict[str, isl.Map]:
    """The family Image_M[s] of each array M, `{ A[s] -> [[t_w] -> [t_r]] }`: of each live range
    interval in the cell s, the times of its ends in a new order.

    `schedule` is what `pn.check` takes; `known` the intervals, unless they are to be found. Raises
    PolynbError for a schedule that leaves instances out.
    """
    scop = as_scop(program)
    when = new_times(scop, schedule)
    found = intervals(scop) if known is None else named("known", known, what="array")
    parts = {a: objects("known", part, Interval, "intervals", HINT) for a, part in found.items()}
    return {array: image(part, when) for array, part in parts.items() if part}


def image(parts: Iterable[Interval], when: Mapping[str, isl.Map]) -> isl.Map:
    """Image_M[s] of the intervals of one array, at times `{ S[i] -> [t] }`."""
    moved = (p.cells.reverse().apply_range(when[p.write].product(when[p.read])) for p in parts)
    return isl.coalesced(isl.united(moved))


# The set Vio as the paper prints it (section 4.3.2), with what is wrong with it.
#
# 1. The sequential formula pairs every live range with itself, in the original order too.
# 2. The parallel one leaves out pairs of equal times: two live ranges that run at the same times.
# 3. A write that nothing reads has no live range, and nothing says what it may overwrite.
# 4. A live range ends with the last read in the original order, which another one may overtake.
# 5. What a cell holds before and after the program has no live range.
# 6. The parallel one is strict at the ends, too: a write at the time of another range's last read.


def printed_vio(image: isl.Map, *, parallel: bool) -> isl.Map:
    """Vio of an array, `{ A[s] -> [[[t_w] -> [t_r]] -> [[t_w'] -> [t_r']]] }`, of its image
    `{ A[s] -> [[t_w] -> [t_r]] }`; the first or the second formula, with what is wrong with them
    (above)."""
    range_ = image.range().unwrap()
    return image.range_product(image).intersect_range(_overlap(range_, range_, parallel).wrap())


def _printed_pairs(
    first: Interval, second: Interval, when: dict[str, isl.Map], *, parallel: bool
) -> isl.Map:
    """The same of two λ, in instances: `{ A[s] -> [[W[i] -> R[j]] -> [X[k] -> T[l]]] }`."""
    a, b = (when[x.write].product(when[x.read]) for x in (first, second))
    times = _overlap(a.range().unwrap(), b.range().unwrap(), parallel)
    pairs = a.apply_range(times).apply_range(b.reverse())
    both = first.cells.reverse().range_product(second.cells.reverse())
    return both.intersect_range(pairs.wrap())


def _overlap(first: isl.Map, second: isl.Map, parallel: bool) -> isl.Map:
    """`{ [[t_w] -> [t_r]] -> [[t_w'] -> [t_r']] }` that the formula relates, of these ranges."""
    w, r = first.domain_map(), first.range_map()
    w_, r_ = second.domain_map(), second.range_map()
    time = isl.Map.lex_lt(w.get_space().range())
    less = w.apply_range(time).apply_range(r_.reverse())  # t_w < t_r'
    less = less.intersect(r.apply_range(time.reverse()).apply_range(w_.reverse()))  # t_w' < t_r
    if parallel:
        same = w.apply_range(w_.reverse()).intersect(r.apply_range(r_.reverse()))
        less = less.subtract(same)
    return less


# Two live ranges that overlap, at small parameter values.


def violated_pair(overlap: Overlap, times: Mapping[str, isl.Map]) -> ViolatedPair:
    """A small pair of an overlap that is not empty, with its times `{ S[i] -> [t] }`."""
    first, second = overlap.first, overlap.second
    witness = isl.witness(overlap.relation.wrap().flatten())
    assert witness is not None
    values, point = witness
    index = overlap.relation.dim(isl.IN)
    middle = index + first.pairs.dim(isl.IN) + first.pairs.dim(isl.OUT)
    return ViolatedPair(
        first.kind,
        first.array,
        cell_text(first.array, point[:index]),
        _live_range(first, point[index:middle], times, values),
        _live_range(second, point[middle:], times, values),
        values,
        first.exact and second.exact,
    )


def _live_range(
    r: RangesOf, point: tuple[int, ...], times: Mapping[str, isl.Map], values: Mapping[str, int]
) -> LiveRange:
    between = r.pairs.dim(isl.IN)
    write = None if r.write is None else Instance(r.write, point[:between])
    end = None if r.end is None or r.kind == "dead" else Instance(r.end, point[between:])
    return LiveRange(
        write,
        end,
        None if write is None else time_of(write, times, values),
        None if end is None else time_of(end, times, values),
        remains=r.kind == "live-out",
    )
