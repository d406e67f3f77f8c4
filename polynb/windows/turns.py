"""Statements that read a picture of fewer columns, in classes of their columns' remainders.

`o[y] = h[y / 2]` reads each cell twice; of even and of odd y alone it reads cells that follow each
other, `o[2*t] = h[t]` and `o[2*t + 1] = h[t]`, of which compilers make vectors.
"""

from __future__ import annotations

from collections.abc import Collection
from math import lcm
from typing import Final

from polynb import isl
from polynb.rewriting.pool import Pool
from polynb.rewriting.remainders import plain_remainders
from polynb.rewriting.splitting import DomainPiece, replace_reads, with_statements
from polynb.scop.model import Scop, Statement
from polynb.source.normal_form import linear_form
from polynb.source.tree import Binary, Number, walk

MOST: Final = 4
"""Classes that a statement is split into."""


@isl.guarded
def in_turns(scop: Scop, statements: Collection[str]) -> Scop:
    """The program with those of some statements in pieces that divide their innermost iterator;
    the pieces take turns."""
    pool, before = Pool(scop), scop
    for s in scop.statements:
        turns = _turns(s) if s.name in statements else 1
        if 1 < turns <= MOST:
            parts = [DomainPiece(d) for d in _classes(s, turns)]
            new, _ = replace_reads(scop, pool, s, parts)
            scop = with_statements(scop, s.name, new)
    return scop if scop is before else plain_remainders(scop)


def _turns(s: Statement) -> int:
    """The least common multiple of what the subscripts of its reads divide the iterator by."""
    if not s.iterators:
        return 1
    key, found = ("i", s.iterators[-1]), 1
    for e in (x for r in s.reads for y in r.node.subscripts for x in walk(y)):
        match e:
            case Binary(op="floord", left=left, right=Number(value=int(d))) if d > 0:
                linear = linear_form(left)
                if linear is not None and key in linear.terms and linear.terms[key][0] % d:
                    found = lcm(found, d)
    return found


def _classes(s: Statement, turns: int) -> list[isl.Set]:
    last = len(s.iterators) - 1
    classes = []
    for r in range(turns):
        names = ", ".join(s.iterators)
        there = isl.Set(f"{{ [{names}] : {s.iterators[last]} mod {turns} = {r} }}")
        there = there.set_tuple_name(s.name).align_params(s.domain.get_space())
        classes.append(s.domain.intersect(there))
    return classes
