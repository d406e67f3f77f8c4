"""What a learner is asked before a step is shown, with what is right (`trace.schema.json`)."""

from __future__ import annotations

from typing import Final

from polynb import isl
from polynb.propagation.reload import Operand, ReloadTest
from polynb.propagation.steps import ArrayChosen, ReadReplaced, ReloadTested
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import (
    ArrayQuestionJson,
    IteratorQuestionJson,
    PairsQuestionJson,
    SampleJson,
    VerdictQuestionJson,
)
from polynb.source.scoplang.printer import print_affine

ASKED: Final = 12  # pairs that a learner is asked to choose from, at most
SAMPLES: Final = 12  # values that a filled-in iterator is tried on


def array_question(step: ArrayChosen) -> ArrayQuestionJson:
    """Which array comes next in the order of propagation (CC'18, section 4.4)?"""
    return {
        "kind": "array",
        "prompt": "Which array is tried next?",
        "options": sorted((step.array, *step.remaining)),
        "answer": step.array,
        "explain": str(step),
    }


def cell_of(test: ReloadTest) -> str:
    """The read of an edge, as the program has it."""
    return print_affine(test.scop.by_name[test.edge.target].reads[test.edge.read or 0].node)


def _without_witness(test: ReloadTest) -> str:
    """What is said of a reload test; the witness stands beside it."""
    said = str(ReloadTested(test))
    return said if test.witness is None else said.replace(f": {test.witness}", "")


def pairs_question(test: ReloadTest, builder: TraceBuilder) -> PairsQuestionJson | None:
    """Which pairs of the edge survive? Asked where that is not all or nothing, and few."""
    pairs, total = builder.scene.pairs(test.edge.relation)
    left, _ = builder.scene.pairs(test.propagation)
    kept = [k for k, p in enumerate(pairs) if p in left]
    if not 1 < total <= ASKED or total > len(pairs) or len(kept) in (0, total):
        return None
    return {
        "kind": "pairs",
        "prompt": f"Which pairs of the RAW edge {test.edge.source} → {test.edge.target} survive "
        "the reload test?",
        "pairs": pairs,
        "answer": kept,
        "explain": _without_witness(test),
    }


def verdict_question(step: ReloadTested, builder: TraceBuilder) -> VerdictQuestionJson | None:
    """Can the source be evaluated at the target? Not asked where the answer is no, but nothing
    that is drawn proves it."""
    test, e = step.test, step.test.edge
    question: VerdictQuestionJson = {
        "kind": "verdict",
        "prompt": f"Can {e.source} be evaluated wherever {e.target} reads {cell_of(test)}? If not, "
        "which instance overwrites an operand in between?",
        "answer": test.complete,
        "explain": str(step) if test.complete else "",  # a no is explained by what proves it
    }
    blocking = [
        instance
        for o in test.operands
        for writes in in_the_way(test, o).values()
        for instance in builder.scene.instances(writes)
    ]
    if not test.complete and not blocking:
        return None
    if blocking:
        question["witnesses"] = blocking
    return question


def in_the_way(test: ReloadTest, operand: Operand) -> dict[str, isl.Set]:
    """The writes `{ W[l] }` that come between: l precedes a reload j with (l, j) in PIW."""
    target = test.scop.by_name[test.edge.target]
    found = {}
    for writer, m in operand.piw.items():
        earlier = test.scop.by_name[writer].schedule.lex_lt_map(target.schedule)
        writes = m.intersect(earlier).intersect_params(test.assumed).domain()
        if not writes.is_empty():
            found[writer] = writes
    return found


def iterator_question(
    step: ReadReplaced, relation: isl.Map, builder: TraceBuilder
) -> IteratorQuestionJson | None:
    """What does an iterator of the source become? For the first one that changes."""
    new = {k: print_affine(v) for k, v in step.iterators.items()}
    changed = [(n, k) for n, (k, text) in enumerate(new.items()) if text != k]
    if not changed:
        return None
    at, name = changed[0]
    found = builder.scene.drawn(relation)[:SAMPLES]
    if not found:
        return None
    samples: list[SampleJson] = [
        {
            "values": {**builder.values, **dict(zip(step.target.iterators, j, strict=True))},
            "result": i[at],
        }
        for i, j in found
    ]
    return {
        "kind": "iterator",
        "prompt": f"In {step.target.name}, the expression of {step.source} takes the place of a "
        f"read of {step.array}. What does its {name} become?",
        "name": name,
        "samples": samples,
        "answer": new[name],
        "explain": str(step),
    }
