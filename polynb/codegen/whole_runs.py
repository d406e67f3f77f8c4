"""Whether isl's loops have all of each run of what is below marks for private arrays.

isl knows nothing of such marks. Where the order allows it, it takes what runs in the first
iteration only out of a loop: the border of a picture, say, that fills a row of the first strip's
window. In front of a parallel loop it would fill the window of a thread that may never run that
strip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count

from polynb import isl
from polynb.codegen.isl_nodes import loop_depth, numbers, parts
from polynb.codegen.run_by_run import runs_of
from polynb.scop.affine_from_isl import enum_name
from polynb.scop.isl_marks import BandKinds, read_mark
from polynb.scop.schedule import Private


def torn(root: isl.AstNode, values: Sequence[isl.Map], schedule: isl.Schedule) -> list[int]:
    """How many private marks are around marks of which not all parts of a run are in the same loops
    that several threads, or vectors, run: [] if there are none.

    `root`: isl's loops for the schedule; `values`: `{ S[i] -> [t] }` of their calls, by number.
    """
    pieces = list(_pieces(root, _Above(), count()))
    found = []
    for around in sorted({p.around for p in pieces}):
        own = [p for p in pieces if p.around == around]
        if len({p.loops for p in own}) > 1:
            runs = runs_of(schedule, around)
            ran = [isl.union_set(values[k].domain() for k in p.calls).apply(runs) for p in own]
            pairs = combinations(zip(own, ran, strict=True), 2)
            if any(p.loops != q.loops and not a.is_disjoint(b) for (p, a), (q, b) in pairs):
                found.append(around)
    return found


@dataclass(frozen=True)
class _Above:
    """What is around a node: how many private marks, the depths of loops that several threads, or
    vectors, run, and those loops themselves, by number."""

    marks: int = 0
    shared: frozenset[int] = frozenset()
    loops: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Piece:
    """What is below one private mark: the marks and loops around it, and the numbers of calls."""

    around: int
    loops: tuple[int, ...]
    calls: tuple[int, ...]


def _pieces(node: isl.AstNode, above: _Above, loops: Iterator[int]) -> Iterator[_Piece]:
    kind = enum_name(node.get_type())
    if kind == "mark":
        what = read_mark(node.mark_get_id())
        if isinstance(what, BandKinds):
            kinds = enumerate(what.kinds, what.depth)
            shared = {depth for depth, how in kinds if how not in ("sequential", "unroll")}
            above = replace(above, shared=above.shared | shared)
        elif isinstance(what, Private):
            yield _Piece(above.marks, above.loops, tuple(numbers(node)))
            above = replace(above, marks=above.marks + 1)
    elif kind == "for_" and not node.for_is_degenerate() and loop_depth(node) in above.shared:
        above = replace(above, loops=(*above.loops, next(loops)))
    for part in parts(node):
        yield from _pieces(part, above, loops)
