"""Whether an expression of one instance and one of another are the same within a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from polynb import isl
from polynb.proofs.nodes import Read, ValueNode


class HasSources(Protocol):
    """A program that knows where the values of its reads are from."""

    def origins(self, read: Read) -> tuple[Mapping[str, isl.Map], isl.Set]:
        """`{ T[j] -> W[i] }` for each writer W, and `{ T[j] }` that read what was there before."""


def same_value(program: HasSources, a: ValueNode, b: ValueNode, m: isl.Map) -> bool:
    """Whether a node of T and one of S have the same value in all pairs `{ T[j] -> S[i] }`: they
    are the same operations on reads of the same cells, which nothing has written in between."""
    if a.op != b.op or a.type is not b.type or len(a.operands) != len(b.operands):
        return False
    if a.op == "whole":
        f, g = (isl.Map.from_pw_aff(x.what) for x in (a, b))
        return bool(m.is_subset(f.apply_range(g.reverse())))
    if a.op == "read":
        return _same_read(program, a.what, b.what, m)
    inside = zip(a.operands, b.operands, strict=True)
    return (
        a.op != "pick" and a.what == b.what and all(same_value(program, x, y, m) for x, y in inside)
    )


def _same_read(program: HasSources, a: Read, b: Read, m: isl.Map) -> bool:
    if a.array != b.array or a.lift is not None or b.lift is not None or a.index or b.index:
        return False
    here = m.domain()
    if not a.cells.intersect_domain(here).is_equal(m.apply_range(b.cells)):
        return False
    (writers, before), (others, there) = program.origins(a), program.origins(b)
    moved = {name: m.apply_range(r) for name, r in others.items()}
    ours = {name: r.intersect_domain(here) for name, r in writers.items()}
    return (
        {n for n, r in moved.items() if not r.is_empty()}
        == {n for n, r in ours.items() if not r.is_empty()}
        and all(r.is_equal(moved[n]) for n, r in ours.items() if not r.is_empty())
        and before.intersect(here).is_equal(there.apply(m.reverse()))
    )
