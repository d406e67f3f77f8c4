"""The frames that tell a reordering's dependences and constraints (IMPACT'16, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from polynb.dependences import Edge, LiveRanges
from polynb.reordering.constraints import CONSTRAINT_KINDS, Constraint
from polynb.reordering.steps import (
    Constrained,
)
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame, OverlayJson, TableJson
from polynb.show.trace.reordering.frames import (
    FEW,
    ReorderingState,
    drawn,
    framed,
    overlay,
    set_of,
)
from polynb.show.trace.scene import accesses
from polynb.show.trace.unfolding import unfold
from polynb.words import counted, listed, shortened

MEANINGS: Final = {
    "validity": "source before target",
    "proximity": "as close as possible",
    "coincidence": "at one time of as many loops as possible",
    "condition": "live ranges: where a band stretches one, what is next to it must hold",
    "conditioned_validity": "source before target, only next to live ranges that are stretched",
}


@unfold.register
def _(step: Constrained, builder: TraceBuilder) -> Iterator[Frame]:
    ranges = builder.state(ReorderingState).ranges = step.ranges
    yield _edges(
        builder,
        "live ranges",
        f"{counted(len(ranges.flow), 'flow dependence')}, from a write to a read of its value. "
        "Each pair is a live range: in between, the cell holds what is still needed.",
        "2.3, equation 5",
        ranges.flow,
    )
    if ranges.false:
        arrays = listed(dict.fromkeys(e.array for e in ranges.false))
        yield _edges(
            builder,
            "false",
            f"{counted(len(ranges.false), 'false dependence')}, anti and output: they keep the "
            f"live ranges of one cell of {arrays} apart, and that in one fixed order. If all of "
            "them had to be respected, memory that is used again would serialise the program.",
            "2.3, equations 7 and 8",
            ranges.false,
        )
    if step.constraints.of("condition"):
        yield from _needed(ranges, builder)
    yield framed(builder, step, "3.3", overlays=_given(step, builder), tables=[_kinds(step)],
                       detail=_preset(step.preset))  # fmt: skip


def _needed(ranges: LiveRanges, builder: TraceBuilder) -> Iterator[Frame]:
    """What of the false dependences is needed: order, and forced ones."""
    said = (
        "What is needed is less: no write of a cell may come between the write and the read of a "
        "live range."
    )
    if ranges.order:
        said += (
            f" {counted(len(ranges.order), 'order dependence')}, from each read (and each write "
            "that nothing reads) to all later writes, say so; not only to the next, for the order "
            "in between may change."
        )
    else:
        said += " There are no such writes."
    shown = ranges.order[:FEW]
    overlays = [drawn("conditioned", "order", e, e.relation, builder) for e in shown]
    sets = [set_of(builder, f"order, {_edge(e)}", e.relation) for e in shown]
    yield builder.say("order", said, "3.3, equation 10", overlays=overlays, sets=sets)
    parts = (
        (ranges.after_live_in, "stay behind a read of what was there before the program"),
        (ranges.before_live_out, "stay in front of a write that remains after the program"),
        (ranges.same_sink, "are possible sources of one read, and stay in order"),
    )
    found = [(edges, why) for edges, why in parts if edges]
    if not found:
        said = (
            "No false dependence must hold whatever happens: none is about what was there before "
            "the program, or remains after it."
        )
        yield builder.say("forced", said, "3.3")
    for edges, why in found:
        yield _edges(
            builder,
            "forced",
            f"{counted(len(edges), 'dependence')} must hold whatever happens to the live ranges: "
            f"these writes {why}.",
            "3.3",
            edges,
        )


def _edges(
    builder: TraceBuilder, kind: str, said: str, section: str, edges: Sequence[Edge]
) -> Frame:
    shown = edges[:FEW]
    marks = dict.fromkeys(a for e in shown for a in accesses(e))
    return builder.say(
        kind,
        said,
        section,
        marks=list(marks),
        overlays=[builder.scene.dependence(e) for e in shown],
        sets=[set_of(builder, f"{e.kind.upper()}, {_edge(e)}", e.relation) for e in shown],
    )


def _edge(e: Edge) -> str:
    return f"{e.source} → {e.target} ({e.array})"


def _given(step: Constrained, builder: TraceBuilder) -> list[OverlayJson]:
    """What must hold of constraints of one's own; those of a preset were all shown before."""
    found = [] if step.preset else step.constraints.of("validity")[:FEW]
    return [overlay("raw", "validity", c, c.relation, builder) for c in found]


def _kinds(step: Constrained) -> TableJson:
    rows = []
    for kind in CONSTRAINT_KINDS:
        found = step.constraints.of(kind)
        if found:
            said = shortened([_constraint_text(c) for c in found], FEW)
            rows.append([kind.replace("_", " "), MEANINGS[kind], said])
    columns = ["kind", "asks for", "dependences"]
    return {"title": "Schedule constraints", "columns": columns, "rows": rows}


def _constraint_text(c: Constraint) -> str:
    return f"{c.source} → {c.target}" + (f" ({c.why})" if c.why else "")


def _preset(name: str) -> str:
    match name:
        case "cpu":
            return "The preset cpu, as PPCG schedules for its C target: no coincidence constraints."
        case "gpu":
            return (
                "The preset gpu, section 3.3 to the letter: order dependences of scalars, which "
                "can be private, do not count for coincidence."
            )
        case "none":
            return "The preset none: no live range may be reordered (section 2.4)."
    return "Constraints of your own."
