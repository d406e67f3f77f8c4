"""The loop nests of a traced program by the operations they ran, and what carries dependences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.folding import Folded, FoldedPiece
from polynb.tracing.feedback.chance import met_by_chance
from polynb.tracing.feedback.induction import pruned
from polynb.tracing.feedback.known import Pruned
from polynb.tracing.feedback.loops import loop_tree, shared
from polynb.tracing.feedback.overwriting import left_by
from polynb.tracing.feedback.strides import iterated
from polynb.tracing.model import Folding
from polynb.tracing.records import CallSite, Instruction, LoopOf

SECONDS: Final = 60.0
"""To see which loops carry nothing."""


@dataclass(frozen=True)
class Nest:
    """The accesses inside the same loops in the same calling context.

    `entries` is how often they ran, `affine` the share of it whose addresses are affine, `carried`
    the loops that carry a flow dependence between accesses that they contain, or may.
    """

    loops: tuple[LoopOf, ...]
    place: tuple[CallSite, ...]
    instructions: tuple[Instruction, ...]
    entries: int
    affine: float
    carried: frozenset[str]
    iterated: frozenset[str]

    @property
    def function(self) -> str:
        return self.instructions[0].function

    @property
    def free(self) -> tuple[str, ...]:
        """The loops that carry nothing, of which all was seen, and more than one iteration."""
        seen = (o for o in self.loops if o.name in self.iterated and not (o.unseen or o.unsure))
        return tuple(o.name for o in seen if o.name not in self.carried)


def nests(folding: Folding) -> list[Nest]:
    """The nests, those that ran most operations first."""
    loops = {loop.name: loop for loop in folding.loops}
    carried = carried_loops(folding)
    again = {
        name
        for i in folding.instructions.values()
        for q, name in enumerate(i.loops)
        if iterated(loops[name], i, folding.executed[i.name], q)
    }
    groups: dict[tuple[object, ...], list[Instruction]] = {}
    for instruction in folding.instructions.values():
        key = (instruction.loops, instruction.place, instruction.function)
        groups.setdefault(key, []).append(instruction)
    found = []
    for group in groups.values():
        streams = [folding.executed[i.name] for i in group]
        entries = sum(s.entries for s in streams)
        found.append(
            Nest(
                tuple(loops[name] for name in group[0].loops),
                group[0].place,
                tuple(group),
                entries,
                sum(s.affine * s.entries for s in streams) / max(entries, 1),
                frozenset(carried & set(group[0].loops)),
                frozenset(again & set(group[0].loops)),
            )
        )
    return sorted(found, key=lambda nest: -nest.entries)


def carried_loops(folding: Folding) -> set[str]:
    """The loops that carry a flow dependence, or an output dependence on what is read after them:
    from one iteration to a later one of the same execution of the loop; and those that may with
    other data. Where a label is not affine, all
    loops that it may be are told; so are those around calls of which nothing is known, and all
    loops where that takes too long to see.

    Of induction variables, and of chance, it is what `feedback` says."""
    if folding.run.unseen:
        return {loop.name for loop in folding.loops}
    try:
        with isl.budget(seconds=SECONDS, doing="what loops carry"):
            known = pruned(folding)
            carried = _by_flow(folding, known)
            return carried | _by_chance(folding, known, carried)
    except isl.BudgetExhausted:
        return {loop.name for loop in folding.loops}


def _by_flow(folding: Folding, known: Pruned) -> set[str]:
    found: set[str] = set()
    for i in folding.instructions.values():
        if i.kind == "call" or folding.executed[i.name].rejected:
            found |= {*i.loops}
    for (producer, consumer), folded in known.kept.items():
        ours, theirs = (folding.instructions[n].loops for n in (consumer, producer))
        common = shared(ours, theirs)
        found |= {*ours[:common]} if folded.rejected else set()
        if (seen := folding.crossed.get((producer, consumer))) is not None:
            found |= {ours[q] for q in range(common) if seen >> q & 1}
            continue
        for piece in folded.pieces:
            found |= {ours[q] for q in carrying(piece, common)}
    return found


def _by_chance(folding: Folding, known: Pruned, carried: set[str]) -> set[str]:
    asked = (
        node
        for root in loop_tree(folding)
        for node in root.walk()
        if not (node.loop.name in carried or node.loop.unseen or node.loop.unsure)
    )
    return {
        node.loop.name
        for node in asked
        if met_by_chance(folding, node, known)
        or (left := left_by(folding, node, known)).lost
        or left.chance
    }


def carrying(piece: FoldedPiece, shared: int) -> Iterator[int]:
    """The dimensions that may carry a piece's dependence: of each instance, the first in which
    consumer and producer differ. Affine functions that are equal at all vertices are equal."""
    for q in range(shared):
        low, high = distance(piece, q)
        if high is None or high > 0:
            yield q
        if low is not None and low > 0:
            return


def distance(piece: FoldedPiece, q: int) -> tuple[int | None, int | None]:
    """The least and the largest distance between consumer and producer in a dimension (None:
    not known)."""
    label = piece.labels[q]
    if piece.approximate or not label.is_affine:
        return None, None
    over = [vertex[q] - label(vertex) for vertex in piece.vertices]
    return min(over), max(over)


def distances(folded: Folded, shared: int) -> str:
    """`(0, 1)`: how many iterations later the consumer is, in each shared loop; `*` where it is
    not known, `1..3` where it varies."""
    texts = []
    for q in range(shared):
        pairs = [distance(piece, q) for piece in folded.pieces]
        lows, highs = [p[0] for p in pairs], [p[1] for p in pairs]
        if any(n is None for n in (*lows, *highs)):
            texts.append("*")
            continue
        low, high = min(n for n in lows if n is not None), max(n for n in highs if n is not None)
        texts.append(str(low) if low == high else f"{low}..{high}")
    return f"({', '.join(texts)})"


def short(function: str) -> str:
    """A C++ function without its parameters."""
    return function if len(function) <= 40 else function.partition("(")[0][-40:]
