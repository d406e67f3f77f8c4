"""How far the cells that a program reads around another one are from being symmetric."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations, product
from math import factorial
from typing import Final

Place = tuple[int, ...]
FEW: Final = 2
"""So many cells more than dimensions are needed: of fewer most are symmetric."""
MANY: Final = 12
MOST: Final = 3
"""In more dimensions no symmetry is looked for."""


def asymmetry(stencil: Mapping[Place, int]) -> int:
    """0 if all mirrors, turns and so on move a stencil onto itself, or change all of its signs; 1
    if some do, and 2 if none does. By place: whether what is there is added (1), taken away (-1) or
    both (0)."""
    at = _middled(stencil)
    dimensions = len(next(iter(at)))
    if not FEW <= len(at) - dimensions <= MANY or dimensions > MOST:
        return 0
    orders, flips = permutations(range(dimensions)), product((1, -1), repeat=dimensions)
    found = sum(_moves(at, order, flip) for order, flip in product(orders, flips))
    return 2 if found == 1 else int(found < 2**dimensions * factorial(dimensions))


def _moves(at: dict[Place, int], order: Place, flips: Place) -> bool:
    """Whether an isometry keeps all places, and all signs or, if it is a mirror, none."""
    image = {p: tuple(p[k] * f for k, f in zip(order, flips, strict=True)) for p in at}
    if not all(q in at for q in image.values()):
        return False
    signs = {1, -1} if order == tuple(range(len(order))) else {1}
    return any(all(at[q] * at[p] * s >= 0 for p, q in image.items()) for s in signs)


def _middled(stencil: Mapping[Place, int]) -> dict[Place, int]:
    """Around its middle, and without the subscripts that are the same everywhere."""
    ends = [(k, min(x) + max(x)) for k, x in enumerate(zip(*stencil, strict=True)) if {*x} - {x[0]}]
    return {tuple(2 * p[k] - m for k, m in ends): s for p, s in stencil.items()}
