"""Nests of parallel loops whose iterations are shared out to threads all at once.

A loop of three iterations keeps two threads busy for three quarters of the time, and a parallel
loop inside wakes the threads three times. OpenMP's `collapse` makes one loop of both (OpenMP 4.5,
2.7.1); its bounds must not change meanwhile, and nothing may stand between the loops.
"""

from __future__ import annotations

from polynb.source.tree import For, If, Stmt, iterators


def collapsed(loop: For) -> int:
    """How many loops, from this one in, share out their iterations together: one parallel loop,
    and those of the kind "collapsed" right around it and in it. 0 if there is no other that
    nothing separates from it, whose bounds depend on no other's iterator, and that is not the
    innermost: compilers find no vectors in collapsed loops."""
    nest: list[For] = []
    while loop.kind in ("collapsed", "parallel"):
        nest.append(loop)
        match loop.body:
            case (For() as loop,):
                continue
        break
    return next((n for n in range(len(nest), 1, -1) if _is_one(nest[:n])), 0)


def nest_of(loop: For) -> list[For]:
    """The loops whose iterations are shared out together, from the outermost in."""
    nest = [loop]
    for _ in range(collapsed(loop) - 1):
        (inner,) = nest[-1].body
        assert isinstance(inner, For)
        nest.append(inner)
    return nest


def _is_one(nest: list[For]) -> bool:
    counted = {x.iterator for x in nest}
    if any(counted & iterators(x.lower, x.upper) for x in nest):
        return False
    return any(x.kind == "parallel" for x in nest) and _has_loop(nest[-1].body)


def _has_loop(body: tuple[Stmt, ...]) -> bool:
    return any(
        isinstance(s, For) or (isinstance(s, If) and _has_loop((*s.then, *s.otherwise)))
        for s in body
    )
