"""Value-based flow of a program in the order of its schedule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

from polynb import isl
from polynb.dependences.flow import flow
from polynb.proofs.accesses import Unsuitable
from polynb.proofs.nodes import Read
from polynb.scop.model import Scop, Statement, constant_order

Writers = Mapping[str, isl.Map]
"""For each writer W of what a read in T reads, `{ T[j] -> W[i] }`."""


class Flows:
    """The flow through the arrays of some statements, each found when it is first asked for."""

    def __init__(self, scop: Scop, statements: Sequence[Statement]) -> None:
        self.statements = statements
        self._known: dict[str, dict[tuple[str, int], dict[str, isl.Map]]] = {}

    def writers(self, read: Read) -> Writers:
        if read.array not in self._known:
            self._known[read.array] = self._found(read.array)
        return self._known[read.array].get((read.statement, read.number), {})

    def _found(self, array: str) -> dict[tuple[str, int], dict[str, isl.Map]]:
        found: dict[tuple[str, int], dict[str, isl.Map]] = {}
        for e in flow(self.statements, array).edges:
            assert e.read is not None
            found.setdefault((e.target, e.read), {})[e.source] = e.relation.reverse()
        return found


def check_order(statements: Sequence[Statement]) -> None:
    """Raises Unsuitable if two instances have one time and may touch one cell, which one writes.
    (An instance reads before it writes.)"""
    for s, t in combinations_with_replacement(statements, 2):
        if s is not t and constant_order(s, t) is not None:
            continue
        touched = list(_same_cell(s, t))
        if not touched:
            continue
        together = _timed(s).apply_range(_timed(t).reverse())
        if s is t:
            together = together.subtract(isl.Map.identity(together.get_space()))
        if not all(together.is_disjoint(m) for m in touched):
            raise Unsuitable(f"which of {s.name} and {t.name} comes first is not said")


def _timed(s: Statement) -> isl.Map:
    return s.schedule.intersect_domain(s.domain)


def _same_cell(s: Statement, t: Statement) -> Iterator[isl.Map]:
    """`{ S[i] -> T[j] }` that touch one cell, for each pair of accesses of which one writes."""
    pairs = [(s.write, t.write), *((s.write, r) for r in t.reads), *((r, t.write) for r in s.reads)]
    for a, b in pairs:
        if a.array == b.array:
            yield a.relation.apply_range(b.relation.reverse())
