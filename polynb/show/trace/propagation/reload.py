"""The reload test of an edge, frame by frame: RAW, WAR, PIW, the dates, OR, and what is left; and
what is kept of it from step to step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Unpack

from polynb import isl
from polynb.dependences.intermediate import IntermediateWrite
from polynb.derivation import Step
from polynb.propagation.reload import Operand, ReloadTest
from polynb.propagation.steps import ReloadTested
from polynb.scop.witness import pair_witness
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame, FrameParts, OverlayJson, WitnessJson, read_id, write_id
from polynb.show.trace.propagation.questions import cell_of, pairs_question, verdict_question
from polynb.source.scoplang.printer import print_affine
from polynb.words import listed, shortened

TESTS: Final = 120  # reload tests that are unfolded; of more, those that refuse and the first ones


@dataclass
class PropagationState:
    """The propagation dependences `{ S[i] -> T[j] }` so far, by source, target and read; and the
    reload tests of the derivation that are told in full, once they are known."""

    propagated: dict[tuple[str, str, int], isl.Map] = field(default_factory=dict)
    in_full: frozenset[ReloadTested] | None = None


def told_in_full(step: ReloadTested, builder: TraceBuilder) -> bool:
    """Whether a reload test is unfolded, or has its sentence only."""
    known = builder.state(PropagationState)
    if known.in_full is None:
        known.in_full = chosen_tests(builder.derivation.steps)
    return step in known.in_full


def chosen_tests(steps: Sequence[Step]) -> frozenset[ReloadTested]:
    """All reload tests, but of very many only those that refuse and the first of each array."""
    tests = {k: s for k, s in enumerate(steps) if isinstance(s, ReloadTested)}
    if len(tests) <= TESTS:
        return frozenset(tests.values())
    return frozenset(s for k, s in tests.items() if not s.test.complete or k - 1 not in tests)


def reload_frames(step: ReloadTested, builder: TraceBuilder) -> Iterator[Frame]:
    """RAW edge; for each operand that is overwritten: WAR, PIW, order, OR; what is left."""
    test = step.test
    builder.look_at(test.scop, _statements(test))
    e = test.edge
    builder.state(PropagationState).propagated[e.source, e.target, e.read or 0] = test.propagation
    yield _edge_frame(test, builder)
    if test.obstacle is not None:
        yield builder.frame(step, section="5.5", marks=_accesses(test))
        return
    moving = [o for o in test.operands if o.war]
    if not moving:  # nothing to be shown step by step
        frame = _left_frame(step, builder)
        frame["sentence"] = f"{_still(test)} {frame['sentence']}"
        yield frame
        return
    if len(moving) < len(test.operands):
        yield _frame(test, builder, "operands", _still(test))
    frames = [f for operand in moving for f in _operand_frames(test, operand, builder)]
    _ask(step, frames, builder)
    yield from frames
    yield _left_frame(step, builder)


def _ask(step: ReloadTested, frames: list[Frame], builder: TraceBuilder) -> None:
    """A learner is asked before the first frame that gives something of the answer away: the dates
    of an operand, or, where nothing that is read was overwritten, that PIW is empty."""
    question = pairs_question(step.test, builder) or verdict_question(step, builder)
    if question is None:
        return
    telling = [f for f in frames if f["kind"] == "order"]
    (telling or [f for f in frames if f["kind"] == "piw"][-1:])[0]["question"] = question


def _statements(test: ReloadTest) -> tuple[str, ...]:
    writers = (w for o in test.operands for w in o.war)
    return tuple(dict.fromkeys((test.edge.source, test.edge.target, *writers)))


def _accesses(test: ReloadTest) -> list[str]:
    e = test.edge
    return [write_id(e.source), read_id(e.target, e.read or 0)]


def _frame(
    test: ReloadTest,
    builder: TraceBuilder,
    kind: str,
    sentence: str,
    **more: Unpack[FrameParts],
) -> Frame:
    more.setdefault("marks", _accesses(test))
    return builder.say(kind, sentence, section="3.2", **more)


def _edge_frame(test: ReloadTest, builder: TraceBuilder) -> Frame:
    e = test.edge
    sentence = (
        f"{e.target} reads {cell_of(test)}, which {e.source} wrote. Could {e.target} evaluate the "
        f"expression of {e.source} instead?"
    )
    return _frame(
        test,
        builder,
        "edge",
        sentence,
        overlays=[builder.scene.dependence(e)],
        sets=[builder.set(f"RAW, {e.source} → {e.target}", e.relation)],
    )


def _still(test: ReloadTest) -> str:
    """Of the operands that nothing overwrites."""
    reads = test.scop.by_name[test.edge.source].reads
    still = [print_affine(reads[o.read].node) for o in test.operands if not o.war]
    if not still:
        return f"{test.edge.source} reads nothing that could change."
    it, values = ("it", "value is") if len(still) == 1 else ("them", "values are")
    return (
        f"Nothing overwrites {shortened(still, 4)} after {test.edge.source} has read {it}: the "
        f"{values} still there when {test.edge.target} comes."
    )


def _operand_frames(test: ReloadTest, operand: Operand, builder: TraceBuilder) -> Iterator[Frame]:
    e, scene = test.edge, builder.scene
    cell = print_affine(test.scop.by_name[e.source].reads[operand.read].node)
    writers = listed(operand.war)
    marks = [read_id(e.source, operand.read), *(write_id(w) for w in operand.war)]
    raw = scene.dependence(e)
    war = [scene.overlay("war", f"WAR, {cell}", m, marks) for m in operand.war.values()]
    yield _frame(
        test,
        builder,
        "war",
        f"{e.source} reads {cell}, and {writers} may overwrite it afterwards: a WAR dependence.",
        marks=marks,
        overlays=[raw, *war],
        sets=[builder.set(f"WAR, {e.source} → {w}", m) for w, m in operand.war.items()],
    )
    if not operand.piw:
        said = f"None of what {e.target} reads here was made from such a cell: PIW is empty."
        yield _frame(test, builder, "piw", said, marks=marks, overlays=[raw, *war])
        return
    piw = [scene.overlay("piw", f"PIW, {cell}", m, marks) for m in operand.piw.values()]
    yield _frame(
        test,
        builder,
        "piw",
        f"Potential intermediate writes: those of {listed(operand.piw)} that overwrite what an "
        f"instance of {e.source} read, each with the instance of {e.target} that reads its value.",
        marks=marks,
        overlays=[raw, *war, *piw],
        sets=[builder.set(f"PIW, {w}", m) for w, m in operand.piw.items()],
    )
    yield _order_frame(test, operand, builder, piw, marks)
    crossed = _reloads(test, operand, builder)
    said = (
        f"These instances of {e.target} come after such a write. They are overwritten reloads: "
        f"evaluated there, the expression would read another value of {cell}."
        if crossed["instances"] or not operand.overwritten.is_empty()
        else f"No instance of {e.target} comes after such a write: OR is empty."
    )
    yield _frame(
        test,
        builder,
        "or",
        said,
        marks=marks,
        overlays=[raw, *piw, crossed],
        sets=[builder.set(f"OR, {cell}", operand.overwritten)],
    )


def _order_frame(
    test: ReloadTest,
    operand: Operand,
    builder: TraceBuilder,
    piw: list[OverlayJson],
    marks: list[str],
) -> Frame:
    e = test.edge
    witness = test.witness_at(builder.values, operand)
    said = (
        f"Which of these writes come before the reload? The dates decide: θ({listed(operand.piw)}) "
        f"≪ θ({e.target})."
    )
    frame = _frame(test, builder, "order", said, marks=marks, overlays=list(piw))
    if witness is not None and builder.scene.has(*witness.statements):
        frame["witness"] = _witness(witness, builder)
    elif (example := _example(test, operand, builder)) is not None:
        frame["witness"] = example
    return frame


def _left_frame(step: ReloadTested, builder: TraceBuilder) -> Frame:
    """The propagation dependence: what is left of the edge."""
    test, e = step.test, step.test.edge
    label = f"propagation, {e.source} → {e.target}"
    crossed = [_reloads(test, o, builder) for o in test.operands]
    left = builder.scene.overlay("propagation", label, test.propagation, _accesses(test))
    frame = _frame(
        test,
        builder,
        "left",
        str(step),
        overlays=[left, *(c for c in crossed if c["instances"])],
        sets=[builder.set(label, test.propagation)],
    )
    show_witness(frame, test, builder)
    return frame


def _reloads(test: ReloadTest, operand: Operand, builder: TraceBuilder) -> OverlayJson:
    return {
        "id": f"or:{test.edge.source}:{test.edge.target}:{test.edge.read}:{operand.read}",
        "role": "or",
        "label": f"OR, {operand.array}",
        "access": [read_id(test.edge.source, operand.read)],
        "instances": builder.scene.instances(operand.overwritten),
    }


# -- witnesses -------------------------------------------------------------------------------


def show_witness(frame: Frame, test: ReloadTest, builder: TraceBuilder) -> None:
    """The witness at the values that are shown, if there is one at these."""
    witness = test.witness_at(builder.values)
    if witness is not None and builder.scene.has(*witness.statements):
        frame["witness"] = _witness(witness, builder)
        # The sentence of the step has a witness for parameter values as small as can be.
        frame["sentence"] = frame["sentence"].replace(str(test.witness), str(witness))


def _witness(witness: IntermediateWrite, builder: TraceBuilder) -> WitnessJson:
    return builder.witness(witness, witness.cell or "", str(witness), blocks=True)


def _example(test: ReloadTest, operand: Operand, builder: TraceBuilder) -> WitnessJson | None:
    """A write that is in nobody's way: it comes only after the reload, or with it."""
    target = test.scop.by_name[test.edge.target]
    for writer, m in operand.piw.items():
        earlier = test.scop.by_name[writer].schedule.lex_lt_map(target.schedule)
        late = m.subtract(earlier).intersect_params(test.assumed)
        found = pair_witness(isl.fix_parameters(late, builder.values), "writer", "target")
        if found is None or not builder.scene.has(writer, test.edge.target):
            continue
        text = f"{found['writer']} is not before {found['target']}: it is in nobody's way."
        return builder.witness(found, operand.array, text, blocks=False)
    return None
