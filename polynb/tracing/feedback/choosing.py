"""Values that are known from the iterators, but of which data choose the one that is read.

`if (b[i] > 3) found = 1;` writes a constant, whatever the iteration; which iteration's write a
later one reads depends on `b`. So such a flow stays, though its producer is an induction variable.
"""

from __future__ import annotations

from collections.abc import Container

from polynb.folding import Folded
from polynb.tracing.feedback.loops import common_loops
from polynb.tracing.model import Folding

Pair = tuple[str, str]


def chosen_flow(folding: Folding, known: Container[str]) -> frozenset[Pair]:
    """The dependences of `known` variables, also into conditions, that lead from one iteration to
    another of a loop in which a condition on other values decides whether the variable is
    written."""
    every = {**folding.dependences, **folding.control}
    found: frozenset[Pair] = frozenset()
    while True:
        asking = {c for s, c in folding.control if s not in known or (s, c) in found}
        more = {
            pair
            for pair, folded in every.items()
            if pair[0] in known and _crosses(folding, pair, folded, asking)
        }
        if more <= found:
            return found
        found |= more


def _crosses(folding: Folding, pair: Pair, folded: Folded, asking: Container[str]) -> bool:
    producer = folding.instructions[pair[0]]
    depth = max((d for c, d in producer.under if c in asking), default=0)
    if not depth:
        return False
    consumer = folding.instructions.get(pair[1]) or folding.conditions[pair[1]]
    depth = min(depth, common_loops(folding, producer, consumer))
    return any(
        label.constant or any(x != (k == q) for k, x in enumerate(label.coefficients))
        for piece in folded.pieces
        for q, label in enumerate(piece.labels[:depth])
    )
