"""The answer to whether two programs are the same for every size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from polynb.conveniences import Conveniences, Markup
from polynb.derivation import Derivation, Step
from polynb.run.oracle import Difference
from polynb.scop.model import Scop
from polynb.words import listed

Answer = Literal["proved", "refuted", "unknown"]


@dataclass(frozen=True, eq=False)
class Proof(Conveniences):
    """Whether two programs are the same for all parameter values that the first one allows.

    `answer`: "proved"; "refuted", with a `difference` (parameter values, a cell and the two terms
    in it) that running both has confirmed; or "unknown", and the `reason`. Only what is proved is
    true as a condition. `doubted`: the parameter values at which they are not seen to be the same,
    where it would have taken too long to run them. `parameters` are those of the first program;
    `programs` are both, what is played step by step, within the `budget` (operations of isl, and
    seconds) that the proof had.
    """

    answer: Answer
    difference: Difference | None = None
    reason: str = ""
    doubted: Mapping[str, int] | None = None
    parameters: tuple[str, ...] = ()
    programs: tuple[Scop, Scop] | None = None
    budget: tuple[int | None, float | None] = (None, None)

    def __bool__(self) -> bool:
        return self.answer == "proved"

    def __str__(self) -> str:
        if self.difference is not None:
            return f"refuted: {self.difference}"
        return self.scope if self else f"not known: {self.reason}"

    @property
    def scope(self) -> str:
        """`proved for every N`; "" where it is not."""
        if not self:
            return ""
        return f"proved for {f'every {listed(self.parameters)}' if self.parameters else 'all data'}"

    def explained(self) -> Derivation:
        """How the proof goes, found by doing it once more: its steps are the pairs of expressions
        that are to be the same, each with a relation `{ S[i] -> T[j] }` of instances before and
        after, what was done with them, and what is assumed of them from then on."""
        found: Derivation = self._below("explained")
        return found

    @property
    def steps(self) -> tuple[Step, ...]:
        """Those of `explained()`."""
        return self.explained().steps

    def step(self, predict: bool = False, **parameters: int) -> Any:
        """A widget that plays the steps (see `Derivation.step`)."""
        return self.explained().step(predict, **parameters)

    def to_html(self, file: str | PathLike[str] | None = None, **parameters: int) -> Markup | Path:
        """One page that plays the steps (see `Derivation.to_html`)."""
        derivation = self.explained()
        if file is None:
            return derivation.to_html(None, **parameters)
        return derivation.to_html(file, **parameters)

    def __repr__(self) -> str:
        return f"<Proof: {self}>"
