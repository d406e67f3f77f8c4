"""What a learner is asked about a reordering, with what is right (`trace.schema.json`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from polynb import isl
from polynb.reordering.constraints import Constraint
from polynb.reordering.steps import MadeLocal, Violated
from polynb.scop.witness import Witness
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import VerdictQuestionJson

Members = Mapping[str, isl.Map]


def apart(c: Constraint, members: Members) -> isl.Map:
    """The pairs of a constraint to which the members of a band give two values."""
    same = members[c.source].apply_range(members[c.target].reverse())
    return c.relation.subtract(same)


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
