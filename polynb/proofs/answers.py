"""The answer to whether two programs are the same for every size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polynb.conveniences import Conveniences
from polynb.run.oracle import Difference
from polynb.words import listed

Answer = Literal["proved", "refuted", "unknown"]


@dataclass(frozen=True, eq=False)
class Proof(Conveniences):
    """Whether two programs are the same for all parameter values that the first one allows.

    `answer`: "proved"; "refuted", with a `difference` (parameter values, a cell and the two terms
    in it) that running both has confirmed; or "unknown", and the `reason`. Only what is proved is
    true as a condition. `parameters` are those of the first program.
    """

    answer: Answer
    difference: Difference | None = None
    reason: str = ""
    parameters: tuple[str, ...] = ()

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

    def __repr__(self) -> str:
        return f"<Proof: {self}>"
