"""Steps of expression propagation (CC'18), unfolded into frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from polynb import isl
from polynb.codegen.sharing import tree_size
from polynb.propagation.heuristics import CacheLines, CodeComplexity, NonLiveOut
from polynb.propagation.steps import (
    ArrayChosen,
    ArrayKept,
    ArrayPropagated,
    Judged,
    PartlyPropagated,
    ReadReplaced,
    ReloadTested,
    StatementSplit,
    WriterRemoved,
    WritesRemoved,
)
from polynb.scop.model import Statement
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame, OverlayJson, read_id, statement_id
from polynb.show.trace.propagation.questions import array_question, iterator_question
from polynb.show.trace.propagation.reload import (
    PropagationState,
    reload_frames,
    show_witness,
    told_in_full,
)
from polynb.show.trace.unfolding import phase, relations_of, unfold
from polynb.source.scoplang.printer import print_expression
from polynb.windows.steps import ComputedBefore, InStrips, Windowed

HEURISTICS: Final = {NonLiveOut.name: "4.1", CacheLines.name: "4.2", CodeComplexity.name: "4.3"}
LONG: Final = 80  # operands and operations of a statement that is written out


phase.register(ArrayChosen, lambda step, builder: step.array)
phase.register(ArrayKept, lambda step, builder: step.array)
for kind in (ComputedBefore, InStrips, Windowed):
    phase.register(kind, lambda step, builder: "in strips")


@relations_of.register
def _(step: ReloadTested) -> tuple[list[isl.Map], list[isl.Map]]:
    test = step.test
    against = test.obstacle is None and not test.blocked.is_empty()
    return [test.blocked] if against else [], [test.propagation]


@unfold.register
def _(step: ArrayChosen, builder: TraceBuilder) -> Iterator[Frame]:
    frame = builder.frame(step, section="4.4", marks=builder.accesses(step.array))
    if step.remaining:
        frame["question"] = array_question(step)
    yield frame


@unfold.register
def _(step: Judged, builder: TraceBuilder) -> Iterator[Frame]:
    section = HEURISTICS.get(step.heuristic)
    frame = builder.frame(step, section=section, marks=builder.accesses(step.array))
    if section is None:
        frame["section"] = "not in the paper"
    yield frame


@unfold.register
def _(step: StatementSplit, builder: TraceBuilder) -> Iterator[Frame]:
    name = step.before.name
    overlays: list[OverlayJson] = []
    for piece in step.pieces:
        overlays.append(
            {
                "id": f"piece:{piece.name}",
                "role": "piece",
                "label": piece.name,
                "access": [statement_id(name)],
                "instances": builder.scene.instances(piece.domain, name),
            }
        )
    yield builder.frame(
        step,
        section="3",
        marks=[statement_id(name)],
        overlays=overlays,
        sets=[builder.set(f"{p.name} of {name}", p.domain) for p in step.pieces],
        detail="So that the instances of each piece take the same expressions.",
    )


@unfold.register
def _(step: ReadReplaced, builder: TraceBuilder) -> Iterator[Frame]:
    target = step.target
    frame = builder.frame(
        step,
        section="3.1, equation 3",
        marks=[statement_id(step.source), read_id(step.of, step.read), statement_id(target.name)],
    )
    text = _assignment(target)
    if text is not None:
        frame["detail"] = text
    relation = builder.state(PropagationState).propagated.get((step.source, step.of, step.read))
    if relation is not None:
        into = relation.intersect_range(isl.rename(target.domain, isl.SET, step.of))
        label = f"propagation, {step.source} → {target.name}"
        frame["overlays"] = [builder.scene.overlay("propagation", label, into, frame["marks"][:2])]
        question = iterator_question(step, into, builder)
        if question is not None:
            frame["question"] = question
    yield frame


@unfold.register
def _(step: ArrayPropagated | PartlyPropagated, builder: TraceBuilder) -> Iterator[Frame]:
    before = builder.program
    builder.turn(step.scop)
    yield builder.beside(before, builder.frame(step, section="4.4"))


@unfold.register
def _(step: ArrayKept, builder: TraceBuilder) -> Iterator[Frame]:
    frame = builder.frame(step, marks=builder.accesses(step.array))
    if step.test is not None:
        show_witness(frame, step.test, builder)
    yield frame


@unfold.register
def _(step: WriterRemoved, builder: TraceBuilder) -> Iterator[Frame]:
    yield builder.frame(step, section="3.2", marks=[statement_id(step.statement)])


@unfold.register
def _(step: InStrips | Windowed, builder: TraceBuilder) -> Iterator[Frame]:
    before = builder.program
    builder.turn(step.result)
    frame = builder.beside(before, builder.frame(step))
    frame["section"] = "not in the paper"
    yield frame


@unfold.register
def _(step: ComputedBefore, builder: TraceBuilder) -> Iterator[Frame]:
    yield builder.frame(step, marks=builder.accesses(step.array))


@unfold.register
def _(step: WritesRemoved, builder: TraceBuilder) -> Iterator[Frame]:
    yield builder.removal(step, "4.1", "nobody needs")


def _assignment(s: Statement) -> str | None:
    """The text of a statement, if it is short."""
    if tree_size(s.expression) > LONG:
        return None
    return f"{print_expression(s.write.node)} = {print_expression(s.expression)}"


@unfold.register
def _(step: ReloadTested, builder: TraceBuilder) -> Iterator[Frame]:
    if told_in_full(step, builder):
        yield from reload_frames(step, builder)
    else:
        yield builder.frame(step)
