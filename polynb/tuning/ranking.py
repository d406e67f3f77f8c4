"""Which of the programs that a search timed is the best: what is faster for sure, and no luck."""

from __future__ import annotations

from collections.abc import Iterable

from polynb.tuning.results import Row, interval_of, lower_end
from polynb.tuning.space import AS_IT_IS


def fastest(rows: Iterable[Row], again: frozenset[str]) -> Row | None:
    """The one that is worth most, the first of several, where some were timed `again`, of those;
    None if none could be timed."""
    there = (r for r in rows if r.error is None and counting(r, again))
    return max(there, key=worth, default=None)


def counting(row: Row, again: frozenset[str]) -> bool:
    """Whether a row may be the best one: of many that were timed once, one was lucky, and what was
    timed again, and became slower by it, shall not give way to that."""
    return not again or row.name == AS_IT_IS or row.name in again


def worth(row: Row) -> float:
    """How many times faster than the program a row is for sure. That is once as fast as itself:
    what may be slower comes after it, and so does what is faster by no more than the program was
    found to differ from itself, which is how far off a ratio is here."""
    if row.name != AS_IT_IS or row.error is not None:
        return lower_end(row)
    low, high = interval_of(row) or (1.0, 1.0)
    return max(1.0, low, 1 / high)
