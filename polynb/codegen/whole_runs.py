"""Loops whose private arrays are theirs alone, as they were generated.

isl knows nothing of marks for private arrays. Where the order allows it, it takes what runs in the
first iteration only out of a loop: the border of a picture, say, that fills a row of the first
strip's window. In front of a parallel loop it would fill the window of a thread that may never
run that strip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator as Iter
from dataclasses import replace

from polynb.legality.private import private_to
from polynb.scop.schedule import Tree, walk
from polynb.source.tree import For, If, Program, Stmt, accessed


def with_whole_runs(program: Program, tree: Tree) -> Program:
    """The program whose loops over runs of private arrays are parallel, or vectors, only where each
    array is accessed in one loop for each of its marks, and nowhere else. (That loop then has all
    of each run.) Others run in sequence, with one copy of the array for all."""
    marks = Counter(name for node in walk(tree) for name in private_to(node))
    if not marks:
        return program
    loops, outside = Counter[str](), set[str]()
    for own, others in _parts(program.body):
        loops.update(own)
        outside |= others
    torn = frozenset(n for n, count in marks.items() if n in outside or loops[n] > count)
    return replace(program, body=_sequential(program.body, torn)) if torn else program


def _parts(body: Iterable[Stmt]) -> Iter[tuple[set[str], set[str]]]:
    """The arrays that each outermost loop has private, and those that are accessed otherwise."""
    for s in body:
        match s:
            case For(private=()):
                yield from _parts(s.body)
            case If():
                yield from _parts((*s.then, *s.otherwise))
            case For(private=names):
                yield accessed((s,)) & {*names}, accessed((s,)) - {*names}
            case _:
                yield set(), accessed((s,))


def _sequential(body: tuple[Stmt, ...], torn: frozenset[str]) -> tuple[Stmt, ...]:
    return tuple(_one_after_the_other(s, torn) for s in body)


def _one_after_the_other(s: Stmt, torn: frozenset[str]) -> Stmt:
    match s:
        case For():
            inside = replace(s, body=_sequential(s.body, torn))
            return replace(inside, kind="sequential", private=()) if torn & {*s.private} else inside
        case If():
            then, otherwise = (_sequential(b, torn) for b in (s.then, s.otherwise))
            return replace(s, then=then, otherwise=otherwise)
    return s
