"""How long a program takes on a machine such as one has at hand: a model, in cycles.

Two times, of which the longer one counts most: that of the operations, of which vectors do several
at once where the innermost loop carries nothing that they break and goes along rows; and that of
the lines that cross each cache. A loop brings each line once into a cache if what one iteration
touches fits into it (what the next iteration needs again is still there then), and what its
iterations bring, each for itself, if not (as Carr, McKinley and Tseng count lines: ASPLOS'94).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import sqrt
from typing import Final

from polynb.codegen.affine_bounds import Affine
from polynb.optimising.chains import chain, row_of, shape
from polynb.optimising.counted import (
    CountedAccess,
    CountedLoop,
    CountedStatement,
    Part,
    work,
)
from polynb.optimising.machines import CACHES, OTHERS, Level
from polynb.optimising.traffic import LINE, Traffic, lines_of

VECTOR: Final = 32
"""Bytes of a vector: gcc prefers these to wider ones."""
AT_ONCE: Final = 3
"""Operations, of numbers or of vectors, that begin in one cycle."""
INSERTED: Final = 1.0
"""Cycles to bring a number of another line into a vector."""
NEAR: Final = 4
"""Cells from one to the next that are picked out of whole vectors instead: as many operations."""
ENTRY: Final = 5
"""Cycles to come into a loop and out again; a mispredicted branch, at times."""
TRUSTED: Final = 0.8
"""The share of the counted work that an estimate is corrected to at least: where more than that is
counted in excess, code is there several times, and trip counts are no more wrong than else."""
STRIP: Final = 64
"""Iterations of a loop that another one cell is mostly not among."""
WAKING: Final = 15_000.0
"""Cycles to wake the threads, and to wait for the last one."""
SPEEDUP: Final = 1.8
"""Of two threads on a loop: they share the memory, and more."""


@dataclass(frozen=True)
class Estimate:
    """Cycles on one thread, and on two; those of the `operations` alone, on one thread, as if all
    were in a cache; and what they are `elsewhere`, on other machines (`machines.OTHERS`), which is
    only computed if somebody asks, and not kept in a pickle."""

    alone: float
    together: float
    operations: float = 1.0
    elsewhere: Callable[[], tuple[Estimate, ...]] = field(default=tuple, compare=False, repr=False)

    def __reduce__(self) -> tuple[type[Estimate], tuple[float, float, float]]:
        return Estimate, (self.alone, self.together, self.operations)

    @property
    def both(self) -> float:
        """What to compare by: the geometric mean."""
        return sqrt(self.alone * self.together)

    def gain(self, before: Estimate) -> float:
        """How many times as fast it is, on one thread and on two: the less of both."""
        return min(before.alone / self.alone, before.together / self.together)

    def gains_elsewhere(self, before: Estimate) -> dict[str, float]:
        """And that on other machines, by what they are called."""
        each = zip(OTHERS, self.elsewhere(), before.elsewhere(), strict=True)
        return {name: new.gain(old) for name, new, old in each}

    def plus(self, other: Estimate) -> Estimate:
        def elsewhere() -> tuple[Estimate, ...]:
            each = zip(self.elsewhere(), other.elsewhere(), strict=True)
            return tuple(a.plus(b) for a, b in each)

        alone, together = self.alone + other.alone, self.together + other.together
        return Estimate(alone, together, self.operations + other.operations, elsewhere)


def estimate(
    parts: Sequence[Part],
    written: Mapping[str, float] | None = None,
    footprint: float | None = None,
) -> Estimate:
    """How long the loops of a program take (`nests.nests`).

    `written`: the work of each statement as it is written (`nests.work`). Where an order seems to
    do more or less, that is an error of its trip counts, which are those of loops in the middle of
    others: the estimate is corrected by as much. (Conditions in innermost loops are no such error:
    what they decide of seldom runs, but they are asked each time.)

    `footprint`: the lines of all that the program touches, of which these loops may be a part. What
    is more than a cache holds has left it before a nest begins.
    """
    whole = lines_of(parts) if footprint is None else footprint
    right = _right(parts, written) if written else 1.0
    each = [(_computed(p), Traffic(p)) for p in parts]

    def on(caches: Iterable[Level]) -> Estimate:
        levels = [level for level in caches if whole * LINE > level[0]]
        alone = together = 1.0  # of a program that does nothing
        for own, traffic in each:
            cycles = _cycles(own.cycles, traffic, levels)
            alone += cycles
            split = cycles * (1 - own.shared + own.shared / SPEEDUP)
            together += min(cycles, split + own.runs * WAKING)
        operations = 1.0 + sum(own.cycles for own, _ in each)
        return Estimate(alone * right, together * right, operations * right)

    return replace(on(CACHES), elsewhere=cache(lambda: tuple(map(on, OTHERS.values()))))


def _right(parts: Sequence[Part], written: Mapping[str, float]) -> float:
    """What the counted work of the statement that has the most is to be multiplied by. Where
    nothing but conditions in innermost loops say which of its copies runs, no less than is counted:
    all of them are asked."""
    seen, sure = work(parts), work(parts, asked=False)
    most = max(seen, key=lambda n: written.get(n, 0.0), default="")
    if not written.get(most):
        return 1.0
    right = written[most] / sure[most] if sure.get(most) else max(1.0, written[most] / seen[most])
    return max(right, TRUSTED)


def _cycles(computed: float, traffic: Traffic, levels: Iterable[Level]) -> float:
    moved = 0.0
    for capacity, along, across in levels:
        rows, columns = traffic.brought(capacity)
        moved += along * rows + across * columns
    return max(computed, moved) + 0.2 * min(computed, moved)


# -- operations ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Computed:
    """Cycles of operations, the share of them that is in loops which threads can share, and how
    often these are woken for it: by the outermost such loops that are worth it."""

    cycles: float
    shared: float = 0.0
    runs: float = 0.0


def _computed(part: Part) -> _Computed:
    if isinstance(part, CountedStatement):
        return _Computed(_issued([part], lambda _: False))
    entry, inside = ENTRY + part.bounds, []
    if part.innermost:
        cycles = entry + _innermost(part)
    else:
        inside = [_computed(p) for p in part.body]
        cycles = entry + part.trips * (1.0 + sum(x.cycles for x in inside))
    if part.free:
        return _Computed(cycles, 1.0, 1.0) if cycles > 2 * WAKING else _Computed(cycles)
    if not inside:
        return _Computed(cycles)
    shared = sum(x.cycles * x.shared for x in inside) / sum(x.cycles for x in inside)
    return _Computed(cycles, shared, part.trips * sum(x.runs for x in inside))


def _innermost(loop: CountedLoop) -> float:
    runs = [x for x in loop.body if isinstance(x, CountedStatement)]
    width = VECTOR // max(r.size for x in runs for r in x.references)
    gathered = _gathered(loop, runs, width)
    scalar = _issued(runs, _stays(loop, runs, vectors=gathered is not None))
    one = scalar + 0.5 if loop.free else max(scalar + 0.5, chain(loop, runs))
    if gathered is None:
        return loop.trips * one
    rest = min(loop.trips, (width - 1) / 2)
    whole = scalar / width + gathered
    vectors = (loop.trips - rest) * whole + rest * scalar + ENTRY
    return min(vectors, loop.trips * one) if gathered else vectors


def _issued(runs: Sequence[CountedStatement], before: Callable[[CountedAccess], bool]) -> float:
    """Cycles for the operations of an iteration, loads and stores among them, but for those of
    cells that are loaded `before` the loop, and stored after it."""
    operations = sum(x.operations + x.addressing for x in runs)
    return (operations + _moved(runs, before)) / AT_ONCE + sum(x.asked for x in runs)


def _stays(
    loop: CountedLoop, runs: Sequence[CountedStatement], vectors: bool
) -> Callable[[CountedAccess], bool]:
    """Whether a cell is in a register as long as a loop runs: it is the same in each iteration, and
    what else of its array is stored to in it is known to be another cell. That it is, in `vectors`;
    without them, where all that is stored of the array stays, too, and is in the cell's own row."""
    stored = [r for x in runs for r in x.references if r.written]
    changed = {r.array for r in stored if r.stride(loop.iterator) != 0}
    rows: dict[str, set[object]] = {}
    for r in stored:
        rows.setdefault(r.array, set()).add(row_of(r))

    def stays(r: CountedAccess) -> bool:
        if r.stride(loop.iterator) != 0:
            return False
        return vectors or (r.array not in changed and rows.get(r.array, {row_of(r)}) == {row_of(r)})

    return stays


