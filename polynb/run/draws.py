"""Contents of memory, drawn: ordinary numbers, special ones, and those that programs mention."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

import numpy as np

from polynb.run.terms import Term
from polynb.run.vectors import DRAWS, Mask, Vector, text_of, vector
from polynb.source.types import ElementType

SPECIAL: Final = (math.nan, -0.0, 0.0, math.inf, -math.inf, 1.0, -1.0, 0.1)
TINY_AND_LARGE: Final = {4: (1e-40, 3e38, -3e38), 8: (5e-324, 1.5e308, -1.5e308)}
Index = tuple[int, ...]


class DrawnCells:
    """The cells that terms are made of, in each draw: the first ones ordinary, then some special,
    or near numbers that are mentioned, then all alike. Every other one has integers that may be
    subscripts."""

    def __init__(self, terms: Iterable[Term], extents: Mapping[str, Sequence[int | None]]) -> None:
        self.seed = 1
        self.extents = extents
        self.random = Random(self.seed)
        sizes = (n for known in extents.values() for n in known if n)
        self.smallest = max(min(sizes, default=1), 1)
        self.mentioned = sorted({x for t in terms if (x := _literal(t)) is not None})
        self._cells: dict[tuple[str, Index], Vector] = {}
        self._named: dict[int, tuple[str, Sequence[Vector]]] = {}

    def cell(self, array: str, index: Index, type: ElementType) -> Vector:
        key = array, index
        if key not in self._cells:
            self._cells[key] = vector(type, [self._drawn(k, type) for k in range(DRAWS)])
        return self._cells[key]

    def loaded(self, load: Term, array: str, index: Sequence[Vector]) -> None:
        """Remember which cells a term loads, of an array as it was at first."""
        self._named[load.number] = array, index

    def at(self, array: str, index: Sequence[Vector], type: ElementType) -> Vector:
        """The cells of an array that subscripts name, which have to be inside."""
        undefined: Mask = np.any([x.undefined for x in index], axis=0)
        values: list[Any] = [0] * DRAWS
        for k in range(DRAWS):
            place = tuple(int(x.data[k]) for x in index)
            if not undefined[k] and self._inside(array, place):
                values[k] = self.cell(array, place, type).data[k]
            else:
                undefined[k] = True
        return vector(type, values, undefined)

    def _inside(self, array: str, place: Index) -> bool:
        sizes = zip(place, self.extents[array], strict=True)
        return all(x >= 0 and (n is None or x < n) for x, n in sizes)

    def used(self, terms: Iterable[Term], draw: int, most: int) -> list[tuple[str, Index, str]]:
        """Cells that terms are made of, each with its content in a draw."""
        found: dict[tuple[str, Index], str] = {}
        seen, todo = set[int](), list(terms)
        while todo and len(found) < most:
            t = todo.pop(0)
            if t.number in seen:
                continue
            seen.add(t.number)
            key = self._cell(t, draw)
            if key in self._cells:
                found[key] = text_of(self._cells[key], draw)
            todo += [x for x in t.arguments if isinstance(x, Term)]
        return [(array, index, said) for (array, index), said in found.items()]

    def _cell(self, t: Term, draw: int) -> tuple[str, Index]:
        if t.number in self._named:
            array, index = self._named[t.number]
            return array, tuple(int(x.data[draw]) for x in index)
        return (t.arguments[0], t.arguments[1:]) if t.op == "initial" else ("", ())

    # -- values ------------------------------------------------------------------------

    def _drawn(self, draw: int, type: ElementType) -> Any:
        kind, nth = divmod(draw * 8, DRAWS)
        if kind == 7:  # all cells alike
            special = _special(type)
            return special[(nth * len(special)) // DRAWS]
        subscript = draw % 2 and not type.is_float
        if subscript or self.random.random() >= (0.0, 0.0, 0.3, 0.5, 0.5, 1.0, 0.5)[kind]:
            return self._ordinary(draw, kind, type)
        near = self._near(type)
        return self.random.choice(near if near and kind % 2 == 0 else _special(type))

    def _ordinary(self, draw: int, kind: int, type: ElementType) -> Any:
        if type.is_float:
            short = kind % 2 == 0  # easily read
            return self.random.randint(4, 40) / 8 if short else self.random.uniform(-4, 4)
        if draw % 2:
            return self.random.randrange(self.smallest)  # a subscript, wherever it stands
        return self.random.randint(0 if kind % 2 == 0 or not type.is_signed else -9, 9)

    def _near(self, type: ElementType) -> list[Any]:
        """The numbers that stand in the terms, and those next to them."""
        found = [s * x + d for x in self.mentioned for s in (1, -1) for d in (0, 0, 1, -1, 0.5)]
        if type.is_float:
            return found
        whole = (int(x) for x in found if abs(x) < 2**64)
        return [x for x in whole if type.least <= x <= type.most]


def _special(type: ElementType) -> list[Any]:
    if type.is_float:
        return [*SPECIAL, *TINY_AND_LARGE[type.size]]
    ends = (type.least, type.least + 1, type.most, type.most - 1)
    return [x for x in (0, 1, -1, 2, *ends) if type.least <= x]


def _literal(t: Term) -> float | None:
    """A number that is no infinity."""
    if t.op == "number":
        return float(t.arguments[0])
    value = float.fromhex(t.arguments[0]) if t.op == "float" else math.inf
    return value if math.isfinite(value) else None
