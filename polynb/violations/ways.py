"""What would make an illegal move legal: single moves in front of it, tried one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from polynb.schedules.moves.loops import NamedLoop, named_loops, unique_name
from polynb.scop.model import Scop
from polynb.violations.judging import MoveVerdict
from polynb.violations.moves import Move

OPERATIONS: Final = 5_000_000
"""How much isl may compute for a search, some seconds: of the gallery's programs, all that is found
in 13 million operations takes less than 4. (Not a time: a busy machine says the same.)"""
MOST: Final = 2
"""So many ways are enough."""


def candidates(scop: Scop, move: Move, verdict: MoveVerdict) -> Iterator[Move]:
    """Moves that may help, the likeliest first."""
    temporaries = [a for a in verdict.arrays if a in scop.temporaries]
    for array in temporaries if verdict.carried else ():
        yield Move("privatize", {"array": array})
    for array in temporaries:
        yield Move("expand", {"array": array})
    match move.name:
        case "fuse":
            yield from _aligned(scop, move)
        case "interchange" | "tile" | "unroll-and-jam" | "reverse" | "skew":
            yield from _turned(scop, move)


def _turned(scop: Scop, move: Move) -> Iterator[Move]:
    """Other directions for the loops of the nests that a move is about."""
    every = named_loops(scop)
    said = [x for x in every if x.name in _loops_of(move)]
    nest = [x for x in every
            if any(x.is_same(y) or x.is_around(y) or y.is_around(x) for y in said)]  # fmt: skip
    pairs = [(a, b) for b in nest for a in reversed(nest) if a.is_around(b)]
    # The budget may suffice for a few only: those of two loops that the move is about come first.
    pairs.sort(key=lambda p: -sum(any(x.is_same(y) for y in said) for x in p))
    for factor in (1, -1, 2):
        for outer, inner in pairs:
            arguments = {"loop": unique_name(inner, every), "by": outer.name, "factor": factor}
            yield Move("skew", arguments)
    for x in nest:
        found = Move("reverse", {"loop": unique_name(x, every)})
        if found != move:
            yield found


def _aligned(scop: Scop, move: Move) -> Iterator[Move]:
    """The second nest a few iterations later, or the other way round."""
    last = [s.name for s in scop.statements][1:]
    second = move.arguments.get("second")
    names = [second] if second in scop.by_name else last
    for name in names:
        depth = sum(name in x.statements for x in named_loops(scop))
        for amount in (1, 2, -1):
            for k in range(depth):
                by = (*(0 for _ in range(k)), amount)
                yield Move("shift", {"statement": name, "amounts": by})
        if depth > 1:
            yield Move("shift", {"statement": name, "amounts": (1,) * depth})
            for a, b in _pairs([x for x in named_loops(scop) if name in x.statements]):
                every = named_loops(scop)
                yield Move(
                    "interchange", {"first": unique_name(a, every), "second": unique_name(b, every)}
                )
    for x in named_loops(scop):
        if any(n in x.statements for n in names):
            yield Move("reverse", {"loop": unique_name(x, named_loops(scop))})


def _pairs(loops: list[NamedLoop]) -> Iterator[tuple[NamedLoop, NamedLoop]]:
    for k, a in enumerate(loops):
        for b in loops[k + 1 :]:
            yield a, b


def _loops_of(move: Move) -> set[str]:
    found = []
    for key in ("first", "second", "loop", "by"):
        if isinstance(move.arguments.get(key), str):
            found.append(move.arguments[key])
    found += move.arguments.get("loops", ())
    return {n.rpartition(".")[2].partition(":")[0] for n in found}
