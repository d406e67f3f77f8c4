"""Which cells can be read where their value may not be needed: those that surely exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from polynb import isl
from polynb.scop.arrays import surely_inside
from polynb.scop.model import Array, Statement
from polynb.source.tree import Access, Expr, evaluated, own, rebuild


def in_bounds(
    s: Statement, arrays: Mapping[str, Array], assumed: isl.Set
) -> Callable[[Access], bool]:
    """Whether a read of the statement's expression is proven to be in bounds in all instances.

    Affine subscripts are compared with the extents. A data-dependent one is within them if the
    same subscript of the same array is used in a read that is evaluated anyway, as in
    `T[0][x[i]] > 0 ? T[1][x[i]] : 0`.
    """
    reads = {id(r.node): r for r in s.reads}
    numbers = _numbered(s.expression)
    certain = evaluated(s.expression)
    used = {
        (r.array, k, numbers[id(e)])
        for r in s.reads
        if id(r.node) in certain
        for k, e in enumerate(r.node.subscripts)
    }

    def inside(node: Access) -> bool:
        read = reads.get(id(node))
        if read is None or not surely_inside(read, arrays[read.array], assumed):
            return False
        return read.must or all(
            read.relation.involves_dims(isl.OUT, k, 1) or (read.array, k, numbers[id(e)]) in used
            for k, e in enumerate(node.subscripts)
        )

    return inside


def _numbered(e: Expr) -> dict[int, int]:
    """A number for each node: the same for equal ones."""
    numbers: dict[int, int] = {}
    known: dict[object, int] = {}
    rebuild(
        e,
        lambda node, parts: known.setdefault((type(node), own(node), *parts), len(known)),
        numbers,
    )
    return numbers
