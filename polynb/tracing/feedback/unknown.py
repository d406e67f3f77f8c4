"""Calls of functions of which nothing is known: each may read and write whatever is in memory, so
no other order than that of execution is known to be the same."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.tracing.feedback.loops import common_loops, precedes
from polynb.tracing.feedback.overapproximation import FlowDependence, lexicographic
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction


def unknown_calls(folding: Folding) -> tuple[Instruction, ...]:
    return tuple(i for i in folding.instructions.values() if i.kind == "call")


@isl.guarded
def among_calls(folding: Folding, known: Mapping[str, isl.Set]) -> tuple[FlowDependence, ...]:
    """Each such call with itself, in order: no loop around it is known to be parallel."""
    return tuple(_ordered(folding, c, c, known) for c in unknown_calls(folding) if c.loops)


@isl.guarded
def with_calls(folding: Folding, known: Mapping[str, isl.Set]) -> tuple[FlowDependence, ...]:
    """All pairs of such a call and an access (or another such call) in a loop around both, in the
    order in which they ran."""
    calls = unknown_calls(folding)
    others = [i for i in folding.instructions.values() if i.kind in ("load", "store", "call")]
    found = [*among_calls(folding, known)]
    for c in calls:
        for o in others:
            if o is c or not common_loops(folding, c, o):
                continue
            found.append(_ordered(folding, c, o, known))
            if o.kind != "call":
                found.append(_ordered(folding, o, c, known))
    return tuple(found)


def _ordered(
    folding: Folding, source: Instruction, target: Instruction, known: Mapping[str, isl.Set]
) -> FlowDependence:
    common = common_loops(folding, source, target)
    whole = isl.Map.from_domain_and_range(known[source.name], known[target.name])
    before = lexicographic(whole, common, strict=precedes(source, target) is False)
    return FlowDependence(source.name, target.name, before, common, False)
