"""Steps of DeLICM, unfolded into frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from polynb.delicm.forwarding_steps import Forwarded, NotForwarded
from polynb.delicm.knowledge import Knowledge
from polynb.delicm.mapping_steps import (
    Mapped,
    MappingSpent,
    NotMapped,
    TargetChosen,
    TargetSkipped,
    WebsSplit,
)
from polynb.delicm.operand_trees import OperandTree, Operation, leaves, parts
from polynb.delicm.pipeline import StageBegun
from polynb.delicm.simplification_steps import (
    ArrayGone,
    DeadWrites,
    NotSimplified,
    RedundantWrites,
    StatementEmpty,
)
from polynb.rewriting.dead_writes import keep_only
from polynb.rewriting.splitting import with_statements
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.delicm.memory import memory
from polynb.show.trace.format import (
    Frame,
    MemoryJson,
    OverlayJson,
    VerdictQuestionJson,
    read_id,
    statement_id,
    write_id,
)
from polynb.show.trace.scene import Scene
from polynb.show.trace.unfolding import phase, relations_of, unfold

PROMPT: Final = "Does it fit: may the values of {scalar} live in {array} in their time?"
RULE: Final = (
    "It fits if there is no conflict: each lifetime lies in unused zones, or in those of the same "
    "known content, and no write destroys what the other needs."
)
FITS: Final = "It fits, for all parameter values: there is no conflict."


STAGES: Final = {"forward": "forwarding", "map": "mapping", "simplify": "simplification"}
SECTIONS: Final = {"forward": "3", "map": "2", "simplify": "4"}

phase.register(StageBegun, lambda step, builder: STAGES[step.stage])
relations_of.register(Mapped, lambda step: ([], list(step.cells.values())))
relations_of.register(NotMapped, lambda step: ([], list((step.cells or {}).values())))


@unfold.register
def _(step: StageBegun, builder: TraceBuilder) -> Iterator[Frame]:
    yield builder.frame(step, section=SECTIONS[step.stage])


@unfold.register
def _(step: Forwarded, builder: TraceBuilder) -> Iterator[Frame]:
    before, name = builder.program, step.before.name
    reads = [read_id(name, k) for k in step.reads]
    marks = [*reads, *(statement_id(s) for s in _sources(step.tree))]
    for load in leaves(step.tree):
        if not load.own:  # of the others, what stored there the same content
            marks += builder.accesses(load.array)
    overlays = list(_copies(step.tree, name, reads, builder.scene))
    if name in builder.scop.by_name:
        builder.turn(with_statements(builder.scop, name, (step.after,)))
    frame = builder.frame(step, section="3.1, Listing 8", marks=marks, overlays=overlays)
    yield builder.beside(before, frame)


@unfold.register
def _(step: NotForwarded, builder: TraceBuilder) -> Iterator[Frame]:
    name = step.target.name
    reads = {read_id(name, k) for k, r in enumerate(step.target.reads) if r.array == step.scalar}
    flow = [o for o in builder.scene.relations if o["role"] == "raw" and reads & set(o["access"])]
    marks = list(dict.fromkeys([*reads, *(a for o in flow for a in o["access"])]))
    yield builder.frame(step, section="3.1, Listing 7", marks=sorted(marks), overlays=flow)


def _copies(
    tree: OperandTree, target: str, reads: Sequence[str], scene: Scene
) -> Iterator[OverlayJson]:
    """From the instance whose expression is copied to the one that evaluates it."""
    for part in parts(tree):
        if isinstance(part, Operation) and scene.has(part.source.name, target):
            s = part.source
            label = f"{s.name} → {target} ({s.write.array})"
            yield scene.overlay("propagation", label, part.dependence, [write_id(s.name), *reads])


def _sources(tree: OperandTree) -> Iterator[str]:
    return (x.source.name for x in parts(tree) if isinstance(x, Operation))


@unfold.register
def _(step: WebsSplit, builder: TraceBuilder) -> Iterator[Frame]:
    before = builder.program
    builder.turn(step.program)
    yield builder.beside(before, builder.frame(step, section="not in the paper"))


@unfold.register
def _(step: TargetSkipped | MappingSpent, builder: TraceBuilder) -> Iterator[Frame]:
    yield builder.frame(step, section="2.1, Listing 5", marks=[write_id(step.statement)])


@unfold.register
def _(step: TargetChosen, builder: TraceBuilder) -> Iterator[Frame]:
    frame = builder.frame(
        step,
        section="2.1, Listing 5, lines 5 and 6",
        marks=[write_id(step.statement), *_accesses(builder, step.queue)],
        detail="Before each store, back to the last access, an element is unused. Behind the last "
        "store it is needed for ever.",
    )
    picture = memory(step.array, step.times, step.existing, None, builder.values, queue=step.queue)
    yield _with(frame, picture)


@unfold.register
def _(step: NotMapped, builder: TraceBuilder) -> Iterator[Frame]:
    picture = None
    if step.times is not None and step.existing is not None and step.proposal is not None:
        yield _asked(step, builder, step.existing, step.proposal)
        picture = _picture(step, builder, step.existing, step.proposal)
    frame = builder.frame(
        step,
        section="2.1, Listing 5, line 13" if picture else "2.1, Listing 5, line 9",
        marks=[write_id(step.statement), *_accesses(builder, (step.scalar,))],
    )
    yield _with(frame, picture)


@unfold.register
def _(step: Mapped, builder: TraceBuilder) -> Iterator[Frame]:
    yield _asked(step, builder, step.existing, step.proposal)
    before = builder.program
    marks = [write_id(step.statement), *_accesses(builder, (step.scalar,))]
    builder.turn(step.program)
    section = "2.1, Listing 5, lines 15 to 17"
    frame = builder.frame(step, section=section, marks=marks, detail=FITS)
    builder.beside(before, frame)
    frame["sets"] = [
        builder.set(f"where {step.scalar} of {name} lives", m) for name, m in step.cells.items()
    ]
    picture = memory(step.array, step.times, step.known, None, builder.values, queue=step.queue)
    yield _with(frame, picture)


@unfold.register
def _(step: RedundantWrites | DeadWrites, builder: TraceBuilder) -> Iterator[Frame]:
    name, before = step.statement, builder.program
    frame = builder.removal(step, "4", "are removed")
    s = builder.scop.by_name.get(name)
    if s is not None:
        builder.turn(keep_only(builder.scop, s, s.domain.subtract(step.removed)))
    yield builder.beside(before, frame)


@unfold.register
def _(step: StatementEmpty | ArrayGone | NotSimplified, builder: TraceBuilder) -> Iterator[Frame]:
    if isinstance(step, StatementEmpty):
        marks = [statement_id(step.statement)]
    else:
        marks = builder.accesses(step.array)
    yield builder.frame(step, section="4", marks=marks)


def _asked(
    step: Mapped | NotMapped, builder: TraceBuilder, existing: Knowledge, proposal: Knowledge
) -> Frame:
    """The candidate's lifetime laid over what is known, before it is said whether it fits."""
    frame = builder.say(
        type(step).__name__,
        f"Try {step.scalar}: its values, from each definition to the last use, in the elements of "
        f"{step.array} that {step.statement} overwrites next.",
        "2.1, Listing 5, lines 11 and 12",
        marks=[write_id(step.statement), *_accesses(builder, (step.scalar,))],
    )
    picture = _picture(step, builder, existing, proposal)
    if picture is not None:
        frame["detail"] = RULE
        picture.pop("conflict", None)
        question: VerdictQuestionJson = {
            "kind": "verdict",
            "prompt": PROMPT.format(scalar=step.scalar, array=step.array),
            "explain": str(step),
            "answer": isinstance(step, Mapped),
        }
        frame["question"] = question
    return _with(frame, picture)


def _picture(
    step: Mapped | NotMapped, builder: TraceBuilder, existing: Knowledge, proposal: Knowledge
) -> MemoryJson | None:
    assert step.times is not None
    return memory(
        step.array, step.times, existing, proposal, builder.values, step.scalar, step.queue
    )


def _with(frame: Frame, picture: MemoryJson | None) -> Frame:
    if picture is not None:
        frame["memory"] = picture
        frame["scene"] = None
    return frame


def _accesses(builder: TraceBuilder, arrays: Sequence[str]) -> list[str]:
    return [a for name in arrays for a in builder.accesses(name)]
