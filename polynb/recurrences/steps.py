"""What is decided about recurrences, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from polynb.derivation import Step
from polynb.scop.witness import Witness


@dataclass(frozen=True, eq=False)
class Carried(Step):
    """A statement's repeated computations are kept in scalars (CC'18, section 5.4).

    `scalars` has for each computation the scalars that hold its values, the newest last, or the
    one buffer that holds those of a strip; `iterator` is the loop along which they are used.
    """

    statement: str
    iterator: str
    scalars: tuple[tuple[str, ...], ...]

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement, *(name for group in self.scalars for name in group))

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        count = len(self.scalars)
        order = max(len(group) for group in self.scalars) - 1
        said = ("; " if order else ", ").join(", ".join(group) for group in self.scalars)
        text = "{statement} computes {what} once per iteration of {iterator} and "
        text += "passes {them} on in scalars ({said}; order {order})."
        if not order:
            text = "{statement} computes {what} once per iteration of {iterator}, a strip at a "
            text += "time in {said}."
        return text, {
            "statement": self.statement,
            "what": "a repeated part" if count == 1 else f"{count} repeated parts",
            "them": "it" if count == 1 else "them",
            "iterator": self.iterator,
            "said": said,
            "order": order,
        }


@dataclass(frozen=True, eq=False)
class Tabulated(Step):
    """What a statement computes again and again at few different subscripts is kept in tables, for
    a strip of the loop along `iterator` at a time."""

    statement: str
    iterator: str
    tables: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement, *self.tables)

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        text = (
            "{statement} looks up {what} in {tables}, filled for a strip of {iterator} at a time."
        )
        return text, {
            "statement": self.statement,
            "what": "a repeated part" if len(self.tables) == 1 else "repeated parts",
            "tables": ", ".join(self.tables),
            "iterator": self.iterator,
        }


@dataclass(frozen=True, eq=False)
class NotCarried(Step):
    """A statement whose computations repeat keeps them all; `witness`, where there is one, proves
    the reason: a write ("writer") before the read ("reader") that it spoils."""

    statement: str
    reason: str
    witness: Witness | None = None

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement,)

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        text = "{statement} has no recurrences: {reason}{witness}."
        said = {"statement": self.statement, "reason": self.reason, "witness": ""}
        if (w := self.witness) is not None:
            proof = f"{w['writer']} before {w['reader']} reads it"
            said["witness"] = f" ({w.at_values(proof)})"
        return text, said
