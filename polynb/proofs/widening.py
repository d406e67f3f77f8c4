"""Guesses at all that a recurrence will ask for, from the first rounds.

A relation between instances, `{ S[i] -> T[j] }`, that comes up again with other pairs in each round
is replaced by a larger one, of which one more round asks nothing new. A guess may be wrong: what is
proved with it is proved, what is not with one guess may be with another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from polynb import isl

Widening = Callable[[isl.Map, isl.Map, isl.Map], isl.Map]
"""What is guessed of what was asked for before this round, in the round before, and in this one."""

ROUNDS: Final = 12


def affine_hull(known: isl.Map, last: isl.Map, new: isl.Map) -> isl.Map:
    """All that satisfies the equations that hold so far."""
    return known.union(new).affine_hull().to_map()


def _translations(known: isl.Map, last: isl.Map, new: isl.Map) -> isl.Map:
    """If this round is the one before, moved: all that further moves reach."""
    so_far = known.union(new)
    move = _move(last, new)
    if move is None:
        return so_far
    flat = isl.Set.universe(so_far.wrap().get_space()).flatten_map()
    reached = so_far.wrap().apply(flat).apply(_moved(move, "t >= 0"))
    return reached.apply(flat.reverse()).unwrap()


def simple_hull(known: isl.Map, last: isl.Map, new: isl.Map) -> isl.Map:
    """All that satisfies the bounds, of those that are written, that hold so far."""
    return known.union(new).simple_hull().to_map()


def exactly(known: isl.Map, last: isl.Map, new: isl.Map) -> isl.Map:
    """Nothing but what was asked for."""
    return known.union(new)


STRATEGIES: Final[tuple[tuple[Widening, bool], ...]] = (
    (affine_hull, True),
    (affine_hull, False),
    (_translations, False),
    (simple_hull, False),
    (exactly, False),
)
"""What is tried, one after the other; and whether relations of many pieces are guessed as well."""


def _move(last: isl.Map, new: isl.Map) -> tuple[int, ...] | None:
    """How far a relation is another one, moved; None if it is not."""
    pair = isl.witness_pair(new)
    if pair is None:
        return None
    values = pair[0]
    ends = [isl.first_point(m.wrap().flatten(), values) for m in (last, new)]
    if ends[0] is None or ends[1] is None:
        return None
    move = tuple(b - a for a, b in zip(ends[0], ends[1], strict=True))
    there = last.wrap().flatten().apply(_moved(move, "t = 1"))
    return move if any(move) and new.wrap().flatten().is_subset(there) else None


def _moved(move: tuple[int, ...], times: str) -> isl.Map:
    """`{ [x] -> [x + t * move] : times }`"""
    names = [f"x{k}" for k in range(len(move))]
    there = [f"{n} + {m} t" if m else n for n, m in zip(names, move, strict=True)]
    equations = [f"y{k} = {e}" for k, e in enumerate(there)]
    target = [f"y{k}" for k in range(len(move))]
    return isl.read_map(
        f"{{ [{', '.join(names)}] -> [{', '.join(target)}] : exists t : {times} and "
        f"{' and '.join(equations)} }}"
    )
