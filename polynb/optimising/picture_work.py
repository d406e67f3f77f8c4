"""What a pipeline of pictures has to do: operations, and bytes that go through memory.

Counted, unlike cycles (`estimate.py`), by statement: a pipeline that is propagated has loops too
many to be generated for an estimate, and what differs between its forms is this: which pictures go
through memory, and what is computed again instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

from polynb.legality.private import marked_private
from polynb.propagation.counting import Uncountable
from polynb.propagation.recomputation import instances, operations
from polynb.scop.model import Array, MemoryAccess, Scop, Statement
from polynb.scop.sizes import extents_at, large
from polynb.source.normal_form import linear_form
from polynb.source.scoplang.printer import print_affine
from polynb.source.tree import Binary, Expr, Iterator, Number, walk

SIZE: Final = 1000
CELLS: Final = SIZE * SIZE
"""Cells that the largest picture has, at least: less of them stay in a cache."""
CACHED: Final = 1 << 20
"""Bytes of an array that is not counted: it stays in a cache."""
OF_A_BYTE: Final = 2.0
"""Operations, in vectors, that take as long as a byte takes to come from memory."""
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
        return self.operations + OF_A_BYTE * self.bytes

    def gain(self, before: PictureWork) -> float:
        """How many times as little there is to do, altogether and of what goes through memory: the
        less of both, since what only saves operations mostly counts what a compiler saves too."""
        return min(before.cost / self.cost, before.bytes / max(self.bytes, 1))


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
        # (What is written is read first: a line comes, and goes.)
        for a in {a.array for a in (*s.reads, s.write)} - kept:
            times = 2 if a == s.write.array else 1
            moved[a] += times * instances(s, sizes) * scop.arrays[a].type.size
    return moved


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
    if not _moves(e, innermost):
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
                moved = None if _moves(atom, innermost) else 0
        if moved is None:
            return None
        step += c * moved
    return step


def _moves(e: Expr, innermost: str) -> bool:
    return any(isinstance(x, Iterator) and x.name == innermost for x in walk(e))
