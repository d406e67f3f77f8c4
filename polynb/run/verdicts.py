"""The words of a verdict on whether two programs are the same, for all who give one: those who
prove it, those who run both, displays and labs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from polynb.run.differences import Difference

Grade = Literal[
    "the same",
    "the same where both are defined",
    "the same but for form",
    "different",
    "not known",
]
SAME: Final[Grade] = "the same"
DEFINED: Final[Grade] = "the same where both are defined"
FORM: Final[Grade] = "the same but for form"
DIFFERENT: Final[Grade] = "different"
NOT_KNOWN: Final[Grade] = "not known"


@dataclass(frozen=True, eq=False)
class Sameness:
    """Whether two programs leave the same in every cell that either writes, but for temporaries.

    True as a condition only if they do, for all sizes that are spoken of and whatever the data.
    `difference` is there where their terms differ: with two numbers that differ if they are
    "different", without where they are "the same but for form": computed in another way, and no
    bits differed for any of the data that was tried.
    """

    @property
    def answer(self) -> Grade:
        raise NotImplementedError

    @property
    def explanation(self) -> str:
        """What comes after the answer: for which sizes, and how that is known; where they differ;
        why it is not known."""
        raise NotImplementedError

    def __str__(self) -> str:
        return f"{self.answer}{self.explanation}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"


def of_difference(found: Difference) -> Grade:
    return DIFFERENT if found.certain else FORM
