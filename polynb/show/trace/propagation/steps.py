"""Steps of expression propagation (CC'18), unfolded into frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

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
from polynb.scop import Statement
from polynb.show.trace.program import read_id, statement_id, write_id
from polynb.show.trace.propagation.reload import reload_frames, show_witness
from polynb.show.trace.questions import array_question, iterator_question
from polynb.show.trace.unfolding import Frame, begins, phase, relations_of, unfold
from polynb.source.scoplang.printer import print_expression

if TYPE_CHECKING:
    from polynb.show.trace.builder import Teller

HEURISTICS: Final = {NonLiveOut.name: "4.1", CacheLines.name: "4.2", CodeComplexity.name: "4.3"}
LONG: Final = 80  # operands and operations of a statement that is written out


@begins.register(ArrayChosen)
def _(step: ArrayChosen) -> bool:
    return True


@phase.register(ArrayChosen)
@phase.register(ArrayKept)
def _(step: ArrayChosen | ArrayKept, teller: Teller) -> str:
    return step.array


@relations_of.register(ReloadTested)
def _(step: ReloadTested) -> tuple[list[isl.Map], list[isl.Map]]:
    test = step.test
    against = test.obstacle is None and not test.blocked.is_empty()
    return [test.blocked] if against else [], [test.propagation]


@unfold.register(ArrayChosen)
def _(step: ArrayChosen, teller: Teller) -> Iterator[Frame]:
    frame = teller.frame(step, section="4.4", marks=teller.accesses(step.array))
    if step.remaining:
        frame["question"] = array_question(step)
    yield frame


@unfold.register(Judged)
def _(step: Judged, teller: Teller) -> Iterator[Frame]:
    section = HEURISTICS.get(step.heuristic)
    frame = teller.frame(step, section=section, marks=teller.accesses(step.array))
    if section is None:
        frame["section"] = "not in the paper"
    yield frame


@unfold.register(StatementSplit)
def _(step: StatementSplit, teller: Teller) -> Iterator[Frame]:
    name = step.before.name
    overlays = []
    for piece in step.pieces:
        overlays.append(
            {
                "id": f"piece:{piece.name}",
                "role": "piece",
                "label": piece.name,
                "access": [statement_id(name)],
                "instances": teller.scene.instances(piece.domain, name),
            }
        )
    yield teller.frame(
        step,
        section="3",
        marks=[statement_id(name)],
        overlays=overlays,
        sets=[teller.set(f"{p.name} of {name}", p.domain) for p in step.pieces],
        detail="So that the instances of each piece take the same expressions.",
    )


@unfold.register(ReadReplaced)
def _(step: ReadReplaced, teller: Teller) -> Iterator[Frame]:
    target = step.target
    frame = teller.frame(
        step,
        section="3.1, equation 3",
        marks=[statement_id(step.source), read_id(step.of, step.read), statement_id(target.name)],
        detail=_assignment(target),
    )
    relation = teller.propagated.get((step.source, step.of, step.read))
    if relation is not None:
        into = relation.intersect_range(isl.rename(target.domain, isl.SET, step.of))
        label = f"propagation, {step.source} → {target.name}"
        frame["overlays"] = [teller.scene.overlay("propagation", label, into, frame["marks"][:2])]
        question = iterator_question(step, into, teller)
        if question is not None:
            frame["question"] = question
    yield frame


@unfold.register(ArrayPropagated)
@unfold.register(PartlyPropagated)
def _(step: ArrayPropagated | PartlyPropagated, teller: Teller) -> Iterator[Frame]:
    before = teller.program
    teller.turn(step.scop)
    frame = teller.frame(step, section="4.4")
    if before != teller.program:
        frame["program"], frame["other"] = before, teller.program
    yield frame


@unfold.register(ArrayKept)
def _(step: ArrayKept, teller: Teller) -> Iterator[Frame]:
    frame = teller.frame(step, marks=teller.accesses(step.array))
    if step.test is not None:
        show_witness(frame, step.test, teller)
    yield frame


@unfold.register(WriterRemoved)
def _(step: WriterRemoved, teller: Teller) -> Iterator[Frame]:
    yield teller.frame(step, section="3.2", marks=[statement_id(step.statement)])


@unfold.register(WritesRemoved)
def _(step: WritesRemoved, teller: Teller) -> Iterator[Frame]:
    removed = {
        "id": f"removed:{step.statement}",
        "role": "removed",
        "label": f"instances of {step.statement} that nobody needs",
        "access": [write_id(step.statement)],
        "instances": teller.scene.instances(step.removed),
    }
    yield teller.frame(
        step,
        section="4.1",
        marks=[statement_id(step.statement)],
        overlays=[removed],
        sets=[teller.set("removed", step.removed)],
    )


def _assignment(s: Statement) -> str | None:
    """The text of a statement, if it is short."""
    if tree_size(s.expression) > LONG:
        return None
    return f"{print_expression(s.write.node)} = {print_expression(s.expression)}"


@unfold.register(ReloadTested)
def _(step: ReloadTested, teller: Teller) -> Iterator[Frame]:
    yield from reload_frames(step, teller)
