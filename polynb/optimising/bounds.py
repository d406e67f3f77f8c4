"""What no order of some loops is faster than, by the model: a nest that is as fast need not be
looked at in any other order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from polynb.optimising.estimate import (
    AT_ONCE,
    CACHES,
    LINE,
    SPEEDUP,
    VECTOR,
    WAKING,
    Estimate,
    brought,
)
from polynb.optimising.nests import CountedStatement, Part


def least(parts: Sequence[Part]) -> Estimate:
    """Each line comes once into each cache, along rows; each operation is one of vectors where some
    loop allows it; and threads share all of it."""
    lines = [sum(brought(p, inf)) for p in parts]
    alone = 1.0
    for part, own in zip(parts, lines, strict=True):
        moved = sum(own * along for size, along, _ in CACHES if sum(lines) * LINE > size)
        computed = sum(_computed(part, 1.0, ()))
        alone += max(computed, moved) + 0.2 * min(computed, moved)
    return Estimate(alone, min(alone, alone / SPEEDUP + WAKING))


def _computed(part: Part, times: float, around: tuple[str, ...]) -> Iterator[float]:
    """Cycles of the operations of each statement, with the loops `around` in any order."""
    if not isinstance(part, CountedStatement):
        for p in part.body:
            yield from _computed(p, times * part.trips, (*around, part.iterator))
    elif part.guarded or not any(_along(part, i) for i in around):
        yield times * (part.operations / AT_ONCE + part.guarded)
    else:
        yield times * part.operations / AT_ONCE / (VECTOR // max(r.size for r in part.references))


def _along(run: CountedStatement, iterator: str) -> bool:
    """Whether all that a statement reads and writes is side by side in a loop, or one cell."""
    strides: Iterable[float | None] = (r.stride(iterator) for r in run.references)
    return all(s is not None and abs(s) <= 1 for s in strides)
