"""The answer to whether two programs are the same for every size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from polynb.conveniences import Conveniences, Markup
from polynb.derivation import Derivation, Step
from polynb.run.outputs import leave_nothing
from polynb.run.verdicts import (
    DEFINED,
    DIFFERENT,
    FORM,
    NOT_KNOWN,
    NOTHING,
    SAME,
    Difference,
    Grade,
    Sameness,
)
from polynb.scop.model import Scop
from polynb.words import listed


@dataclass(frozen=True, eq=False, repr=False)
class Proof(Sameness, Conveniences):
    """Whether two programs are the same for all parameter values that the first one allows.

    `answer`: "the same"; "the same where both are defined", on a `condition`, a text; "different",
    with a `difference` (parameter values, a cell, and two numbers) that computing both has shown;
    "the same but for form", where it showed other terms and no other bits; or "not known", and the
    `reason`. Only what is the same is true as a condition: where both are defined, if none of them
    is where the other is not (not so if it is `one_sided`). `doubted`: the parameter values at
    which they are not seen to be the same, where it would have taken too long to run them.
    `parameters` are those of the first program; `programs` are both, what is played step by step,
    within the `budget` (operations of isl, and seconds) that the proof had.
    """

    answer: Grade = NOT_KNOWN
    difference: Difference | None = None
    reason: str = ""
    doubted: Mapping[str, int] | None = None
    parameters: tuple[str, ...] = ()
    condition: str = ""
    one_sided: bool = False
    programs: tuple[Scop, Scop] | None = None
    budget: tuple[int | None, float | None] = (None, None)

    def __bool__(self) -> bool:
        return self.answer == SAME or (self.answer == DEFINED and not self.one_sided)

    @property
    def explanation(self) -> str:
        if self.answer in (DIFFERENT, FORM):
            return f": {self.difference}"
        return f": {self.scope or self.reason}"

    @property
    def scope(self) -> str:
        """`proved for every N`, with the condition if there is one; "" where it is not."""
        if self.answer not in (SAME, DEFINED):
            return ""
        if self.programs is not None and leave_nothing(*self.programs):
            return NOTHING
        sizes = f"every {listed(self.parameters)}" if self.parameters else "all data"
        if not self.condition:
            return f"proved for {sizes}"
        alone = len(self.parameters) == 1 and self.condition.startswith(f"{self.parameters[0]} ")
        if alone:
            return f"proved for every {self.condition}"
        joint = " " if self.condition.startswith("(") else ", "
        return f"proved for {sizes}{joint}{self.condition}"

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

    def step(self, /, predict: bool = False, **parameters: int) -> Any:
        """A widget that plays the steps (see `Derivation.step`)."""
        return self.explained().step(predict, **parameters)

    def to_html(self, file: str | PathLike[str] | None = None, **parameters: int) -> Markup | Path:
        """One page that plays the steps (see `Derivation.to_html`)."""
        derivation = self.explained()
        if file is None:
            return derivation.to_html(None, **parameters)
        return derivation.to_html(file, **parameters)
