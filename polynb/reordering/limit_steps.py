"""The steps of live-range reordering where no schedule is found, or nothing can be tiled."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.derivation import Sentence, Step
from polynb.legality.checking import Conflict
from polynb.reordering.constraints import Constraint
from polynb.reordering.sentences import AboutStatements
from polynb.words import counted, listed


@dataclass(frozen=True, eq=False)
class NotScheduled(AboutStatements):
    """No schedule is found for these statements, below the bands around them, for this `reason`."""

    reason: str

    @property
    def sentence(self) -> Sentence:
        text = "No schedule for {statements}: {reason}."
        return text, {"statements": listed(self.statements), "reason": self.reason}


@dataclass(frozen=True, eq=False)
class OrderTaken(AboutStatements):
    """Statements that no schedule was found for get the order of isl's scheduler; whether it is
    legal is proven with the rest."""

    @property
    def sentence(self) -> Sentence:
        return "isl's scheduler orders {statements}.", {"statements": listed(self.statements)}


@dataclass(frozen=True, eq=False)
class OrderKept(AboutStatements):
    """Statements that no schedule was found for keep the order that they have."""

    @property
    def sentence(self) -> Sentence:
        text = "For {statements} nothing is changed: in the order of the text every dependence is "
        text += "respected."
        return text, {"statements": listed(self.statements)}


@dataclass(frozen=True, eq=False)
class OrderRefused(AboutStatements):
    """isl's order of some statements is illegal, as the conflict shows: they keep their own."""

    conflict: Conflict

    @property
    def sentence(self) -> Sentence:
        text = "isl's order is illegal ({conflict}): {statements} stay in their own order."
        return text, {"statements": listed(self.statements), "conflict": str(self.conflict)}


@dataclass(frozen=True, eq=False)
class Repaired(Step):
    """An order of isl's is illegal, as the conflict shows: the order dependences next to it are
    made validity constraints, and isl is asked again."""

    conflict: Conflict
    added: tuple[Constraint, ...]

    @property
    def about(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.conflict.witness.statements))

    @property
    def sentence(self) -> Sentence:
        text = (
            "isl's order is illegal, as {conflict}. {count} of {array} must be respected from "
            "now on, and isl schedules again."
        )
        return text, {
            "conflict": str(self.conflict),
            "count": counted(len(self.added), "order dependence", "no").capitalize(),
            "array": self.conflict.array,
        }


@dataclass(frozen=True, eq=False)
class NotTiled(Step):
    """No band has two or more permutable loops, so that there is nothing to tile."""

    reason: str

    @property
    def sentence(self) -> Sentence:
        text = "Nothing is tiled, as no band has two or more permutable loops: {reason}."
        return text, {"reason": self.reason}


@dataclass(frozen=True, eq=False)
class Unchanged(AboutStatements):
    """The whole program stays as it is: a budget was used up where no part of it can go on."""

    reason: str

    @property
    def sentence(self) -> Sentence:
        return "Nothing was changed: {reason}.", {"reason": self.reason}
