"""In which order arrays are propagated, and whether it is worth it (CC'18, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polynb.dependences import Dependences
from polynb.scop import Scop

Order = Callable[[Dependences, Sequence[str]], str]
"""Picks the next of some candidate arrays, given the dependences of the program so far."""

Heuristic = Callable[[Scop, Scop, str], str | None]
"""Given the program before and after an array was propagated: why it is not worth it, or None."""


def first_write(dependences: Dependences, candidates: Sequence[str]) -> str:
    """The array that is written first in the text."""
    written = [s.write.array for s in dependences.scop.statements]
    return min(candidates, key=lambda a: written.index(a) if a in written else len(written))
