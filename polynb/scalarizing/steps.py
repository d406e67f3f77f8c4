"""What is decided about the scalars that a compiler would introduce, in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.derivation import Sentence, Step
from polynb.scop.witness import Witness


@dataclass(frozen=True, eq=False)
class Scalarized(Step):
    """A scalar stands for a cell of an array in a loop. `cell` is as the text has it, `iterator`
    the loop's; `condition` is under which the loop comes to it ("": always)."""

    array: str
    cell: str
    scalar: str
    iterator: str
    condition: str = ""

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array, self.scalar)

    def said(self, text: str, **more: str) -> Sentence:
        where = " where {condition}" if self.condition else ""
        known = {"cell": self.cell, "scalar": self.scalar, "iterator": self.iterator}
        return text + where + ".", {**known, "condition": self.condition, **more}


@dataclass(frozen=True, eq=False)
class LoadHoisted(Scalarized):
    """Nothing in the loop writes the cell: it is loaded before the loop (DeLICM, Listing 2)."""

    @property
    def sentence(self) -> Sentence:
        return self.said("{cell} is loaded into {scalar} before the loop over {iterator}")


@dataclass(frozen=True, eq=False)
class RegisterPromoted(Scalarized):
    """The cell is kept in a scalar during the loop and stored after it (DeLICM, Listing 3).
    `defined_by` is the statement before the loop that writes the scalar at once, "" if none does;
    `loaded`: the scalar begins with what the cell holds."""

    defined_by: str = ""
    loaded: bool = True

    @property
    def sentence(self) -> Sentence:
        text = "{cell} is kept in {scalar} during the loop over {iterator}, {begin}, and stored "
        begin = "which begins with its first value in the loop"
        if self.defined_by:
            begin = f"which {self.defined_by} writes"
        elif self.loaded:
            begin = "loaded before it"
        return self.said(text + "after it", begin=begin)


@dataclass(frozen=True, eq=False)
class PartlyPromoted(RegisterPromoted):
    """The same, but the cell is still stored in each iteration (DeLICM, Listing 4): only its loads
    are gone. `dead`: the statement that defines it needs no store, for the loop's overwrite it."""

    dead: bool = False

    @property
    def sentence(self) -> Sentence:
        begin = "loaded before it"
        if self.defined_by:
            begin = f"which {self.defined_by} writes" + (" instead of the cell" * self.dead)
        text = "{cell} is read from {scalar} in the loop over {iterator}, {begin}, and stored "
        return self.said(text + "each time", begin=begin)


@dataclass(frozen=True, eq=False)
class LoadCarried(Scalarized):
    """What an iteration loads, the one before had: it loaded or `stored` it as `source`. A phi:
    the scalar is written before the loop and in each iteration."""

    source: str = ""
    stored: bool = False

    @property
    def sentence(self) -> Sentence:
        text = "{cell} is what the iteration of {iterator} before {did} as {source}: it is passed "
        did = "stored" if self.stored else "loaded"
        return self.said(text + "on in {scalar}", did=did, source=self.source)


@dataclass(frozen=True, eq=False)
class NotScalarized(Step):
    """A cell stays in memory in a loop. `witness`, where there is one, proves the reason: two
    instances, of the access ("cell") and of another one to the same cell ("other")."""

    array: str
    cell: str
    iterator: str
    reason: str
    witness: Witness | None = None

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        text = "{cell} stays in memory in the loop over {iterator}: {reason}{witness}."
        said = {"cell": self.cell, "iterator": self.iterator, "reason": self.reason, "witness": ""}
        if (w := self.witness) is not None:
            said["witness"] = f" ({w})"
        return text, said
