"""What would make an illegal move legal: single moves in front of it, tried one after the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from polynb import isl, moves
from polynb.errors import PolynbError
from polynb.moves import Move, named_loops
from polynb.moves.loops import bare, unique_name
from polynb.scop.model import Scop
from polynb.violations.judging import MoveVerdict
from polynb.violations.moving import State, moved

OPERATIONS: Final = 5_000_000
"""How much isl may compute for a search, some seconds: of the gallery's programs, all that is found
in 13 million operations takes less than 4. (Not a time: a busy machine says the same.)"""
MOST: Final = 2
"""So many ways are enough."""
TURNED: Final = moves.Interchange, moves.Tile, moves.UnrollAndJam, moves.Reverse, moves.Skew
"""Moves that another direction of a loop may help."""


def ways(state: State, move: Move, verdict: MoveVerdict) -> tuple[Move, ...]:
    """Moves of which each makes another one legal that is not, if it is made right before."""
    moves: list[Move] = []
    try:
        with isl.budget(OPERATIONS):
            for first in candidates(state.program, move, verdict):
                try:
                    there, legal = moved(state, first)
                    if legal and moved(there, move)[1]:
                        moves.append(first)
                except isl.BudgetExhausted:
                    raise
                except PolynbError:
                    continue
                if len(moves) == MOST:
                    break
    except isl.BudgetExhausted:
        pass
    return tuple(moves)


def candidates(scop: Scop, move: Move, verdict: MoveVerdict) -> Iterator[Move]:
    """Moves that may help, the likeliest first."""
    temporaries = [a for a in verdict.arrays if a in scop.temporaries]
    if verdict.carried:
        yield from map(moves.Privatize, temporaries)
    yield from map(moves.Expand, temporaries)
    if isinstance(move, moves.Fuse):
        yield from _aligned(scop, move)
    if isinstance(move, TURNED):
        yield from _turned(scop, move)


def _turned(scop: Scop, move: Move) -> Iterator[Move]:
    """Other directions for the loops of the nests that a move is about."""
    every = named_loops(scop)
    named = _loops_of(move)
    said = [x for x in every if x.name in named]
    nest = [x for x in every
            if x in said or any(x.is_around(y) or y.is_around(x) for y in said)]  # fmt: skip
    pairs = [(a, b) for b in nest for a in reversed(nest) if a.is_around(b)]
    # The budget may suffice for a few only: those of two loops that the move is about come first.
    pairs.sort(key=lambda p: sum(x not in said for x in p))
    for factor in (1, -1, 2):
        for outer, inner in pairs:
            yield moves.Skew(unique_name(inner, every), outer.name, factor)
    for x in nest:
        turned = moves.Reverse(unique_name(x, every))
        if turned != move:
            yield turned


def _aligned(scop: Scop, move: moves.Fuse) -> Iterator[Move]:
    """The second nest a few iterations later, or the other way round."""
    last = [s.name for s in scop.statements][1:]
    names = [move.second] if move.second and move.second in scop.by_name else last
    every = named_loops(scop)
    for name in names:
        around = [x for x in every if name in x.statements]
        for amount in (1, 2, -1):
            for k in range(len(around)):
                yield moves.Shift(name, (*(0 for _ in range(k)), amount))
        if len(around) > 1:
            yield moves.Shift(name, (1,) * len(around))
            for a, b in itertools.combinations(around, 2):
                yield moves.Interchange(unique_name(a, every), unique_name(b, every))
    for x in every:
        if any(n in x.statements for n in names):
            yield moves.Reverse(unique_name(x, every))


def _loops_of(move: Move) -> set[str]:
    """What the loops that a move names are called."""
    words = (w for value in vars(move).values()
             for w in (value if isinstance(value, tuple) else (value,)))  # fmt: skip
    return {bare(w) for w in words if isinstance(w, str)}
