"""Streams, the variants of folding, and what streams are folded into (TACO'19, sections 4, 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, overload

import numpy as np
from numpy.typing import NDArray

from polynb import isl
from polynb.arguments import instance, integer, optional, unknown
from polynb.conveniences import Conveniences, Markup
from polynb.folding.pieces import FoldedPiece
from polynb.folding.search import SLOPE

if TYPE_CHECKING:
    Table = Any  # of a room further down

Kind = Literal["instruction", "dependence"]


@dataclass(frozen=True)
class Variant:
    """How a stream is folded.

    `widen`: a dependence's coefficients may become ⊤ (an instruction's always may). `give_up`: how
    many polyhedra may live at a time; with more, a box holds all that follows. None: any number.
    `slope`: edges move an inner coordinate by up to that much for each step outwards. It is 1 in
    the paper, where a triangle `j <= 2*i` is a piece for each row.
    """

    widen: bool = True
    give_up: int | None = None
    slope: int = SLOPE

    def __post_init__(self) -> None:
        optional(integer, "give_up", self.give_up, least=1, most=2**40)
        integer("slope", self.slope, least=0, most=8)


NAMED: Final = {"F": (False, False), "F_W": (True, False), "F_GG": (False, True)} | {
    "F_GG,W": (True, True)
}
"""The paper's four variants: whether they widen, and whether they give up."""


def variant_of(named: Any, dims: int) -> Variant:
    """A variant itself, or the one of that name in that many dimensions: those with GG give up
    with more than 4 D + 1 live polyhedra. Raises PolynbError for another name."""
    if isinstance(named, str) and named in NAMED:
        widen, give_up = NAMED[named]
        return Variant(widen, 4 * dims + 1 if give_up else None)
    if isinstance(named, str):
        raise unknown("variant", named, NAMED)
    return instance("variant", named, Variant, 'variant="F_GG,W", or pn.folding.Variant(...)')


@dataclass(frozen=True)
class Stream:
    """What entries are of: an instruction's instances with its addresses or values, or a
    dependence, from the consumer's vector to the producer's. `dimensions` and `outputs` are names,
    outermost first."""

    identifier: str
    kind: Kind
    dimensions: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Entries:
    """A stream itself: vectors (n, D), labels (n, L), and how it was folded."""

    points: NDArray[np.int64]
    labels: NDArray[np.int64]
    variant: Variant


@dataclass(frozen=True, eq=False)
class Folded(Conveniences):
    """A stream, folded: a piecewise label function on a union of elementary polyhedra.

    `entries` were folded, `rejected` refused (out of order, or repeated). `most_live` is the
    largest number of polyhedra that lived at a time (the paper's #MP_I); `gave_up`: the last piece
    is a box that contains all points since then. `stream_entries` are the entries themselves of a
    small stream, which can be stepped through.
    """

    stream: Stream
    pieces: tuple[FoldedPiece, ...]
    entries: int
    most_live: int
    gave_up: bool = False
    rejected: int = 0
    stream_entries: Entries | None = field(default=None, repr=False)

    @property
    def affine(self) -> float:
        """The share of entries in affine pieces, the paper's %A (1.0 of none)."""
        return sum(p.points for p in self.pieces if p.is_affine) / max(self.entries, 1) or float(
            not self.entries
        )

    @property
    def is_affine(self) -> bool:
        """Whether all entries can be had back."""
        return all(p.is_affine for p in self.pieces)

    @property
    def domain(self) -> isl.Set:
        """All vectors, `{ I2[cj, ck] : ... }` (of what was given up, a superset of them)."""
        name = self._tuple
        space = isl.set_space((), name or None, self.stream.dimensions)
        return isl.united((p.domain(self.stream.dimensions, name) for p in self.pieces), space)

    @property
    def relation(self) -> isl.Map:
        """From vectors to labels, `{ I2[cj, ck] -> [address] : ... }`; outputs with a ⊤ are not
        constrained."""
        names, outputs, name = self.stream.dimensions, self.stream.outputs, self._tuple
        parts = [p.relation(names, outputs, name) for p in self.pieces]
        if not parts:
            domain = isl.set_space((), name or None, names)
            targets = isl.set_space((), None, outputs)
            return isl.Map.from_domain_and_range(isl.Set.empty(domain), isl.Set.universe(targets))
        return isl.united(parts)

    @property
    def _tuple(self) -> str:
        """The stream's name as a tuple of isl's; a dependence's has an arrow, so it has none."""
        name = self.stream.identifier
        return name if name.isidentifier() and self.stream.kind == "instruction" else ""

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """As in Tables 3 and 4: identifier, polyhedron, label function; and the points."""
        for k, piece in enumerate(self.pieces):
            shape = piece.polyhedron(self.stream.dimensions)
            about = f"{shape} (approximate)" if piece.approximate else shape
            yield "" if k else self.stream.identifier, about, self.label_text(piece), piece.points

    def label_text(self, piece: FoldedPiece) -> str:
        """`1cj + ⊤ck + 67`; of a dependence, `cj' = cj + 0ck, ck' = 0cj + ck - 1`."""
        names, outputs = self.stream.dimensions, self.stream.outputs
        instance("piece", piece, FoldedPiece, "one of its pieces")
        if not piece.labels:
            return "N/A"
        if self.stream.kind == "instruction" and len(outputs) == 1:
            return piece.labels[0].text(names)
        unit = "" if self.stream.kind == "dependence" else "1"
        return ", ".join(
            f"{o} = {f.text(names, unit=unit)}" for o, f in zip(outputs, piece.labels, strict=True)
        )

    def table(self) -> Table:
        """The pieces as Tables 3 and 4 print them, with how many points each has."""
        names = ", ".join(self.stream.dimensions)
        head = ["Id", f"Polyhedron ({names})", f"Label function f({names})", "Points"]
        return self._below("table", head, list(self.rows()), head[1:3], self._notes())

    def step(self) -> Any:
        """A widget that steps through the folding of a small stream, as Figure 5 does: points,
        growing polyhedra, coefficients that are ⊥, known or ⊤, and the lines of Algorithm 1.

        Raises PolynbError for a stream that was not kept, and without Jupyter.
        """
        return self._below("step", {})

    @overload
    def to_html(self, file: None = None) -> Markup: ...

    @overload
    def to_html(self, file: str | PathLike[str]) -> Path: ...

    def to_html(self, file: str | PathLike[str] | None = None) -> Markup | Path:
        """The same as one page, without a kernel: as text, or written to `file`."""
        page: Markup | Path = self._below("to_html", file, {})
        return page

    def _notes(self) -> list[str]:
        notes = []
        if self.gave_up:
            notes.append("given up: the approximate piece also holds points that never came")
        if self.rejected:
            notes.append(f"{self.rejected} entries were refused: out of order, or repeated")
        return notes

    def __str__(self) -> str:
        return str(self.table())
