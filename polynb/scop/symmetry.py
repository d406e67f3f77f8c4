"""Whether the cells that a program reads around another one are symmetric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations, product
from math import factorial

Place = tuple[int, ...]
Signed = tuple[int, Place]
"""A place, and whether what is there is added (1), taken away (-1) or both (0)."""


def symmetries(stencil: Iterable[Signed], strict: bool = True) -> int:
    """How many mirrors, turns and so on move a stencil onto itself, or change all of its signs, but
    for those that leave each place where it is. Not `strict`: whatever the signs, if no subscript
    takes the place of another one."""
    at = _flat([*stencil])
    same, opposite = Counter(at), Counter((-sign, place) for sign, place in at)
    places = Counter(place for _, place in at)
    found = 0
    for order, flips in _isometries(len(at[0][1])):
        image, straight = _image(at, order, flips), order == tuple(sorted(order))
        equal = Counter(image) == same or (straight and Counter(image) == opposite)
        loose = not strict and straight and Counter(p for _, p in image) == places
        found += image != at and (equal or loose)
    return found


def _image(at: list[Signed], order: Place, flips: Place) -> list[Signed]:
    return [(s, tuple(p[k] * f for k, f in zip(order, flips, strict=True))) for s, p in at]


def _flat(stencil: list[Signed]) -> list[Signed]:
    """Around its middle, and without the subscripts that are the same everywhere."""
    used = [k for k, x in enumerate(zip(*(p for _, p in stencil), strict=True)) if len({*x}) > 1]
    return _middled([(sign, tuple(place[k] for k in used)) for sign, place in stencil])


def _middled(stencil: list[Signed]) -> list[Signed]:
    ends = [min(x) + max(x) for x in zip(*(place for _, place in stencil), strict=True)]
    return [(sign, tuple(2 * k - m for k, m in zip(p, ends, strict=True))) for sign, p in stencil]


def _isometries(dimensions: int) -> Iterator[tuple[Place, Place]]:
    """The orders of subscripts, and their signs."""
    for order in permutations(range(dimensions)):
        for flips in product((1, -1), repeat=dimensions):
            yield order, flips


def congruent(a: list[Place], b: list[Place]) -> bool:
    """Whether turns, mirrors and shifts make one of two stencils, in a plane say, of the other."""
    ours, theirs = (_middled([(0, place) for place in x]) for x in (a, b))
    return any(
        Counter(_image(ours, order, flips)) == Counter(theirs)
        for order, flips in _isometries(len(a[0]))
    )


def mended(stencil: list[Signed], taken: Place | None = None) -> tuple[int, Place] | None:
    """The one that has to be moved, and where to, in a stencil that is not symmetric, or in one way
    at most where it could be in all: the nearest place that is as far as others are, in each
    subscript, and not `taken`; None if no such one makes it so."""
    places = [place for _, place in stencil]
    axes = [{*x} for x in zip(*places, strict=True)]
    few = symmetries(stencil, strict=False)
    dimensions = sum(len(x) > 1 for x in axes)
    every = 2**dimensions * factorial(dimensions) - 1
    if few > 1 or (few and dimensions < 2):
        return None
    near = ({k * f for k in x for f in (1, -1)} if len(x) > 1 else x for x in axes)
    found = [
        (sum(map(abs, at)), sum(a != b for a, b in zip(at, place, strict=True)), -k, at)
        for at in {*product(*near)} - {*places, taken}
        for k, (sign, place) in enumerate(stencil)
        if symmetries([*stencil[:k], (sign, at), *stencil[k + 1 :]]) >= (every if few else 1)
    ]
    return (-min(found)[2], min(found)[3]) if found else None