def _moved(runs: Sequence[CountedStatement], before: Callable[[CountedAccess], bool]) -> int:
    """Loads and stores of an iteration. A cell is in a register from when it is loaded or stored
    until another row of its array is stored to, which, to a compiler, may be the same one; not so
    if it is converted: to take it out of what was stored takes as long as to load it."""
    moved = 0
    held: dict[str, set[tuple[Affine | None, ...]]] = {}
    stored: dict[str, tuple[Affine | None, ...]] = {}
    for x in runs:
        target, *reads = x.references
        widest = max(r.size for r in x.references)
        for r in reads:
            known = held.setdefault(r.array, set())
            if (r.forms not in known or r.size < widest) and not before(r):
                moved += 1
                stored.pop(r.array, None)
            known.add(r.forms)
        if stored.get(target.array) != target.forms:
            moved += not before(target)
        stored[target.array] = target.forms
        known = held.get(target.array, set())
        held[target.array] = {f for f in known if f[:-1] == target.forms[:-1]} | {target.forms}
    return moved


def _gathered(loop: CountedLoop, runs: Sequence[CountedStatement], width: int) -> float | None:
    """Cycles for which a compiler that makes vectors of a loop, of so many numbers, brings together
    those of one; None where it makes none."""
    if any(x.asked for x in runs) or not (
        loop.free or (loop.ahead and _at_distances(runs)) or _apart(loop, runs)
    ):
        return None
    strides = {(r.array, r.forms, r.written): r.stride(loop.iterator)
               for x in runs for r in x.references}  # fmt: skip
    apart = [written for (_, _, written), s in strides.items() if s is None or abs(s) > 1]
    if any(apart):
        return None
    far = [s for s in strides.values() if s is None or abs(s) > NEAR]
    near = [abs(s) for s in strides.values() if s is not None and 1 < abs(s) <= NEAR]
    return len(far) * INSERTED + sum(near) / width / AT_ONCE


def _at_distances(runs: Sequence[CountedStatement]) -> bool:
    """Whether a compiler knows how far what is read is from what is written."""
    written = {r.array: shape(r) for x in runs for r in x.references if r.written}
    return all(shape(r) == written.get(r.array, shape(r)) for x in runs for r in x.references)


def _apart(loop: CountedLoop, runs: Sequence[CountedStatement]) -> bool:
    """Whether a compiler's test at run time finds, mostly, that a loop carries nothing: of an array
    that it writes it reads what it writes, the same place of other rows, or one cell of another
    row; or one of the row, if it is a short one, which the cell is not in."""
    written = {r.array: r for x in runs for r in x.references if r.written}
    return all(
        (r.stride(loop.iterator) != 0) if r.written else _beside(r, written.get(r.array), loop)
        for x in runs
        for r in x.references
    )


def _beside(read: CountedAccess, written: CountedAccess | None, loop: CountedLoop) -> bool:
    if written is None or read.forms[-1:] == written.forms[-1:]:
        return True
    other = read.forms[:-1] != written.forms[:-1]
    return read.stride(loop.iterator) == 0 and (other or loop.trips <= STRIP)
