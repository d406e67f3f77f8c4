"""Whether the cells that a program reads around another one are symmetric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations, product

Place = tuple[int, ...]
Signed = tuple[int, Place]
"""A place, and whether what is there is added (1), taken away (-1) or both (0)."""


def symmetries(stencil: Iterable[Signed], strict: bool = True) -> int:
    """How many mirrors, turns and so on move a stencil onto itself, or change all of its signs, but
    for those that leave each place where it is. Not `strict`: whatever the signs, if no subscript
    takes the place of another one."""
    at = _centred([*stencil])
    same, opposite = Counter(at), Counter((-sign, place) for sign, place in at)
    places = Counter(place for _, place in at)
    found = 0
    for order, flips in _isometries(len(at[0][1])):
        image = [(s, tuple(p[k] * f for k, f in zip(order, flips, strict=True))) for s, p in at]
        straight, moved = order == tuple(sorted(order)), Counter(image)
        equal = moved == same or (straight and moved == opposite)
        loose = not strict and straight and Counter(p for _, p in image) == places
        found += image != at and (equal or loose)
    return found


def _centred(stencil: list[Signed]) -> list[Signed]:
    """Around its middle, and without the subscripts that are the same everywhere."""
    axes = [x for x in zip(*(place for _, place in stencil), strict=True) if len({*x}) > 1]
    around = [[2 * k - min(x) - max(x) for k in x] for x in axes]
    places = zip(*around, strict=True) if around else ((),) * len(stencil)
    return [(sign, place) for (sign, _), place in zip(stencil, places, strict=True)]


def _isometries(dimensions: int) -> Iterator[tuple[Place, Place]]:
    return product(
        permutations(range(dimensions)), product((1, -1), repeat=dimensions)
    )  # type: ignore[return-value]


def mended(stencil: list[Signed]) -> tuple[int, Place] | None:
    """The one that has to be moved, and where to, in a stencil that is not symmetric: the nearest
    place that is as far as others are, in each subscript; None if it is symmetric, or no such one
    makes it so."""
    if symmetries(stencil, strict=False):
        return None
    places = [place for _, place in stencil]
    near = ({k * f for k in x for f in (1, -1)} if len({*x}) > 1 else {*x}
            for x in zip(*places, strict=True))  # fmt: skip
    found = [
        (sum(map(abs, at)), sum(a != b for a, b in zip(at, place, strict=True)), -k, at)
        for at in set(product(*near)) - {*places}
        for k, (sign, place) in enumerate(stencil)
        if symmetries([*stencil[:k], (sign, at), *stencil[k + 1 :]])
    ]
    return (-min(found)[2], min(found)[3]) if found else None
