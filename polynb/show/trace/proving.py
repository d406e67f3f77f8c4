"""The obligations of a proof, unfolded into frames: both programs, in them the two statements, or
reads, that are compared, and the relation on which they are to be the same."""

from __future__ import annotations

from collections.abc import Iterator

from polynb.proofs.steps import Concluded, Guess, Pair
from polynb.scop.model import Scop
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame, read_id, statement_id
from polynb.show.trace.unfolding import phase, unfold

phase.register(Guess, lambda step, builder: step.widening)
phase.register(Concluded, lambda step, builder: "the answer")


@unfold.register
def _(step: Pair, builder: TraceBuilder) -> Iterator[Frame]:
    programs: tuple[Scop, Scop] = builder.derivation.before, builder.derivation.result
    marks = [_marks(p, *access) for p, access in zip(programs, step.accesses, strict=True)]
    sets = [builder.set("to be the same on", step.relation), builder.set("assumed", step.assumed)]
    frame = builder.frame(step, section="5", marks=marks[0], sets=sets)
    other = builder.number(programs[1])
    if other == frame["program"]:  # one text for both
        frame["marks"] = list(dict.fromkeys([*marks[0], *marks[1]]))
    else:
        frame["other"], frame["otherMarks"] = other, marks[1]
    yield frame


def _marks(scop: Scop, statement: str, read: int | None) -> list[str]:
    """The read, or the statement, in the text of its program. What the proof has added, as the
    reads of what is left at the end, stands in neither."""
    if statement not in scop.by_name:
        return []
    known = read is not None and read < len(scop.by_name[statement].reads)
    return [read_id(statement, read) if known else statement_id(statement)]  # type: ignore[arg-type]
