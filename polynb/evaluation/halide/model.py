"""What a pipeline in Halide is, and what several of them need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, Final

ROWS: Final = 32  # of a strip
LANES: Final = 16  # 32-bit numbers of a vector

Halide = Any
"""A function, parameter or expression of Halide's, which has no types."""


@dataclass(frozen=True, eq=False)
class Pipeline:
    """A Halide function `output` and its `inputs`, in the order of its arguments, by the names
    that the program in the gallery has for them; `schedule` schedules it by hand. The last two
    dimensions of the result leave out a `frame` of so many cells before and behind."""

    inputs: Mapping[str, Halide]
    output: Halide
    schedule: Callable[[], None]
    frame: tuple[int, int] = (0, 0)


@dataclass(frozen=True, eq=False)
class PictureVars:
    """Dimensions of pictures: the column x, the row y and the channel c; what loops over them are
    split into: strips of rows, and pairs of columns, of which `odd` says which."""

    x: Halide
    y: Halide
    c: Halide
    strip: Halide
    row: Halide
    pair: Halide
    odd: Halide

    @classmethod
    def of(cls, hl: ModuleType) -> PictureVars:
        return cls(*(hl.Var(f.name) for f in fields(cls)))

    def in_strips(self, f: Halide, rows: int = ROWS) -> Halide:
        """Strips of rows in parallel; in a strip row by row, all channels of a row in turn."""
        if f.dimensions() > 2:
            f.reorder(self.x, self.c, self.y)
        return f.split(self.y, self.strip, self.row, rows).parallel(self.strip)

    def on_pairs(self, f: Halide) -> Halide:
        """Two columns at once that one coarser column lies under: those are a vector then."""
        f.split(self.x, self.pair, self.odd, 2).reorder(self.odd, self.pair)
        return f.unroll(self.odd).vectorize(self.pair, LANES)


Writer = Callable[[ModuleType, Mapping[str, int]], Pipeline]
"""Makes a pipeline of the module `halide`, for parameter values."""


def total(terms: Iterable[Halide]) -> Halide:
    """A sum from left to right, without the 0 that Python's begins with."""
    first, *others = terms
    for term in others:
        first = first + term
    return first


def weighted(weights: Iterable[int], terms: Iterable[Halide]) -> Halide:
    """As the programs of the gallery write it: a weight of 1 is left out."""
    return total(t if w == 1 else w * t for w, t in zip(weights, terms, strict=True))


def framed(hl: ModuleType, f: Halide, columns: range, rows: range, planes: int = 0) -> Halide:
    """A function that is zero outside of these columns and rows; it may be scheduled itself.
    Its dimensions are planes, columns, rows, others, in this order."""
    sides = [(side.start, len(side)) for side in (columns, rows)]
    free = [(hl.Expr(), hl.Expr())]
    others = f.dimensions() - planes - 2
    bounds = [*(free * planes), *sides, *(free * others)]
    return hl.BoundaryConditions.constant_exterior(f, hl.f32(0), bounds)
