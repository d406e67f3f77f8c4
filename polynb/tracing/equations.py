"""Linear equations, solved exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction


def solution(equations: Iterable[Sequence[int]], unknowns: int) -> list[Fraction] | None:
    """The one solution of equations, each of which has its coefficients and then its right side;
    None where there are several, or none."""
    rows = [[Fraction(x) for x in e] for e in dict.fromkeys(map(tuple, equations))]
    for c in range(unknowns):
        pivot = next((r for r in rows[c:] if r[c]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        rows.insert(c, [x / pivot[c] for x in pivot])
        for k, r in enumerate(rows):
            if k != c and r[c]:
                rows[k] = [x - r[c] * y for x, y in zip(r, rows[c], strict=True)]
    if any(r[-1] for r in rows[unknowns:]):
        return None
    return [rows[c][-1] for c in range(unknowns)]
