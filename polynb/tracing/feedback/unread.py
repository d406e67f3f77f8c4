"""What a loop leaves in memory, and is read on ways that a run did not take."""

from __future__ import annotations

import re
from typing import Final

from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.overapproximation import MOST_PIECES
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction, Unread

DIRECT: Final = re.compile(r"(\w+)(?!.*->)[\w\s.\[\]()+*/%&|^<>=-]*")
"""What is in a variable itself, as it is written: `x`, `x[i].y`; no `*p`, nor `p->x`."""


def unread_of(folding: Folding, node: LoopNode, store: Instruction) -> Unread | None:
    """A read that did not run, and may find what a loop's store left: one that names its variable
    where there is one, before one by a pointer."""
    if store.kind != "store" or store.state or store.counts or node.loop.name in store.fresh:
        return None
    if not folding.unread:
        return None
    names, met = _variables(folding, store), has_met(folding, node, store)
    reads = (u for u in folding.unread if met or u.variable)
    found = [u for u in reads if _may_find(folding, node, store, names, u)]
    return min(found, key=lambda u: not u.variable, default=None)


def has_met(folding: Folding, node: LoopNode, store: Instruction) -> bool:
    """Whether it was seen to write over what another iteration of a loop had written."""
    return bool(folding.met.get(store.name, 0) >> node.depth & 1)


def _may_find(
    folding: Folding, node: LoopNode, store: Instruction, names: set[str], u: Unread
) -> bool:
    if u.since > node.loop.line:
        return False  # each iteration makes it anew
    if u.function and store.function == u.function != node.loop.function:
        return False  # each call does
    if not u.variable:
        return "" in names or bool(names & folding.lent)
    return u.variable in names or ("" in names and u.variable in folding.lent)


def _variables(folding: Folding, store: Instruction) -> set[str]:
    """The variables that a store was seen in, or that its text names; "" where it may be
    anywhere."""
    pieces = folding.executed[store.name].pieces
    if len(pieces) > MOST_PIECES:
        return {""}
    found = set[str]()
    for at in (p.at_anchor for p in pieces):
        found |= {"" if b.given else b.name for b in folding.blocks if at in b} or {""}
    direct = DIRECT.fullmatch(store.variable)
    return {direct[1]} if found == {""} and direct else found
