"""Induction variables, and the dependences that go with them (TACO'19, section 4.3)."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from polynb import isl
from polynb.folding import Folded
from polynb.tracing.feedback.cells import known_inside
from polynb.tracing.feedback.closed import Closed, bare, leaping
from polynb.tracing.feedback.known import InductionVariable, Pruned, RemovedDependence
from polynb.tracing.feedback.loops import common_loops
from polynb.tracing.feedback.overapproximation import MOST_PIECES
from polynb.tracing.feedback.stepping import counters, multiples, unstepped
from polynb.tracing.model import Folding, Pair
from polynb.tracing.records import Instruction

STEPS: Final = "what its loop began with, and so many steps"
TIMES: Final = "what its loop began with, multiplied so many times"


def induction_variables(folding: Folding) -> dict[str, InductionVariable]:
    """The integer computations (and moves of integers) of which no coefficient is ⊤, and whose
    values come from the iterators, not from memory.

    The paper asks for the coefficients only. But a sum of cells that happen to hold ones is affine,
    too, and so is every value that stands alone in its piece: see `_unfounded`.
    """
    found = {}
    for name, i in folding.instructions.items():
        folded = folding.executed.get(name)
        if i.counts:
            found[name] = InductionVariable(i, ("what counts a loop",))
        if i.kind not in ("integer", "move") or i.outputs != ("value",) or folded is None:
            continue
        if i.gives and i.loops:
            continue  # mostly as far from the one before as that from its own, and no formula
        within = 0 if folded.is_affine else len(i.loops)
        if folded.pieces and (folded.is_affine or (within and known_inside(folded, within - 1))):
            texts = dict.fromkeys(folded.label_text(p) for p in folded.pieces)
            found[name] = InductionVariable(i, tuple(texts), within)
    begun = {i.name: InductionVariable(i, (STEPS,), len(i.loops)) for i in counters(folding)}
    times = {i.name: InductionVariable(i, (TIMES,), q) for i, q in multiples(folding)}
    found, begun = {**begun, **found, **times}, {**begun, **times}
    while wrong := [
        *(n for n in found if n not in begun and _is_unfounded(folding, n, found)),
        *{b for _, b in chosen_flow(folding, found) if b in found},
        *unstepped(folding, found, begun),
    ]:
        for name in dict.fromkeys(wrong):
            del found[name]
    return found


def _is_unfounded(folding: Folding, name: str, known: Container[str]) -> bool:
    if folding.instructions[name].counts:  # no values were seen but where they are read
        written = folding.executed[name].entries
        read = [(b, f) for (a, b), f in folding.dependences.items() if a == name]
        every = any(b in known and f.entries == written for b, f in read)
        return not every and any(b not in known for b, _ in read)
    return _unfounded(folding, name, known)


@isl.guarded
def _unfounded(folding: Folding, name: str, known: Container[str]) -> bool:
    """Whether an instruction is affine by chance only: what it takes of its own instance before
    lies in another piece, so that no function holds for both; or the same instances take a value
    that is not known from the iterators, or one that the same loop made. (A counter may begin with
    one that was made before its loop, `k = row[i]`.)"""
    if len(folding.executed[name].pieces) > MOST_PIECES:
        return True  # if it is one, that would take too long to see
    into = {a: f for (a, b), f in folding.dependences.items() if b == name and f.pieces}
    if name in into and not _own(into[name], folding.executed[name]).is_subset(
        _within(folding.executed[name])
    ):
        return True
    i = folding.instructions[name]
    if any(_in_its_loop(folding, a, i) for a in into if a not in known):
        return True
    if not folding.executed[name].is_affine:
        return False  # it is only known within that loop
    own = [f.domain for a, f in into.items() if a in known]
    taken = [f.domain for a, f in into.items() if a not in known]
    return bool(taken) and (
        not own or any(not a.intersect(b).is_empty() for a in own for b in taken)
    )


def _in_its_loop(folding: Folding, name: str, i: Instruction) -> bool:
    """Whether an instruction is in the innermost loop around another."""
    depth = len(i.loops)
    return depth > 0 and common_loops(folding, folding.instructions[name], i) == depth


def _own(flow: Folded, folded: Folded) -> isl.Map:
    """The pairs of a flow from an instruction to itself; where a ⊤ is, all that may be."""
    return flow.relation.intersect_range(bare(folded.domain))


def _within(folded: Folded) -> isl.Map:
    """The pairs of instances in the same piece, `{ [cj, ck] -> [cj', ck'] }`."""
    domains = (p.domain(folded.stream.dimensions) for p in folded.pieces)
    return isl.united(isl.Map.from_domain_and_range(d, d) for d in domains)


def pruned(folding: Folding, keep: Container[str] = ()) -> Pruned:
    """All dependences but those that begin or end at an induction variable (but for those in
    `keep`).

    The paper's two reasons: an induction variable needs its value of the iteration before, which
    alone makes a loop sequential; and the scheduler has less to do.
    """
    variables = {n: v for n, v in induction_variables(folding).items() if n not in keep}
    wrapped = Closed(folding, variables).wrapped()
    chosen = chosen_flow(folding, variables) | wrapped.keys()
    kept, removed = {}, []
    for pair, folded in folding.dependences.items():
        at = next((name for name in pair if name in variables), None)
        if at is None or pair in chosen:
            kept[pair] = folded
        else:
            removed.append(RemovedDependence(*pair, at))
    return Pruned(variables, kept, tuple(removed), chosen, wrapped)


# -- values that are known from the iterators, but of which data choose the one that is read ------
#
# `if (b[i] > 3) found = 1;` writes a constant, whatever the iteration; which iteration's write a
# later one reads depends on `b`. So such a flow stays, though its producer is an induction
# variable.


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
    return any(True for piece in folded.pieces for _ in leaping(piece, depth))
