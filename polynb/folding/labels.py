"""Label functions: affine functions of iteration vectors, some of whose coefficients are ⊤.

TACO'19, section 4.2: what the pieces of a folded stream map vectors to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from polynb.errors import PolynbError


class Sign(Enum):
    """What stands for a coefficient that is no number: not determined yet, or given up."""

    BOTTOM = "⊥"
    TOP = "⊤"

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return self.value


BOTTOM: Final = Sign.BOTTOM
"""Not determined yet: no loop has iterated along that dimension. Never in a result."""
TOP: Final = Sign.TOP
"""An uninterpreted function of that dimension's iterator: nothing affine was found along it."""


@dataclass(frozen=True)
class LabelFunction:
    """`f(cj, ck) = 1cj + ⊤ck + 67`, coefficients from the outermost dimension inwards.

    The claim, for every pair of points c, c' of the piece that agree in all coordinates whose
    coefficient is ⊤: `f(c) - f(c')` is the sum of `k * (c[q] - c'[q])` over the other coordinates.
    In other words, the label is the affine part plus one function of the ⊤ coordinates together.
    (Section 4.2; the paper's own algorithm tests this only where pieces begin.) Where there is no
    ⊤, it is the label itself. The constant is that of the labels at the ⊤ coordinates of the
    piece's anchor, its lexicographically smallest point.
    """

    coefficients: tuple[int | Sign, ...]
    constant: int = 0

    @property
    def is_affine(self) -> bool:
        """Whether no coefficient is ⊤: it gives back the stream's labels."""
        return TOP not in self.coefficients

    @property
    def tops(self) -> tuple[int, ...]:
        """The dimensions (0 is the outermost) whose coefficients are ⊤."""
        return tuple(q for q, k in enumerate(self.coefficients) if k is TOP)

    def __call__(self, point: Sequence[int]) -> int:
        """The label of a point. Raises PolynbError where a coefficient is ⊤."""
        if not self.is_affine:
            raise PolynbError(
                f"{self} has no value: ⊤ stands for what is not known",
                hint="`difference(c, c2)` of points that agree in the ⊤ coordinates",
            )
        return self.constant + self.affine_part(point)

    def affine_part(self, point: Sequence[int]) -> int:
        """The sum of the terms that are known, without the constant."""
        return sum(
            k * c for k, c in zip(self.coefficients, point, strict=True) if not isinstance(k, Sign)
        )

    def difference(self, point: Sequence[int], other: Sequence[int]) -> int | None:
        """`f(point) - f(other)`, None where nothing is claimed: they differ in a ⊤ coordinate."""
        if any(point[q] != other[q] for q in self.tops):
            return None
        return self.affine_part(point) - self.affine_part(other)

    def text(self, names: Sequence[str], *, unit: str = "1") -> str:
        """As Table 3 prints it, `1cj + ⊤ck + 67`; with `unit=""` as Table 4, `0cj + ck - 1`."""
        terms = [
            f"{unit if k == 1 else k}{name}"
            for k, name in zip(self.coefficients, names, strict=True)
        ]
        if self.constant or not terms:
            terms.append(str(self.constant))
        return " + ".join(terms).replace(" + -", " - ")

    def __str__(self) -> str:
        return self.text([f"c{q + 1}" for q in range(len(self.coefficients))])
