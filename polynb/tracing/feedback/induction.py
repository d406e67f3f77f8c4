"""Induction variables, and the dependences that go with them (TACO'19, section 4.3)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from polynb.folding import Folded
from polynb.tracing.model import Folding, Instruction

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class InductionVariable:
    """An integer computation whose label function has only integer coefficients, in all pieces: in
    this run, its values are known functions of the iterators (`I5: 0cj + 1ck + 1`)."""

    instruction: Instruction
    functions: tuple[str, ...]

    def __str__(self) -> str:
        i = self.instruction
        return f"{i.name} ({i.text}, line {i.line}) is {' or '.join(self.functions)}"


@dataclass(frozen=True)
class RemovedDependence:
    """A dependence that asks for no order, as the value can be computed from the iterators: it is
    of (`at`) an induction variable."""

    source: str
    destination: str
    at: str

    def __str__(self) -> str:
        return f"{self.source} -> {self.destination}: {self.at} is an induction variable"


@dataclass(frozen=True, eq=False)
class Pruned:
    """The dependences without those of induction variables."""

    variables: Mapping[str, InductionVariable]
    kept: Mapping[Pair, Folded]
    removed: tuple[RemovedDependence, ...]


def induction_variables(folding: Folding) -> dict[str, InductionVariable]:
    """The integer computations (and moves of integers) of which no coefficient is ⊤."""
    found = {}
    for name, i in folding.instructions.items():
        folded = folding.executed.get(name)
        if i.kind not in ("integer", "move") or i.outputs != ("value",) or folded is None:
            continue
        if folded.pieces and folded.is_affine:
            texts = dict.fromkeys(folded.label_text(p) for p in folded.pieces)
            found[name] = InductionVariable(i, tuple(texts))
    return found


def pruned(folding: Folding, keep: Container[str] = ()) -> Pruned:
    """All dependences but those that begin or end at an induction variable (but for those in
    `keep`).

    The paper's two reasons: an induction variable needs its value of the iteration before, which
    alone makes a loop sequential; and the scheduler has less to do.
    """
    variables = {n: v for n, v in induction_variables(folding).items() if n not in keep}
    kept, removed = {}, []
    for pair, folded in folding.dependences.items():
        at = next((name for name in pair if name in variables), None)
        if at is None:
            kept[pair] = folded
        else:
            removed.append(RemovedDependence(*pair, at))
    return Pruned(variables, kept, tuple(removed))
