"""What data decides to write, as a choice of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polynb import isl
from polynb.scop.model import MemoryAccess, Statement
from polynb.source.tree import Access, Select


def with_tests(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements whose guards are the conditions that somebody typed, where those are statements of
    their own, in front (`p0 = A[k] < s; if (p0) s = A[k];`) and nothing in between changes them."""
    return tuple(_with_test(s, statements[:k]) for k, s in enumerate(statements))


def _with_test(s: Statement, before: Sequence[Statement]) -> Statement:
    changed: set[str] = set()
    for t in reversed(before if isinstance(s.guard, Access) and not s.guard.subscripts else ()):
        if isinstance(s.guard, Access) and t.write.array == s.guard.array:
            here = isl.rename(t.domain, isl.SET, s.name)
            if changed & {r.array for r in t.reads} or not s.domain.is_subset(here):
                return s
            moved = (_moved(r, s) for r in t.reads)
            others = (r for r in s.reads if r.node is not s.guard)
            return replace(s, guard=t.expression, reads=(*others, *moved))
        changed.add(t.write.array)
    return s


def _moved(r: MemoryAccess, s: Statement) -> MemoryAccess:
    return replace(r, relation=isl.rename(r.relation, isl.IN, s.name).intersect_domain(s.domain))


def chosen(s: Statement) -> Statement:
    """A statement that always writes: its value, or what is there."""
    if s.guard is None:
        return s
    there = MemoryAccess(s.write.array, s.write.relation, replace(s.write.node))
    value = Select(s.guard, s.expression, there.node)
    write = replace(s.write, must=s.write.relation.is_single_valued())
    return replace(s, guard=None, expression=value, write=write, reads=(*s.reads, there))
