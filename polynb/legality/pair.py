"""Two live ranges of one cell that a new order makes overlap: who writes, and who reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from polynb.scop.witness import Instance, values_text

Time = tuple[int, ...]

HOLDS: Final = {
    "live range": "{cell} holds what {write} writes until {read} reads it",
    "live-in": "{cell} holds what was there before the program until {read} reads it",
    "live-out": "{cell} is to hold what {write} writes when the program has ended",
}
WHERE: Final = {"live range": " in between", "live-in": " before that", "live-out": " afterwards"}


@dataclass(frozen=True)
class LiveRange:
    """The life of a value in a cell, from a write to a read.

    `write` None: it was there before the program. `read` None: it is there after the program if it
    `remains`, else nothing reads it. `start` and `end` are the times of the two in the new order.
    """

    write: Instance | None
    read: Instance | None
    start: Time | None = None
    end: Time | None = None
    remains: bool = False

    def __str__(self) -> str:
        """`from S(0) to T(1)`"""
        begin = f"from {self.write}" if self.write else "from before the program"
        if self.read is not None:
            return f"{begin} to {self.read}"
        return f"{begin} to the end of the program" if self.remains else f"{begin}, read by nothing"

    @property
    def use(self) -> str:
        """What becomes of the value, as a clause: `whose value T(1) reads`."""
        if self.read is not None:
            return f"whose value {self.read} reads"
        return "whose value remains" if self.remains else "whose value nothing reads"


@dataclass(frozen=True)
class ViolatedPair:
    """Two live ranges in one cell that overlap in a new order: the write of `second` comes within
    `first`.

    `kind` says what `first` is: "live range" (from a write to a read of its value), "live-in" (of
    what was there before the program, to a read), or "live-out" (of what is there after it, from
    its write). Not `exact`: data decides whether these accesses happen. (The paper's own formulas
    also pair a range with itself.)
    """

    kind: str
    array: str
    cell: str
    first: LiveRange
    second: LiveRange
    parameters: Mapping[str, int]
    exact: bool = True

    @property
    def instances(self) -> dict[str, Instance]:
        """The instances by their roles, up to four: write, read, other write, other read."""
        roles = {
            "write": self.first.write,
            "read": self.first.read,
            "other write": self.second.write,
            "other read": self.second.read,
        }
        return {role: i for role, i in roles.items() if i is not None}

    @property
    def times(self) -> dict[str, Time]:
        """The times in the new order, by the same roles."""
        roles = {
            "write": self.first.start,
            "read": self.first.end,
            "other write": self.second.start,
            "other read": self.second.end,
        }
        return {role: t for role, t in roles.items() if t is not None}

    def __str__(self) -> str:
        first, second = self.first, self.second
        holds = HOLDS[self.kind].format(cell=self.cell, write=first.write, read=first.read)
        would = "would" if self.exact else "may"
        text = f"{holds}, and {second.write}, {second.use}, {would} overwrite it{WHERE[self.kind]}"
        values = values_text(self.parameters)
        return f"{text}; {values}" if values else text
