"""Text of image pyramids in the SCoP language: arrays, statements and loops.

Level 0 is a picture of R rows and C columns; each further level halves both, rounded down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import NamedTuple


class Extent(NamedTuple):
    """Rows or columns: from `first` to an affine `size` and some `more`."""

    first: int
    size: str
    more: int

    @property
    def last(self) -> str:
        return shifted(self.size, self.more)

    @property
    def extent(self) -> str:
        return shifted(self.size, self.more + 1)


@dataclass(frozen=True)
class Picture:
    """An array of rows and columns in so many planes (colours, say); 0 is one plane without a
    subscript. The iterators are c, x and y; `origin` is the row and column that is stored first.
    """

    name: str
    planes: int
    rows: Extent
    columns: Extent
    origin: int = 0

    def declaration(self) -> str:
        return f"temp float {self._cell(self.rows.extent, self.columns.extent, self.planes)};"

    def at(self, x: str, y: str, plane: str | int = "c") -> str:
        return self._cell(shifted(x, -self.origin), shifted(y, -self.origin), plane)

    def assign(self, x: str, y: str, value: str, part: str = "") -> str:
        """A statement with a label: the name, and what part of the picture this is."""
        return f"{self.name}{part and f'_{part}'}: {self.at(x, y)} = {value};"

    def planewise(self, *body: str) -> str:
        return loop("c", 0, str(self.planes - 1), *body) if self.planes else "\n".join(body)

    def _cell(self, x: str, y: str, plane: str | int) -> str:
        return f"{self.name}{f'[{plane}]' if self.planes else ''}[{x}][{y}]"


def loop(variable: str, first: int | str, last: str, *body: str, by: int = 1) -> str:
    """A loop of polynb's language, its body indented."""
    step = f" by {by}" if by > 1 else ""
    return f"for {variable} = {first} to {last}{step} do\n{_inside(*body)}\ndone"


def when(condition: str, then: str, otherwise: str = "") -> str:
    """An `if` of polynb's language, as a statement."""
    rest = f"\nelse\n{_inside(otherwise)}" if otherwise else ""
    return f"if {condition} then\n{_inside(then)}{rest}\nfi"


def weighted(weights: Sequence[int], terms: Sequence[str]) -> str:
    """A weighted sum from left to right, as a factor of a product."""
    products = [t if w == 1 else f"{w}.0f * {t}" for w, t in zip(weights, terms, strict=True)]
    return f"({' + '.join(products)})"


def shifted(affine: str, offset: int) -> str:
    """An affine expression and a constant: `x`, `x+1`, `2*x-2`."""
    return f"{affine}{offset:+}" if offset else affine


def level_size(extent: str, level: int) -> str:
    """The rows (`R`) or columns (`C`) of a level."""
    return f"{extent}/{2**level}" if level else extent


def evenly_halved(times: int) -> str:
    """The assumption that sizes can be halved so often without a remainder, as those in
    the papers can: no level then has a last row or column that the next one leaves out."""
    n = 2**times
    return f"assume mod(R, {n}) == 0 and mod(C, {n}) == 0;"


def _inside(*body: str) -> str:
    return indent("\n".join(body), "  ")
