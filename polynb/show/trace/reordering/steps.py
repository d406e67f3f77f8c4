"""Steps of live-range reordering (IMPACT'16), unfolded into frames: phases, and the bands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from polynb import isl
from polynb.reordering.active import apart
from polynb.reordering.limit_steps import NotTiled, Unchanged
from polynb.reordering.steps import (
    BandBegun,
    BandBuilt,
    Checked,
    Constrained,
    MadeLocal,
    MemberFound,
    Scheduled,
    Violated,
)
from polynb.scop.witness import Witness
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame, VerdictQuestionJson
from polynb.show.trace.reordering import between, dependences
from polynb.show.trace.reordering.frames import (
    ReorderingState,
    at_times,
    beside,
    framed,
    functions_table,
    lightened,
    live_range,
    marks,
    overlay,
    pair_of,
    program_table,
    set_of,
    witness,
)
from polynb.show.trace.unfolding import phase, relations_of, unfold
from polynb.words import counted

__all__ = ["between", "dependences"]  # which register frames, too

# -- what stands out, phases, and relations to be seen ----


phase.register(Constrained, lambda step, builder: "dependences")
phase.register(Scheduled, lambda step, builder: "isl's schedule")
phase.register(Checked, lambda step, builder: "the proof")
phase.register(NotTiled, lambda step, builder: "the outcome")
phase.register(Unchanged, lambda step, builder: "the outcome")

relations_of.register(Violated, lambda step: ([step.pairs], []))
relations_of.register(MadeLocal, lambda step: ([], [step.condition.relation]))


@relations_of.register
def _(step: Constrained) -> tuple[list[isl.Map], list[isl.Map]]:
    return [], [e.relation for e in (*step.ranges.flow, *step.ranges.order)]


@phase.register
def _(step: BandBegun, builder: TraceBuilder) -> str:
    """A band that is begun again after a reset is the same phase."""
    known = builder.state(ReorderingState)
    if not known.open:
        known.open, known.begun = True, known.begun + 1
    return f"band {known.begun}"


# -- bands -----


@unfold.register
def _(step: BandBegun, builder: TraceBuilder) -> Iterator[Frame]:
    known = builder.state(ReorderingState)
    known.members, known.settled = {}, set(map(live_range, step.local))
    builder.look_at(builder.scop, step.statements)
    yield framed(
        builder,
        step,
        "3.2, Algorithm 1, lines 1 and 2",
        overlays=[overlay("condition", "live range", c, c.relation, builder) for c in step.local],
        detail="Members are added as long as dimensions are left: for each the integer program "
        "finds the function that respects all validity constraints and stretches the proximity "
        "constraints least.",
    )


@unfold.register
def _(step: MemberFound, builder: TraceBuilder) -> Iterator[Frame]:
    known = builder.state(ReorderingState)
    known.grow(step.functions)
    at_times(builder, alone=False)
    number = counted(step.programs, "integer program")
    yield framed(
        builder,
        step,
        "3.2, Algorithm 1, lines 3 and 10",
        tables=[functions_table(step.functions, builder.scop), program_table(step, builder.scop)],
        order=True,
        detail=f"It took {number}. The numbers at the instances are their times by the members so "
        "far; equal ones are not ordered yet. In the rows, c(S, i) is the coefficient of i in the "
        "function of S, c(S, 1) its constant; m(N) and m bound the distances.",
    )


@unfold.register
def _(step: Violated, builder: TraceBuilder) -> Iterator[Frame]:
    known = builder.state(ReorderingState)
    c = step.constraint
    at_times(builder, alone=True)
    pair = pair_of(step.pairs, builder)
    lost = overlay("violated", "turned around", c, step.pairs, builder)
    near = [beside(r, pair, step.pairs, builder) for r in step.conditions]
    frame = framed(
        builder,
        step,
        "3.2, Algorithm 1, lines 11 and 12",
        marks=marks(c, builder),
        overlays=[lightened(lost, pair, builder), *(o for o in near if o["pairs"])],
        sets=[set_of(builder, f"turned around, {c.source} → {c.target}", step.pairs)],
        order=True,
        detail="The numbers are the times by this member alone: in a permutable band, any member "
        "may come first.",
    )
    if pair is not None:
        witness(frame, pair, c, builder, step.witness)
        question = around_question(step, pair, known.members, builder)
        near_by = set(map(live_range, step.conditions))
        if question is not None and not known.asked and not near_by <= known.settled:
            frame["question"] = question | {"explain": frame["sentence"]}
            known.asked = True
            known.settled |= near_by
    yield frame


@unfold.register
def _(step: MadeLocal, builder: TraceBuilder) -> Iterator[Frame]:
    c = step.condition
    known = builder.state(ReorderingState)
    members = known.members
    at_times(builder, alone=False)
    stretched = apart(c, members)
    overlays = [overlay("condition", "live range", c, c.relation.subtract(stretched), builder)]
    if step.apart is not None:
        overlays.append(overlay("violated", "stretched", c, stretched, builder))
    frame = framed(
        builder,
        step,
        "3.2, Algorithm 1, lines 13 and 14",
        marks=marks(c, builder),
        overlays=[o for o in overlays if o["pairs"]],
        sets=[set_of(builder, f"live ranges {c.source} → {c.target}", c.relation)],
        order=True,
        detail="Local: both ends get the same value in every member of the band, also in those "
        "that are still to come. Then what is next to it may be turned around: the two live ranges "
        "run one after the other within their iterations.",
    )
    pair = None if step.apart is None else pair_of(stretched, builder)
    if pair is not None and step.apart is not None:
        witness(frame, pair, c, builder, step.apart)
    question = local_question(step, members, builder)
    if question is not None and live_range(c) not in known.settled:
        frame["question"] = question | {"explain": frame["sentence"]}
    known.settled.add(live_range(c))
    yield frame


@unfold.register
def _(step: BandBuilt, builder: TraceBuilder) -> Iterator[Frame]:
    known = builder.state(ReorderingState)
    known.open = False
    count = len(step.coincident)
    builder.phases[-1]["outcome"] = counted(count, "loop") if count else "none"
    if not step.coincident:
        yield framed(builder, step, "3.2, Algorithm 1, lines 8 and 9", marks=[])
        return
    builder.time(step.members)
    yield framed(
        builder,
        step,
        "3.2, Algorithm 1, line 20",
        tables=[functions_table(step.members, builder.scop)],
        order=True,
    )


# -- what a learner is asked, with what is right (`trace.schema.json`) ----

Members = Mapping[str, isl.Map]


def around_question(
    step: Violated, pair: Witness, members: Members, builder: TraceBuilder
) -> VerdictQuestionJson | None:
    """May this false dependence be turned around? Yes, if the live ranges next to it are local to
    the band so far. Not asked where the answer is no, but nothing that is drawn proves it."""
    ends = [apart(c, members) for c in step.conditions]
    return _asked(
        f"This member runs {pair['target']} before {pair['source']}, which came first. May "
        "it, by the live ranges next to the two? If not, at which instance does one begin or end "
        "that the members so far stretch?",
        [m for m in ends if not m.is_empty()],
        str(step),
        builder,
    )


def local_question(
    step: MadeLocal, members: Members, builder: TraceBuilder
) -> VerdictQuestionJson | None:
    """Is a group of live ranges local so far?"""
    c = step.condition
    stretched = apart(c, members)
    return _asked(
        f"Do all live ranges {c.source} → {c.target} ({c.why}) begin and end at one time of the "
        "members so far? If not, where does one begin or end that does not?",
        [] if step.apart is None else [stretched],
        str(step),
        builder,
    )


def _asked(
    prompt: str, against: Iterable[isl.Map], explain: str, builder: TraceBuilder
) -> VerdictQuestionJson | None:
    against = list(against)
    question: VerdictQuestionJson = {
        "kind": "verdict",
        "prompt": prompt,
        "answer": not against,
        "explain": explain,
    }
    if against:
        ends = [s for m in against for s in (m.domain(), m.range())]
        proofs = [at for s in ends for at in builder.scene.instances(s)]
        unique = [at for k, at in enumerate(proofs) if at not in proofs[:k]]
        if not unique:
            return None
        question["witnesses"] = unique
    return question
