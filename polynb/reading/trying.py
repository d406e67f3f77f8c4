"""A program run on a few small numbers, in C's arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, product
from math import prod
from typing import Any, Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.run.arithmetic import COMPARISONS, wrap
from polynb.run.execution import Execution, Mismatch, Point
from polynb.run.numbers import Evaluation
from polynb.run.symbolic import SymbolicMemory
from polynb.run.terms import Term, Terms
from polynb.run.vectors import Vector
from polynb.scop.model import Array, Scop
from polynb.scop.sizes import large
from polynb.source.functions import EXTREMA, MATH_FUNCTIONS
from polynb.source.tree import Access, Binary, Call, Expr, children, walk
from polynb.source.types import INT64, ElementType

SIZES: Final = {0: (6, 4), 1: (6, 4), 2: (4, 2)}
"""How large a program is made, by the dimensions of what it leaves."""
INSTANCES: Final = 250
TINY: Final = 1e-9
"""What is less is what rounding left of nothing."""
CELLS: Final = 200
HELD: Final = 2000
"""Cells of all arrays: sizes may be numbers in the text."""
ROWS: Final = 4
COLUMNS: Final = 12
"""Of an array in a line of text."""
WILD: Final = (5, 3, 6, 1, 4, 2, 9, 7, 8, 10)
ALONE: Final = "·"
"""Of a cell that the program leaves alone."""


@dataclass(frozen=True)
class Grid:
    """What is in an array: a row of texts for each line, one of one text for a scalar."""

    name: str
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        rows = [" ".join(_cut(r, COLUMNS)) for r in self.rows]
        return " / ".join(_cut(rows, ROWS))


@dataclass(frozen=True)
class SmallRun:
    """Sizes, what was given, and what the program left."""

    sizes: Mapping[str, int]
    given: tuple[Grid, ...]
    left: tuple[Grid, ...]

    def __str__(self) -> str:
        sizes = [f"{name} = {value}" for name, value in self.sizes.items()]
        alike = groupby(self.given, str)  # `A = B = 1 2 3`
        given = [" = ".join([*(g.name for g in same), text]) for text, same in alike]
        left = ", ".join(f"{g.name} = {g}" for g in self.left)
        said = ", ".join([*sizes, *given])
        return f"with {said}: {left}" if said else left


def _cut(row: Sequence[str], most: int) -> Sequence[str]:
    return row if len(row) <= most else (*row[: most - 1], "...")


def tried(scop: Scop) -> SmallRun | None:
    """A program tried at small sizes; None where it takes too long, calls what nobody defines, or
    leaves more than a person looks at."""
    known = {*EXTREMA, *MATH_FUNCTIONS, *(f.name for f in scop.functions)}
    expressions = [e for s in scop.statements for e in (s.expression, s.guard) if e is not None]
    if any(isinstance(x, Call) and x.function not in known for e in expressions for x in walk(e)):
        return None
    deep = max((len(a.extents) for a in scop.arrays.values() if a.live_out), default=3)
    wild = any(map(_chooses, expressions))
    for size in SIZES.get(deep, ()):
        with suppress(PolynbError, Mismatch):  # too many instances, at the larger size
            sizes = _sizes(scop, size)
            if sizes or not scop.parameters:
                return _run(scop, sizes, wild)
    return None


def _sizes(scop: Scop, size: int) -> Mapping[str, int]:
    """Each a little larger than the one before, where that may be."""
    for least, step in product(range(size, 1, -1), (1, 0)):
        values = {p: least + step * k for k, p in enumerate(scop.parameters)}
        if not isl.fix_parameters(scop.assumed, values).is_empty():
            return values
    found = large(scop, size)
    return found if max(found.values(), default=0) <= 3 * size else {}


def _run(scop: Scop, sizes: Mapping[str, int], wild: bool) -> SmallRun | None:
    terms = Terms()
    memory = _Memory(scop, terms)
    memory.clear(sizes)
    given = [a for a in scop.arrays.values() if a.live_in or a.role == "input"]
    extents = [memory.extents[a.name] for a in scop.arrays.values()]
    if any(None in e for e in extents) or sum(prod(n or 0 for n in e) for e in extents) > HELD:
        return None
    for a in given:
        for index in _points(memory, a):
            memory.fill(a.name, index, terms.number(_content(index, a.type, wild), a.type))
    Execution(scop, terms, memory, limit=INSTANCES).run(sizes)
    left = [a for a in scop.arrays.values() if a.live_out]
    cells = {(a.name, p): memory.cell(a.name, p) for a in left for p in _points(memory, a)
             if p in memory.changed[a.name]}  # fmt: skip
    if len(cells) > CELLS or not all(memory.is_known(a.name) for a in left):
        return None
    found = _values(cells, memory)
    inputs = (
        _grid(a, memory, {(a.name, p): str(_content(p, a.type, wild)) for p in _points(memory, a)})
        for a in given
    )
    return SmallRun(sizes, tuple(inputs), tuple(_grid(a, memory, found) for a in left))


class _Memory(SymbolicMemory):
    """It remembers which cells were stored to."""

    def __init__(self, scop: Scop, terms: Terms) -> None:
        super().__init__(scop, terms)
        self.changed: dict[str, set[Point]] = {n: set() for n in scop.arrays}

    def fill(self, array: str, index: Point, value: Term) -> None:
        super().store(array, tuple(map(self._whole, index)), value, None)

    def store(self, array: str, index: tuple[Term, ...], value: Term, guard: Term | None) -> None:
        super().store(array, index, value, guard)
        self.changed[array].add(tuple(self.terms.integer(t) or 0 for t in index))

    def _whole(self, k: int) -> Term:
        return self.terms.number(k, INT64)


def _values(found: Mapping[Any, Term], memory: SymbolicMemory) -> dict[Any, str]:
    evaluation = Evaluation(found.values(), memory.extents)
    return {k: _text(next(iter(evaluation.compared(t, t)))[0]) for k, t in found.items()}


def _text(v: Vector) -> str:
    if v.undefined[0]:
        return "?"
    value = v.data[0]
    return f"{0 if abs(value) < TINY else value:.4g}" if v.type.is_float else str(value)


def _content(index: Point, type: ElementType, wild: bool) -> int:
    """1, 2, 3 along a row, 11, 12, 13 and 21, 22, 23 in rows: where each number comes from is seen
    in it. Where programs look for the largest, one row goes up and down."""
    content = 0
    for k in index:
        content = 10 * content + k + 1
    if wild and len(index) == 1:
        content = WILD[index[0] % len(WILD)]
    return (content or 2) if type.is_float else wrap(content or 2, type)


def _chooses(e: Expr) -> bool:
    """Whether it compares what it reads with other things that it reads."""
    return any(
        all(any(isinstance(y, Access) for y in walk(part)) for part in children(x))
        for x in walk(e)
        if (isinstance(x, Call) and x.function.strip("f") in EXTREMA)
        or (isinstance(x, Binary) and x.op in COMPARISONS)
    )


def _points(memory: SymbolicMemory, a: Array) -> list[Point]:
    return list(product(*(range(n or 0) for n in memory.extents[a.name])))


def _grid(a: Array, memory: SymbolicMemory, texts: Mapping[tuple[str, Point], str]) -> Grid:
    columns = (memory.extents[a.name][-1] or 1) if a.extents else 1
    cells = [texts.get((a.name, p), ALONE) for p in _points(memory, a)]
    return Grid(a.name, tuple(tuple(cells[k : k + columns]) for k in range(0, len(cells), columns)))
