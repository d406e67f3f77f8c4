"""The decisions of `simplify`, with their evidence."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.derivation import Sentence, Step
from polynb.rewriting.dead_writes import WritesGone


@dataclass(frozen=True, eq=False)
class _Removed(WritesGone):
    """`whole`: these are all there are."""

    whole: bool

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement, self.array)

    def _said(self, text: str) -> Sentence:
        how = ("", "it is removed") if self.whole else ("sometimes ", "these writes are removed")
        said = {"statement": self.statement, "array": self.array}
        return text, said | {"sometimes": how[0], "what": how[1]}


@dataclass(frozen=True, eq=False)
class RedundantWrites(_Removed):
    """The cell has that value already."""

    @property
    def sentence(self) -> Sentence:
        return self._said("{statement} {sometimes}writes what {array} has there already: {what}.")


@dataclass(frozen=True, eq=False)
class DeadWrites(_Removed):
    """Nothing that remains needs the value."""

    @property
    def sentence(self) -> Sentence:
        return self._said(
            "{statement} {sometimes}writes values of {array} that nothing needs: {what}."
        )


@dataclass(frozen=True, eq=False)
class StatementEmpty(Step):
    """A statement that has no instances, for any parameter values that are allowed."""

    statement: str

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement,)

    @property
    def sentence(self) -> Sentence:
        return "{statement} never runs, and is removed.", {"statement": self.statement}


@dataclass(frozen=True, eq=False)
class ArrayGone(Step):
    """A temporary that nothing accesses any more."""

    array: str

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        return "Nothing uses {array} any more: it is gone.", {"array": self.array}


@dataclass(frozen=True, eq=False)
class NotSimplified(Step):
    """A question that was not answered: its budget was used up, or isl failed. Nothing was changed
    for it."""

    array: str
    question: str
    why: str

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        text = "Which writes of {array} are {question} was not found: {why}."
        return text, {"array": self.array, "question": self.question, "why": self.why}
