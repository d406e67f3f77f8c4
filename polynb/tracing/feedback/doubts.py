"""What a trace cannot know, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Final

from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.reports import LoopReport
from polynb.tracing.feedback.reuse import Accessed
from polynb.tracing.model import Folding
from polynb.tracing.records import LoopOf
from polynb.words import shortened

RUN_DOUBT: Final = (
    "this holds of one run: with other inputs, other branches may run, and other addresses meet"
)


def doubts(folding: Folding) -> tuple[str, ...]:
    """What weakens all that is said of a run. (What concerns a loop stands with its report.)"""
    run, found = folding.run, [RUN_DOUBT]
    if run.unseen:
        found.append(f"{run.unseen}: no loop is called parallel")
    if not run.complete:
        found.append(f"the run did not end by itself ({run.ended}): it shows its beginning")
    return tuple(found)


def doubts_of(inside: Set[str], accesses: Mapping[str, Accessed]) -> tuple[str, ...]:
    """What has to be known of a loop that is parallel, besides, in words; `inside` are its
    instructions."""
    stores = (accesses[n].instruction for n in accesses if n in inside)
    rough = [i.named for i in stores if i.kind == "store" and accesses[i.name].addresses is None]
    if not rough:
        return ()
    return (
        f"where {shortened([*dict.fromkeys(rough)], 3)} is written is not affine: two "
        "iterations may overwrite one cell",
    )


NEVER: Final = "nothing of it ran; a run that enters it would tell"
LEFT_OUT: Final = (
    "it is left out: too irregular for the time that a loop has; a smaller run, or "
    '`variant="F_GG,W"`, would tell'
)


def untold(folding: Folding, left_out: Iterable[LoopNode] = ()) -> tuple[LoopReport, ...]:
    """The loops of which nothing is known: those that are left out, and those that did not run."""
    nodes = [n for root in left_out for n in root.walk()]
    executed = {n: f.entries for n, f in folding.executed.items()}
    found = [
        _nothing_of(
            n.loop, n.name, n.depth, sum(executed.get(i.name, 0) for i in n.inside), LEFT_OUT
        )
        for n in sorted(nodes, key=lambda n: n.loop.line)
    ]
    every = (*folding.instructions.values(), *folding.conditions.values())
    ran = {name for i in every for name in i.loops}
    for loop in folding.loops:
        if loop.name not in ran and not loop.recursion:
            found.append(_nothing_of(loop, loop.called, 0, 0, loop.unseen or loop.unsure or NEVER))
    return tuple(found)


def _nothing_of(loop: LoopOf, name: str, depth: int, operations: int, why: str) -> LoopReport:
    return LoopReport(name, loop, depth, operations, 0, False, (), (), (), unseen=why)
