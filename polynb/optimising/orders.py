"""The order of a program's loops that a cost model likes best, of those that its permutable bands
allow: each band permuted, and cut into tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence as Seq
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from statistics import geometric_mean
from typing import Final

from polynb import isl
from polynb.codegen.scan import Shared
from polynb.dependences import analyze
from polynb.dependences.model import Edge
from polynb.errors import PolynbError
from polynb.legality.checking import keeps_values
from polynb.optimising.alike import likeness
from polynb.optimising.apart import in_one_program, nests_apart
from polynb.optimising.carrying import carried_by_loops
from polynb.optimising.counted import Part, deepest, work
from polynb.optimising.estimate import Estimate, estimate
from polynb.optimising.exchanging import Exchange
from polynb.optimising.nests import equal_sizes, nests
from polynb.optimising.registers import bands_of_blocks, blocks, in_registers, together
from polynb.optimising.steps import BandDecision, InRegisters, Permuted, Tiled, TiledInWaves
from polynb.optimising.traffic import lines_of
from polynb.schedules.bands import (
    all_bands,
    loop_names,
    mapped,
    permuted,
    replaced,
    several_permutable,
    with_schedule,
)
from polynb.schedules.privatizing import privatize
from polynb.schedules.tiling import tile, tileable
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Leaf, Loop, Tree

GAIN: Final = 1.45
"""How many times as fast an order has to be, by the model, to be believed,"""
GAIN_ELSEWHERE: Final = 1.3
"""and on each of the other machines."""
OPERATIONS: Final = 2e10
"""That a program does at sizes nobody gave: seconds, beyond which hardly anybody goes."""
TILES: Final = (32, 64)
SKEWED: Final[Mapping[int, tuple[tuple[int, ...], ...]]] = {
    2: ((64, 1024),),
    3: ((16, 64, 256), (8, 32, 256)),
    4: ((8, 16, 16, 256),),
}
"""Sizes of the tiles of skewed loops, by how many these are: of the outermost one, which time is
mostly, as many as a cache holds the neighbours of; of the innermost one what vectors need."""
WORTH_TILING: Final = 1.1
"""What the model must see in tiles: they cost more than it knows where they gain nothing."""
WORTH_JAMMING: Final = 1.25
"""And in iterations that run together: there is more code, for what is left of their loops too."""
NEARER: Final = 0.99
"""What a loop further in is preferred by: what runs together then is closer together in memory."""
NO_LOSS: Final = 0.95
"""And what it must see on the worst machine."""
REGISTERS: Final = 150_000
"""isl operations to see whether that is legal, of each of the TRIED ways."""
TRIED: Final = 2
WORTH_SAYING: Final = 1.05
"""And in another order: below this a gain is none, in two digits."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """A program in some order, how long that is estimated to take, and what led to it."""

    scop: Scop
    estimate: Estimate
    decisions: tuple[BandDecision, ...] = ()
    moves: tuple[Callable[[Scop], Scop | None], ...] = ()
    """The same, each as what it makes of the program before."""

    def then(
        self,
        scop: Scop,
        estimate: Estimate,
        step: BandDecision,
        move: Callable[[Scop], Scop | None],
    ) -> Ordered:
        return Ordered(scop, estimate, (*self.decisions, step), (*self.moves, move))


def costs_of(scop: Scop, sizes: Mapping[str, int]) -> Costs:
    """What a program costs in other orders than its own."""
    costs = Costs(tuple(analyze(scop).edges), sizes)
    loops = costs.loops(scop)
    if (excess := sum(work(loops).values()) / OPERATIONS) > 1:
        usual, less = equal_sizes(scop), excess ** (-1 / deepest(loops))
        new = {p: round(n * less) for p, n in usual.items()} | dict(sizes)
        if new != usual | dict(sizes) and not isl.fix_parameters(scop.assumed, new).is_empty():
            costs = replace(costs, sizes=new, known={})
            loops = costs.loops(scop)
    costs = replace(costs, work=work(loops), footprint=lines_of(loops), known={}, decided={})
    return replace(costs, written=costs.whole(privatize(scop)))


NOTHING: Final = Estimate(0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Costs:
    """What a program costs in any order: its dependences, value-based, and parameter values."""

    edges: tuple[Edge, ...]
    sizes: Mapping[str, int]
    work: Mapping[str, float] | None = None
    """Of each statement, in the order as written,"""
    footprint: float | None = None
    """and the lines of all cells."""
    written: Estimate = NOTHING
    """And what that order takes."""
    cautious: bool = False
    """What gains on one machine and loses on another is then no gain."""
    known: dict[object, tuple[tuple[Part, ...], Estimate]] = field(default_factory=dict)
    """By the times of statements: different ways lead to one order."""
    expressions: Shared = field(default_factory=dict)
    """Of statements, as loops evaluate them."""
    decided: dict[object, tuple[Scop, Ordered]] = field(default_factory=dict)
    """Of nests, by what is alike."""

    def of(self, scop: Scop) -> Estimate:
        """Of a nest."""
        return self._seen(scop)[1]

    def loops(self, scop: Scop) -> tuple[Part, ...]:
        return self._seen(scop)[0]

    def _seen(
        self, scop: Scop, expected: Callable[[], tuple[Part, ...] | None] = lambda: None
    ) -> tuple[tuple[Part, ...], Estimate]:
        key = tuple((s.name, str(s.schedule)) for s in scop.statements)
        if key not in self.known:
            parts = expected()
            if parts is None:
                parts = nests(scop, self._edges(scop), self.sizes, self.expressions)
            self.known[key] = parts, self._estimate(parts)
        return self.known[key]

    def _edges(self, scop: Scop) -> list[Edge]:
        """Those of the statements of a nest."""
        names = scop.by_name
        return [e for e in self.edges if e.source in names and e.target in names]

    def _in_order(self, exchange: Exchange, number: int, order: tuple[int, ...]) -> Estimate:
        """Of a nest with the loops of a band in another order; they are generated only where more
        than that changes."""
        new = _exchanged(exchange.scop, number, order)
        carried = partial(carried_by_loops, new, self._edges(new))
        return self._seen(new, partial(exchange.to, order, carried))[1]

    def _estimate(self, parts: Seq[Part]) -> Estimate:
        return estimate(parts, self.work, self.footprint)

    def whole(self, scop: Scop) -> Estimate:
        """Of a program, as the sum of its nests."""
        return reduce(Estimate.plus, (self._as_it_is(p).estimate for p in nests_apart(scop)))

    def best(self, scop: Scop) -> Ordered:
        """The program with its permutable bands in the best order, tiled where that is better. If
        it gains, it is to do so on every machine, and each nest is to be no slower on any: or else
        there is the best order to which no decision is slower."""
        parts = nests_apart(scop)
        found = [self._decided(p) for p in parts]
        whole = _joined(scop, found)
        if whole.estimate.gain(self.written) < GAIN:
            return whole
        careful = replace(self, cautious=True)
        if min(whole.estimate.gains_elsewhere(self.written).values()) < NO_LOSS:
            return _joined(scop, [careful._decided(p) for p in parts])
        sure = [
            surely(f.estimate, self._as_it_is(p).estimate) >= NO_LOSS
            for p, f in zip(parts, found, strict=True)
        ]
        each = zip(parts, found, sure, strict=True)
        return _joined(scop, [f if s else careful._decided(p) for p, f, s in each])

    def _gain(self, new: Estimate, before: Estimate) -> float:
        return surely(new, before) if self.cautious else before.both / new.both

    def _once(
        self, what: object, nest: Scop, decide: Callable[[Scop], Ordered], *trees: Tree
    ) -> Ordered:
        """What is decided of a nest (by these trees), and of those that are alike."""
        known = {**equal_sizes(nest), **self.sizes}, self.work or {}
        key = what, likeness(nest, self._edges(nest), known, nest.schedule, *trees)
        if key not in self.decided:
            self.decided[key] = nest, decide(nest)
        first, found = self.decided[key]
        return _in_other_names(found, first, nest)

    def _as_it_is(self, nest: Scop) -> Ordered:
        return self._once("as it is", nest, lambda n: Ordered(n, self.of(n)))

    def _decided(self, nest: Scop) -> Ordered:
        return self._once(("best", self.cautious), nest, self._best)

    def _best(self, nest: Scop) -> Ordered:
        whole = self._permuted(nest)
        best = self._tiled(whole)
        found = map(self._in_registers, dict.fromkeys((whole, best)))
        return max(found, key=lambda x: self._gain(x.estimate, whole.estimate))

    def best_in_skewed_tiles(self, scop: Scop, skewed: Scop) -> Ordered:
        """The program in its own order, but for the tiles that its nests are cut into, which are
        those of the bands of another order (`skewed`) of the same statements."""
        bands = {frozenset(b.members): b for b in map(outer_band, nests_apart(skewed)) if b}
        parts = nests_apart(scop)
        return _joined(scop, [self._in_tiles_of(p, bands.get(frozenset(p.by_name))) for p in parts])

    def _in_tiles_of(self, scop: Scop, band: Band | None) -> Ordered:
        if band is None or band.depth not in SKEWED:
            return self._as_it_is(scop)
        tiles = replace(band, child=Leaf())
        what = "in waves", self.cautious
        found = self._once(what, scop, partial(self._in_waves, band=tiles), tiles)
        for step in found.decisions:
            if isinstance(step, TiledInWaves):
                return replace(found, scop=in_waves(scop, tiles, step.sizes))
        return found

    def _in_waves(self, scop: Scop, band: Band) -> Ordered:
        """Whether it is to run in such tiles, and in which."""
        now = best = self._as_it_is(scop)
        for sizes in SKEWED[band.depth]:
            found = self.of(in_waves(scop, band, sizes))
            gain = self._gain(found, now.estimate)
            if gain > WORTH_TILING and self._gain(found, best.estimate) > 1:
                best = Ordered(scop, found, (TiledInWaves(tuple(scop.by_name), gain, sizes),))
        return best

    def _permuted(self, scop: Scop) -> Ordered:
        best = Ordered(scop, self.of(scop))
        for number, band in enumerate(all_bands(scop.schedule)):
            if not several_permutable(band):
                continue
            now, names = best, loop_names(scop, band)
            own = all_bands(now.scop.schedule)[number]
            exchange = Exchange(self.loops(now.scop), now.scop, own)
            written = order = tuple(range(band.depth))
            for place in reversed(written[1:]):  # the innermost loop, then the one around it
                ways = _moved_in(order, place)
                costs = {o: self._in_order(exchange, number, o) for o in ways}
                gains = {o: self._gain(c, costs[order]) for o, c in costs.items()}
                order = max(gains, key=gains.__getitem__)
            move = partial(_exchanged, number=number, order=order)
            new = move(now.scop)
            gain = self._gain(self.of(new), now.estimate)
            if gain > WORTH_SAYING:
                loops = tuple(names[k] for k in order)
                step = Permuted(tuple(band.members), gain, loops, names)
                best = now.then(new, self.of(new), step, move)
        return best

    def _tiled(self, best: Ordered) -> Ordered:
        now = best
        for size in TILES if tileable(best.scop) else ():
            try:
                new = tile(now.scop, size)
                found = self.of(new)
            except isl.BudgetExhausted:
                raise
            except PolynbError:  # it has tiles that these do not fit into, or isl has no code
                continue
            gain = self._gain(found, now.estimate)
            if gain < 1:  # and so are larger ones
                break
            if gain > WORTH_TILING and self._gain(found, best.estimate) > 1:
                step = Tiled(tuple(s.name for s in new.statements), gain, size)
                best = now.then(new, found, step, partial(tile, sizes=size))
        return best

    def _in_registers(self, best: Ordered) -> Ordered:
        """With iterations of loops around the innermost one together in it, and as long as that may
        be expected to take."""
        now, parts = best, self.loops(best.scop)
        for number, band, around in reversed(list(bands_of_blocks(best.scop))):
            if all_bands(now.scop.schedule)[number] is not band:  # of one in it
                continue
            expected: dict[tuple[int, ...], tuple[Part, ...]] = {}
            for block in blocks(band):
                found = [together(p, [around + k for k in block], band.members) for p in parts]
                expected[block] = tuple(p for p in found if p is not None)
            costs = {b: self._estimate(p) for b, p in expected.items() if len(p) == len(parts)}
            worth = [b for b in costs if self._gain(costs[b], now.estimate) > WORTH_JAMMING]
            nearer = {b: costs[b].both * NEARER ** min(b) for b in worth}
            for block in sorted(worth, key=nearer.__getitem__)[:TRIED]:
                new = _legal_in_registers(now.scop, number, block)
                if new is not None:
                    names = loop_names(now.scop, band)
                    gain = self._gain(costs[block], now.estimate)
                    step = InRegisters(tuple(band.members), gain, tuple(names[k] for k in block))
                    move = partial(in_registers, number=number, block=block)
                    now = now.then(new, costs[block], step, move)
                    parts = expected[block]
                    break
        return now


def _in_other_names(found: Ordered, first: Scop, nest: Scop) -> Ordered:
    """What is decided of a nest as it is for another one that is alike."""
    if first is nest:
        return found
    names = dict(zip(first.by_name, nest.by_name, strict=True))
    scop = nest
    for move in found.moves:
        new = move(scop)
        assert new is not None, "nests that are alike have the same blocks"
        scop = new
    steps = tuple(
        replace(d, statements=tuple(names[n] for n in d.statements)) for d in found.decisions
    )
    return replace(found, scop=scop, decisions=steps)


def _legal_in_registers(scop: Scop, number: int, block: Seq[int]) -> Scop | None:
    with suppress(PolynbError), isl.budget(REGISTERS):
        new = in_registers(scop, number, block)
        return new if new is not None and keeps_values(scop, new) else None
    return None  # too hard


def outer_band(scop: Scop) -> Band | None:
    """The band of all statements of a nest, if its loops may be tiled."""
    tree = scop.schedule
    return tree if several_permutable(tree) and len(tree.members) == len(scop.by_name) else None


def in_waves(scop: Scop, band: Band, sizes: Seq[int]) -> Scop:
    """The program in the tiles of a band, and in its own order in each. A tile needs others that
    come before it in each direction, so that those of one sum of the first two are free."""
    first = f"floor(t0/{sizes[0]}) + floor(t1/{sizes[1]})"
    others = [f"{size}*floor(t{k}/{size})" for k, size in enumerate(sizes) if k]
    loops = (Loop(), *(Loop(width=size) for size in sizes[1:]))
    tiles = replace(mapped(band, [first, *others]), loops=loops, permutable=False)
    return with_schedule(scop, replace(tiles, child=scop.schedule))


def _joined(scop: Scop, parts: Seq[Ordered]) -> Ordered:
    """The program with each of its nests in another order."""
    return Ordered(
        in_one_program(scop, [p.scop.schedule for p in parts]),
        reduce(Estimate.plus, (p.estimate for p in parts)),
        tuple(d for p in parts for d in p.decisions),
    )


def surely(new: Estimate, before: Estimate) -> float:
    """How many times as fast an order is, in the mean of one thread and two, and of machines; where
    it is slower than before on some machine, that."""
    each = zip((new, *new.elsewhere()), (before, *before.elsewhere()), strict=True)
    gains = [old.both / own.both for own, old in each]
    return geometric_mean(gains) if min(gains) >= NO_LOSS else min(gains)


def _moved_in(order: tuple[int, ...], place: int) -> Iterator[tuple[int, ...]]:
    """An order of loops, and those with one that is around the loop at a place moved there."""
    yield order
    for k in reversed(range(place)):
        yield (*order[:k], *order[k + 1 : place + 1], order[k], *order[place + 1 :])


def _exchanged(scop: Scop, number: int, order: tuple[int, ...]) -> Scop:
    band = all_bands(scop.schedule)[number]
    return with_schedule(scop, replaced(scop.schedule, [(band, permuted(band, order))]))
