"""The nests of a program, each as a program of its own, and these in one again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from polynb.schedules.bands import with_schedule
from polynb.scop.model import Scop
from polynb.scop.schedule import Filter, Sequence, Tree


def nests_apart(scop: Scop) -> list[Scop]:
    """The nests of a program that run one after the other, each as a program."""
    tree = scop.schedule
    if not isinstance(tree, Sequence) or not all(_whole(f) for f in tree.children):
        return [scop]
    return [_part(scop, f) for f in tree.children]


def _whole(child: Filter) -> bool:
    return all(d is None for d in child.domains.values())


def _part(scop: Scop, child: Filter) -> Scop:
    """The program of a nest alone: a temporary that others access, too, is not its own. It holds
    what they left, and is left to them."""
    own = tuple(s for s in scop.statements if s.name in child.domains)
    left = (s for s in scop.statements if s.name not in child.domains)
    others = {a.array for s in left for a in s.accesses}
    arrays = {n: replace(a, role="inout") if a.role == "temp" and n in others else a
              for n, a in scop.arrays.items()}  # fmt: skip
    return with_schedule(replace(scop, statements=own, arrays=arrays), child.child)


def in_one_program(scop: Scop, trees: Iterable[Tree]) -> Scop:
    """The program with its nests in these orders."""
    whole = scop.schedule
    if isinstance(whole, Sequence) and all(_whole(f) for f in whole.children):
        new = zip(whole.children, trees, strict=True)
        return with_schedule(scop, Sequence(tuple(replace(f, child=t) for f, t in new)))
    (tree,) = trees
    return with_schedule(scop, tree)
