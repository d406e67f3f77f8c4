"""The obligations of a proof, unfolded into frames: both programs, in them the two statements, or
reads, that are compared, and the relation on which they are to be the same."""

from __future__ import annotations

from collections.abc import Iterator

from polynb.proofs.steps import Concluded, Guess, Pair
from polynb.scop import Scop
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame
from polynb.show.trace.program import read_id, statement_id
from polynb.show.trace.unfolding import phase, unfold


@phase.register
def _(step: Guess, builder: TraceBuilder) -> str:
    return step.widening


@phase.register
def _(step: Concluded, builder: TraceBuilder) -> str:
    return "the answer"


@unfold.register
def _(step: Pair, builder: TraceBuilder) -> Iterator[Frame]:
    programs: tuple[Scop, Scop] = builder.derivation.before, builder.derivation.result
    marks: list[str] = []
    for scop, (statement, read) in zip(programs, step.accesses, strict=True):
        if statement in scop.by_name:  # else one of the proof's own: what is read at the end
            known = read is not None and read < len(scop.by_name[statement].reads)
            marks.append(read_id(statement, read) if known else statement_id(statement))  # type: ignore[arg-type]
    sets = [builder.set("to be the same on", step.relation), builder.set("assumed", step.assumed)]
    frame = builder.frame(step, section="5", marks=list(dict.fromkeys(marks)), sets=sets)
    if programs[0] is not programs[1]:
        frame["other"] = builder.number(programs[1])
    yield frame
