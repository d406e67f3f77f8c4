"""The decisions of `simplify`, with their evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from polynb import isl
from polynb.derivation import Step

Sentence = tuple[str, dict[str, Any]]


@dataclass(frozen=True, eq=False)
class RedundantWrites(Step):
    """Write instances `{ S[i] }` that are no longer executed: the cell has that value already.
    `whole`: these are all that there are."""

    statement: str
    array: str
    removed: isl.Set
    whole: bool

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement, self.array)

    @property
    def sentence(self) -> Sentence:
        text = "{statement} {always}writes what {array} has there already: {what}."
        return text, _said(self.statement, self.array, self.whole)


@dataclass(frozen=True, eq=False)
class DeadWrites(Step):
    """Write instances `{ S[i] }` that are no longer executed: nothing that remains needs the value.
    `whole`: these are all that there are."""

    statement: str
    array: str
    removed: isl.Set
    whole: bool

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement, self.array)

    @property
    def sentence(self) -> Sentence:
        text = "{statement} {always}writes values of {array} that nothing needs: {what}."
        return text, _said(self.statement, self.array, self.whole)


def _said(statement: str, array: str, whole: bool) -> dict[str, Any]:
    always, what = ("", "it is removed") if whole else ("sometimes ", "these writes are removed")
    return {"statement": statement, "array": array, "always": always, "what": what}


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
