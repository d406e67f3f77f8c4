"""What a trace cannot know, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from polynb.tracing.feedback.overapproximation import FlowDependence, unknown_calls
from polynb.tracing.feedback.reuse import Accessed
from polynb.tracing.model import Folding
from polynb.tracing.records import LoopOf
from polynb.words import counted, shortened

RUN_DOUBT: Final = (
    "this holds of one run: with other inputs, other branches may run, and other addresses meet"
)

LAST_VALUES: Final = (
    "what a local variable holds after a loop is its last iteration's value: where it is read, it "
    "has to be kept (OpenMP: lastprivate), which is not looked at"
)


def doubts(
    folding: Folding, flow: Sequence[FlowDependence], accesses: Mapping[str, Accessed]
) -> tuple[str, ...]:
    """What weakens the feedback on a run, the most general first."""
    found = [RUN_DOUBT, LAST_VALUES]
    if folding.run.unseen:
        found.append(f"{folding.run.unseen}: no loop is called parallel")
    if calls := [f"{i.text} (line {i.line})" for i in unknown_calls(folding)]:
        found.append(
            f"what {shortened(calls, 4)} may read and write is not known: no loop around is called "
            "parallel"
        )
    if not folding.run.complete:
        found.append(f"the run did not end by itself ({folding.run.ended}): it shows its beginning")
    if folding.sources and not sees_registers(folding):
        found.append(
            "local variables in registers were not seen: only loops whose text assigns none are "
            "called parallel"
        )
    rough = [f"{f.source} -> {f.target}" for f in flow if not f.exact]
    if rough:
        found.append(
            f"{counted(len(rough), 'dependence')} with ⊤ or given up, of which only the order of "
            f"execution is known: {shortened(rough, 4)}"
        )
    stores = [
        n for n, a in accesses.items() if a.addresses is None and a.instruction.kind == "store"
    ]
    if stores:
        found.append(
            f"what {shortened(stores, 4)} overwrite is not affine: anti and output dependences "
            "with them may be"
        )
    rejected = sum(f.rejected for f in (*folding.executed.values(), *folding.dependences.values()))
    if rejected:
        found.append(f"{rejected} entries came out of order or twice, and were left out")
    return tuple(found)


def sees_registers(folding: Folding) -> bool:
    """Whether more than loads and stores was traced."""
    return any(i.kind not in ("load", "store") for i in folding.instructions.values())


def doubts_of_left_out(left_out: Sequence[tuple[LoopOf, int]], operations: int) -> tuple[str, ...]:
    """That nothing is said of these outermost loops, which made so many of all operations."""
    if not left_out:
        return ()
    shares = [
        f"{loop.called} (line {loop.line}, {made / max(operations, 1):.0%} of the operations)"
        for loop, made in sorted(left_out, key=lambda x: -x[1])
    ]
    return (
        f"{shortened(shares, 4)} {'are' if len(shares) > 1 else 'is'} left out: too irregular for "
        'the time that a loop has; `variant="F_GG,W"` and a smaller run have fewer pieces',
    )
