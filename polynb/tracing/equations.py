"""Linear equations, solved exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

Affine = tuple[Fraction, ...]
"""An affine function: its constant, and its coefficients."""


def solution(
    equations: Iterable[Sequence[int | Fraction]], unknowns: int, *, unique: bool = True
) -> list[Fraction] | None:
    """The one solution of equations, each of which has its coefficients and then its right side;
    None where there is none, or (`unique`) where there are several, of which else one is given."""
    rows = [[Fraction(x) for x in e] for e in dict.fromkeys(map(tuple, equations))]
    solved: list[int] = []
    for c in range(unknowns):
        done = len(solved)
        pivot = next((r for r in rows[done:] if r[c]), None)
        if pivot is None:
            if unique:
                return None
            continue
        rows.remove(pivot)
        rows.insert(done, [x / pivot[c] for x in pivot])
        for k, r in enumerate(rows):
            if k != done and r[c]:
                rows[k] = [x - r[c] * y for x, y in zip(r, rows[done], strict=True)]
        solved.append(c)
    if any(r[-1] for r in rows[len(solved) :]):
        return None
    found = dict(zip(solved, rows, strict=False))
    return [found[c][-1] if c in found else Fraction(0) for c in range(unknowns)]


def affine_through(points: Mapping[tuple[int, ...], int | Fraction]) -> Affine | None:
    """An affine function that has these values at these points; None where there is none."""
    rows = [(1, *v, at) for v, at in points.items()]
    unknowns = len(rows[0]) - 1 if rows else 0
    found = solution(rows, unknowns, unique=False)
    return None if found is None else tuple(found)
