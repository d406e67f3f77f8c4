"""The words of a verdict on whether two programs are the same, for all who give one: those who
prove it, those who run both, displays and labs; and where two programs part: a cell, the terms in
it, and numbers that differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from polynb.run.execution import Point
from polynb.run.terms import Term, first_difference, shown
from polynb.scop.witness import Witness

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
NOTHING: Final = "all that they write is temporary, and nothing of it is compared"
"""How two programs are the same that leave nothing."""


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
    """What is certain is another value; what is not may be another form of the same."""
    return DIFFERENT if found.certain else FORM


# -- where they part ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbers:
    """What is left in a cell by each program, as text, for some data: cells and their content."""

    before: str
    after: str
    data: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        cells = ", ".join(f"{cell} = {value}" for cell, value in self.data)
        where = f", for {cells}" if cells else ""
        return f"{self.before} before, {self.after} after{where}"


@dataclass(frozen=True, eq=False)
class Difference:
    """The first place where two programs part.

    `before` and `after` are what they leave in the cell `array[index]` (in the array as a whole
    where subscripts depend on data: `index` is None); or one of them does not do what its model
    says, which `reason` tells, and there is no cell. `numbers`: data for which what is left differs
    in a bit; None: both were computed for as many `tried` contents of memory, and no bit differed
    where both are defined. (All values that are no numbers count as one.)
    """

    witness: Witness
    array: str | None = None
    index: Point | None = None
    before: Term | None = None
    after: Term | None = None
    reason: str = ""
    numbers: Numbers | None = None
    tried: int = 0

    @property
    def certain(self) -> bool:
        """Whether it is more than another form of the same."""
        return self.numbers is not None or self.before is None

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            return self.witness.for_values(self.reason)
        left, right = _in_other_types(*first_difference(self.before, self.after))
        differs = "differs" if self.certain else "is computed in another way"
        lines = [
            self.witness.for_values(f"{self.witness.cell} {differs}"),
            f"  before: {shown(self.before)}",
            f"  after:  {shown(self.after)}",
        ]
        if left is not self.before or left.type is not right.type:
            lines.append(f"  where:  {_become(left, right)}")
        if self.numbers is not None:
            lines.append(f"  bits:   {self.numbers}")
        else:
            lines.append(f"  bits:   none differ, in {self.tried} tries with other data")
        return "\n".join(lines)


def _in_other_types(left: Term, right: Term) -> tuple[Term, Term]:
    """Where the same operation is done in two types, and then converted, the operations."""
    a, b = left, right
    while a.op == "convert" != b.op:
        a = a.arguments[0]
    while b.op == "convert" != a.op:
        b = b.arguments[0]
    return (a, b) if a.op == b.op and a.type is not b.type else (left, right)


def _become(left: Term, right: Term) -> str:
    """What has become what; with their types, where those differ."""
    if left.type is right.type:
        return f"{shown(left)} has become {shown(right)}"
    return f"{shown(left)}, which is {left.type}, has become {shown(right)}, which is {right.type}"
