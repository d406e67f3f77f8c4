"""What a dependence is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.conveniences import Portable

FLOW_NAMES: Final = {"raw": "flow", "war": "anti", "waw": "output", "rar": "input"}


@dataclass(frozen=True, eq=False)
class Edge(Portable):
    """A dependence between two statements through one array: `relation` is `{ S[i] -> T[j] }`.

    `kind` is "raw" (flow), "war" (anti), "waw" (output) or "rar" (input). `read` is the index of
    the read involved among the reads of its statement: the target's for raw, the source's for
    war and rar. Not `exact`: a may access is involved, so that some pairs may not be dependent.
    """

    kind: str
    array: str
    source: str
    target: str
    relation: isl.Map
    read: int | None = None
    exact: bool = True

    @property
    def flow_name(self) -> str:
        """The kind by its other name: "flow", "anti", "output" or "input"."""
        return FLOW_NAMES[self.kind]

    def __str__(self) -> str:
        number = "" if self.read is None else f" #{self.read}"
        return f"{self.kind.upper()} {self.source} -> {self.target}{number} ({self.array})"
