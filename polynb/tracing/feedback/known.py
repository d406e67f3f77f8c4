"""What of a run is known from its iterators: induction variables, and the dependences that stay
(TACO'19, section 4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polynb.folding import Folded
from polynb.tracing.model import Pair
from polynb.tracing.records import Instruction


@dataclass(frozen=True, eq=False)
class InductionVariable:
    """An integer computation whose label function has only integer coefficients, in all pieces: in
    this run, its values are known functions of the iterators (`I5: 0cj + 1ck + 1`). What is known
    `within` so many loops alone, goes by steps, or factors, from what it had before the innermost
    of them."""

    instruction: Instruction
    functions: tuple[str, ...]
    within: int = 0

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
    """The dependences without those of induction variables; `chosen` are those of them that stay,
    as data choose between the values, or as the first iteration reads another one (also into
    conditions). `wrapped` are the latter, with whether that iteration is the only one."""

    variables: Mapping[str, InductionVariable]
    kept: Mapping[Pair, Folded]
    removed: tuple[RemovedDependence, ...]
    chosen: frozenset[Pair] = frozenset()
    wrapped: Mapping[Pair, bool] = field(default_factory=dict)

    def knows(self, name: str, q: int) -> bool:
        """Whether an instruction's values are known from the iterators of loops from q on."""
        found = self.variables.get(name)
        return found is not None and found.within <= q + 1
