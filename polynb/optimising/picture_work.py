"""What a pipeline of pictures has to do: operations, and bytes that go through memory.

Counted, unlike cycles (`estimate.py`), by statement: a pipeline that is propagated has loops too
many to be generated for an estimate, and what differs between its forms is this: which pictures go
through memory, and what is computed again instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import Final

from polynb.legality.private import marked_private
from polynb.optimising.traffic import LINE
from polynb.propagation.counting import Uncountable
from polynb.propagation.recomputation import instances, operations
from polynb.scop.model import Array, MemoryAccess, Scop, Statement
from polynb.scop.sizes import extents_at, large
from polynb.source.normal_form import linear_form
from polynb.source.scoplang.printer import print_affine
from polynb.source.tree import Binary, Expr, Iterator, Number, Parameter, iterators

SIZE: Final = 1000
CELLS: Final = SIZE * SIZE
"""Cells that the largest picture has, at least: less of them stay in a cache."""
CACHED: Final = 1 << 20
"""Bytes of an array that is not counted: it stays in a cache."""
PLANES: Final = 16
"""Planes that are computed together, at most: rows of more of them are too much for a cache."""
OF_A_BYTE: Final = 2.0
"""Operations, in vectors, that take as long as a byte takes to come from memory, where two threads
have it in common,"""
OF_A_BYTE_ALONE: Final = 1.0
"""and where one has it for itself."""
STRIDED: Final = 4
"""Operations that a read counts for which picks cells out of a row, every other one, say."""
SCATTERED: Final = 8
"""And one of which nothing of the kind is known, as where data decides."""
SCALAR: Final = 3
"""What each operation counts for in a statement that has such a read: it may run in no vectors."""


@dataclass(frozen=True)
class PictureWork:
    """Operations, and bytes through memory, at `sizes`."""

    operations: int
    bytes: int
    sizes: Mapping[str, int]

    @property
    def cost(self) -> float:
        """What to compare by."""
        return self._cost(OF_A_BYTE)

    def gain(self, before: PictureWork) -> float:
        """How many times as little there is to do, altogether and of what goes through memory: the
        less of both, since what only saves operations mostly counts what a compiler saves too."""
        return min(before.cost / self.cost, before.bytes / max(self.bytes, 1))

    def gain_alone(self, before: PictureWork) -> float:
        """How many times as little there is to do altogether, on one thread."""
        return before._cost(OF_A_BYTE_ALONE) / self._cost(OF_A_BYTE_ALONE)

    def _cost(self, of_a_byte: float) -> float:
        return self.operations + of_a_byte * self.bytes


def large_sizes(scop: Scop, given: Mapping[str, int]) -> Mapping[str, int]:
    """Sizes at which pictures are large: those that are given, and others of SIZE or more."""
    size = SIZE
    while True:
        sizes = {**large(scop, size), **given}
        each = (extents_at(a, sizes) for a in scop.arrays.values())
        cells = max((prod(n or 1 for n in extents) for extents in each), default=0)
        if cells >= CELLS or size >= CELLS or given.keys() >= {*scop.parameters}:
            return sizes
        size *= 2


def picture_work(scop: Scop, sizes: Mapping[str, int]) -> PictureWork | None:
    """What a program does at some sizes; None where that cannot be counted."""
    try:
        done = sum(instances(s, sizes) * _operations(s) for s in scop.statements)
        return PictureWork(done, sum(bytes_of(scop, sizes).values()), sizes)
    except Uncountable:
        return None


def bytes_of(scop: Scop, sizes: Mapping[str, int]) -> Counter[str]:
    """Bytes of each array that go through memory. Raises Uncountable."""
    private = marked_private(scop.schedule)
    kept = {n for n, a in scop.arrays.items() if _size(a, sizes, n in private) <= CACHED}
    moved: Counter[str] = Counter()
    for s in scop.statements:
        reads: dict[str, list[MemoryAccess]] = {s.write.array: []}
        for r in s.reads:
            reads.setdefault(r.array, []).append(r)
        for name in reads.keys() - kept:
            size = scop.arrays[name].type.size
            # (What is written comes first, and goes.)
            cells = 2 if name == s.write.array else 0
            cells = max(cells, _cells(s, reads[name], LINE // size))
            moved[name] += cells * instances(s, sizes) * size
    return moved


def _cells(s: Statement, reads: Sequence[MemoryAccess], line: int) -> int:
    """How many cells of an array come from memory for an instance, if each that does is still in a
    cache whenever it is read: one of each of so many rows, with what lies between it and the next
    in their `line`. (`A[2*x]` and `A[2*x+1]` are two rows; `A[x]` and `A[x+1]` come to the same
    ones, and planes with numbers for subscripts, `A[0]` and `A[1]`, are taken for one. Statements
    that read other cells of the same lines count them again.)"""
    apart: dict[tuple[int, ...], int] = {}
    for r in reads:
        row = tuple(_remainder(e) for e in r.node.subscripts[:-1])
        step = _step(r.node.subscripts[-1], s.iterators[-1], 1) if s.iterators else None
        apart[row] = max(apart.get(row, 1), min(abs(step or 1), line))
    return sum(apart.values())


def _remainder(e: Expr) -> int:
    """What tells a subscript from others that come to the same rows in other iterations."""
    linear = linear_form(e)
    if linear is None:
        return 0
    step = gcd(*(c for c, atom in linear.terms.values() if not isinstance(atom, Parameter)))
    return linear.constant % step if step else 0


def _size(a: Array, sizes: Mapping[str, int], private: bool) -> int:
    """Bytes of an array; of a private one, those of a strip, which its first subscript counts. (One
    that has rows of each plane of a volume is too large: those rows are far from each other.)"""
    extents = extents_at(a, sizes)[private:]
    return a.type.size * prod(n or 1 for n in extents)


def _operations(s: Statement) -> int:
    """Those of an instance: parts that are equal once, and what reads cost that are not of the
    cells of a row one after the other."""
    apart = {print_affine(r.node): _apart(s, r) for r in s.reads}
    alone = SCALAR if SCATTERED in apart.values() else 1
    return alone * operations(s.expression, ()) + sum(apart.values())


def _apart(s: Statement, r: MemoryAccess) -> int:
    if not s.iterators or not r.node.subscripts:
        return 0
    *rows, last = r.node.subscripts
    stride = int(s.domain.get_stride(len(s.iterators) - 1).to_python())
    if any(_step(e, s.iterators[-1], stride) != 0 for e in rows):
        return SCATTERED
    step = _step(last, s.iterators[-1], stride)
    if step is None:
        return SCATTERED
    return STRIDED if abs(step) > 1 else 0


def _step(e: Expr, innermost: str, stride: int) -> int | None:
    """By how much a subscript moves on from one iteration to the next; None if that differs."""
    if innermost not in iterators(e):
        return 0
    linear = linear_form(e)
    if linear is None:
        return None
    step = 0
    for c, atom in linear.terms.values():
        match atom:
            case Iterator():
                moved: int | None = stride * (atom.name == innermost)
            case Binary(op="floord", left=left, right=Number(value=int(d))):
                inner = _step(left, innermost, stride)
                moved = None if inner is None or inner % d else inner // d
            case _:
                moved = None if innermost in iterators(atom) else 0
        if moved is None:
            return None
        step += c * moved
    return step
