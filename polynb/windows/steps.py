"""The decisions of row windows, with their evidence."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.derivation import Sentence, Step
from polynb.scop.model import Scop
from polynb.windows.rows import RowTimes
from polynb.words import counted, listed


@dataclass(frozen=True, eq=False)
class ComputedBefore(Step):
    """An array that is computed whole, before the strips."""

    array: str
    reason: str

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        text = "{array} is computed whole, before the strips: {reason}."
        return text, {"array": self.array, "reason": self.reason}


@dataclass(frozen=True, eq=False)
class NotInStrips(Step):
    """The program stays as it is."""

    reason: str

    @property
    def sentence(self) -> Sentence:
        return "Nothing is computed in strips: {reason}.", {"reason": self.reason}


@dataclass(frozen=True, eq=False)
class InStrips(Step):
    """A pipeline in strips of so many rows of its results; `rows` says when those of each temporary
    are computed. Each strip has cells of its own for all rows. `results`: of a pipeline that
    computes what is needed before; without, those of the program."""

    results: tuple[str, ...]
    height: int
    rows: dict[str, RowTimes]
    parallel: bool
    result: Scop

    @property
    def sentence(self) -> Sentence:
        text = "{results} {are} computed in strips of {rows}{parallel}, with all that a strip needs"
        again = [n for n, r in self.rows.items() if r.needed]
        text += ", so that strips that meet compute rows of {again} again." if again else "."
        return text, {
            "results": listed(self.results) if self.results else "The results",
            "are": "is" if len(self.results) == 1 else "are",
            "rows": counted(self.height, "row"),
            "again": listed(again),
            "parallel": ", in parallel" if self.parallel else "",
        }


@dataclass(frozen=True, eq=False)
class Windowed(Step):
    """An array of which no more than `rows.height` rows are needed at a time: a row lives in that
    of its number modulo the height."""

    array: str
    rows: RowTimes
    result: Scop

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        text = "{array} is a window of {rows}: no more are needed at a time."
        return text, {"array": self.array, "rows": counted(self.rows.height, "row")}
