"""Text of image pyramids in the SCoP language: loops, and the sizes of their levels.

Level 0 is the picture itself, R rows and C columns; every further level halves both, rounded
down, so that level l has R/2^l rows. What surrounds them is each pipeline's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import indent


def size(extent: str, level: int, more: int = 0) -> str:
    """The rows (`R`) or columns (`C`) of a level and some more, as an affine expression."""
    return shifted(f"{extent}/{2**level}" if level else extent, more)


def shifted(affine: str, offset: int) -> str:
    """An affine expression and a constant: `x`, `x+1`, `2*x-2`."""
    return f"{affine}{offset:+}" if offset else affine


def loop(variable: str, first: str | int, last: str, *body: str, by: int = 1) -> str:
    step = f" by {by}" if by > 1 else ""
    return f"for {variable} = {first} to {last}{step} do\n{_block(body)}\ndone"


def when(condition: str, then: str, otherwise: str = "") -> str:
    rest = f"\nelse\n{_block([otherwise])}" if otherwise else ""
    return f"if {condition} then\n{_block([then])}{rest}\nfi"


def _block(lines: Iterable[str]) -> str:
    return indent("\n".join(lines), "  ")


def weighted(weights: Sequence[int], terms: Sequence[str]) -> str:
    """A weighted sum from left to right, as a factor of a product."""
    products = [t if w == 1 else f"{w}.0f * {t}" for w, t in zip(weights, terms, strict=True)]
    return f"({' + '.join(products)})"
