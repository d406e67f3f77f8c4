"""Loops whose iterations a compiler must not run together.

gcc 12.2 makes vectors of a loop around another one although its iterations write the same cells:
`for i .. for j .. o[i + j] = a[i]`, where the arrays are restrict, at -O3 and with
-ftree-vectorize. It looks for dependences between accesses, not of one write with itself.
"""

from __future__ import annotations

from polynb.source.tree import Assign, For, If, Stmt, iterators

BARRIER = '__asm__ volatile("");'
"""Nothing, which is not to be duplicated: no loop that has it in its body is made vectors of; those
inside are as before."""


def rewrites_itself(loop: For) -> bool:
    """Whether a write in loops inside of one may be of the same cell in two of its iterations: each
    of its subscripts that changes with them changes with a loop inside, too."""
    return any(_writes(s, loop.iterator, frozenset(), frozenset()) for s in loop.body)


def _writes(s: Stmt, own: str, inner: frozenset[str], moved: frozenset[str]) -> bool:
    """`inner`: the iterators of the loops in between; `moved`: those of them that begin at another
    value in each iteration of the loop `own`."""
    match s:
        case For(iterator=i, lower=first, body=body):
            moves = bool(iterators(first) & {own, *moved})
            moved = moved | {i} if moves else moved
            return any(_writes(x, own, inner | {i}, moved) for x in body)
        case If(then=a, otherwise=b):
            return any(_writes(x, own, inner, moved) for x in (*a, *b))
        case Assign(target=target) if inner:
            used = [iterators(e) for e in target.subscripts]
            if any(own in u and not u & inner for u in used):
                return False
            return any(u & {own, *moved} for u in used)
    return False
