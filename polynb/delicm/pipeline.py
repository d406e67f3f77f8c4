"""All of DeLICM: operand-tree forwarding, greedy mapping, and what both leave to clean up."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb.arguments import count, optional, several_names
from polynb.delicm.forward import forward_operands
from polynb.delicm.mapping import BUDGET, map_scalars
from polynb.delicm.simplification import simplify
from polynb.derivation import Pass, Sentence, Step, derivation
from polynb.errors import PolynbError
from polynb.scop.model import Scop

STAGES: Final[Mapping[str, Pass[..., Scop, Scop]]] = {
    "forward": forward_operands,
    "map": map_scalars,
    "simplify": simplify,
}


@dataclass(frozen=True, eq=False)
class StageBegun(Step):
    """One of the three passes begins."""

    stage: str
    text: str

    @property
    def sentence(self) -> Sentence:
        return "{text}", {"text": self.text}


SAID: Final = {
    "forward": "Operand-tree forwarding: compute, or load, what a scalar brings where it is used.",
    "map": "Greedy mapping: put scalars into array elements that are unused meanwhile.",
    "simplify": "Simplification: remove what is stored for nobody, or is there already.",
}


@derivation(paper="DeLICM", name="delicm")
def remove_scalars(
    scop: Scop,
    *,
    only: str | Sequence[str] | None = None,
    max_operations: int | None = BUDGET,
) -> Generator[Step, None, Scop]:
    """Remove scalar dependences: DeLICM, whole (Kruse, Grosser).

    Forwards operand trees, maps scalars to array elements, and simplifies what is left, in this
    order (section 4). Claims that the result computes the same values of all live-out arrays, for
    all parameter values that the context and `requires` allow.

    `only`: some of the stages, "forward", "map" and "simplify" (`"forward, map"` or a sequence).
    `max_operations` bounds isl's work for each read that is forwarded, and for each store that is
    mapped to; where it is used up, nothing is changed. Raises PolynbError for other stages.
    """
    max_operations = optional(count, "max_operations", max_operations)
    for stage in _stages(only):
        yield StageBegun(stage, SAID[stage])
        work = STAGES[stage]
        scop = yield from work.steps(scop, max_operations=max_operations)
    return scop


def _stages(only: str | Sequence[str] | None) -> tuple[str, ...]:
    if only is None:
        return tuple(STAGES)
    wanted = several_names("only", only, STAGES, what="stage")
    if not wanted:
        raise PolynbError("only= names no stage", hint=", ".join(STAGES))
    return tuple(s for s in STAGES if s in wanted)
