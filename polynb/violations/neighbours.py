"""Schedules one decision away: loops the other way around or in another order, nests distributed
or fused, parts in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from polynb import isl
from polynb.legality.carried import member
from polynb.schedules.bands import loop_names, with_schedule
from polynb.scop import Scop
from polynb.scop.schedule import Band, Filter, Loop, Sequence, Tree, walk
from polynb.scop.tree_walk import rewrite
from polynb.violations.orders import AT_ONCE
from polynb.words import listed


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A schedule, and the decision that leads to it, in words."""

    decision: str
    tree: Tree


def neighbours(scop: Scop, tree: Tree) -> Iterator[Neighbour]:
    """All schedules that differ in one decision from a tree of a program."""
    here = with_schedule(scop, tree)
    for node in walk(tree):
        for decision, new in _changed(here, node):
            yield Neighbour(decision, _replaced(tree, node, new))


def _replaced(tree: Tree, node: Tree, new: Tree) -> Tree:
    return rewrite(tree, lambda t: new if t is node else None)


def _changed(scop: Scop, node: Tree) -> Iterator[tuple[str, Tree]]:
    match node:
        case Band():
            yield from _sequential(scop, node)
            yield from _interchanged(scop, node)
            yield from _reversed(scop, node)
            yield from _distributed(scop, node)
        case Sequence():
            yield from _fused(scop, node)
            yield from _swapped(node)


def _sequential(scop: Scop, band: Band) -> Iterator[tuple[str, Tree]]:
    for k, (loop, name) in enumerate(zip(band.loops, _loops(scop, band), strict=True)):
        if loop.kind in AT_ONCE:
            plain = replace(loop, kind="sequential")
            loops = (*band.loops[:k], plain, *band.loops[k + 1 :])
            yield f"{name} sequential", replace(band, loops=loops)


def _reversed(scop: Scop, band: Band) -> Iterator[tuple[str, Tree]]:
    for k, name in enumerate(_loops(scop, band)):
        signs = ", ".join(f"{'-' * (k == n)}t{n}" for n in range(band.depth))
        yield f"reverse {name}", _mapped(band, signs)


def _interchanged(scop: Scop, band: Band) -> Iterator[tuple[str, Tree]]:
    names = _loops(scop, band)
    for k in range(band.depth - 1):
        order = [f"t{n}" for n in range(band.depth)]
        order[k], order[k + 1] = order[k + 1], order[k]
        loops = list(band.loops)
        loops[k], loops[k + 1] = loops[k + 1], loops[k]
        changed = replace(_mapped(band, ", ".join(order)), loops=tuple(loops))
        yield f"interchange {names[k]} and {names[k + 1]}", changed
    inner = band.child
    if isinstance(inner, Band):
        decision = f"interchange {names[-1]} and {_loops(scop, inner)[0]}"
        yield decision, replace(inner, child=replace(band, child=inner.child))


def _loops(scop: Scop, band: Band) -> tuple[str, ...]:
    """What to call a band's loops: the iterator, also of one that runs the other way around."""
    turned = _mapped(band, ", ".join(f"-t{n}" for n in range(band.depth)))
    both = zip(loop_names(scop, band), loop_names(scop, turned), strict=True)
    iterators = {i for name in band.members for i in scop.by_name[name].iterators}
    return tuple(plain if plain in iterators else other for plain, other in both)


def _mapped(band: Band, result: str) -> Band:
    """The band with `{ [t0, t1, ...] -> [result] }` applied to its loops."""
    given = ", ".join(f"t{n}" for n in range(band.depth))
    change = isl.Map(f"{{ [{given}] -> [{result}] }}")
    return replace(band, members={n: m.apply_range(change) for n, m in band.members.items()})


def _distributed(scop: Scop, band: Band) -> Iterator[tuple[str, Tree]]:
    """The band around each part of the sequence below, instead of around all of it."""
    if not isinstance(band.child, Sequence) or _split(band.child):
        return
    parts = list(band.child.children)
    cuts = [parts[:k] for k in range(1, len(parts))]
    for first in cuts:
        rest = parts[len(first) :]
        halves = (_around(band, half) for half in (first, rest))
        decision = f"distribute {listed(_loops(scop, band))} before {_names(rest[0])}"
        yield decision, Sequence(tuple(halves))


def _around(band: Band, parts: list[Filter]) -> Filter:
    names = [n for f in parts for n in f.domains]
    members = {n: band.members[n] for n in names}
    inner = Sequence(tuple(parts)) if len(parts) > 1 else parts[0].child
    return Filter(dict.fromkeys(names), replace(band, members=members, child=inner))


def _fused(scop: Scop, node: Sequence) -> Iterator[tuple[str, Tree]]:
    """Two parts that follow each other, and begin with loops, in one loop."""
    if _split(node):
        return
    for k in range(len(node.children) - 1):
        f, g = node.children[k : k + 2]
        a, b = f.child, g.child
        if not (isinstance(a, Band) and isinstance(b, Band)):
            continue
        first, second = _outermost(a), _outermost(b)
        inner = (replace(f, child=first.child), replace(g, child=second.child))
        joined = replace(first, members={**first.members, **second.members}, child=Sequence(inner))
        whole = Filter({**f.domains, **g.domains}, joined)
        rest = (*node.children[:k], whole, *node.children[k + 2 :])
        decision = f"fuse {_names(f)} and {_names(g)}"
        yield decision, Sequence(rest) if len(rest) > 1 else joined


def _outermost(band: Band) -> Band:
    """The band with its first loop alone, and one with the others inside."""
    if band.depth == 1:
        return band
    first = {n: member(m, 0) for n, m in band.members.items()}
    others = {n: m.project_out(isl.OUT, 0, 1) for n, m in band.members.items()}
    inner = replace(band, members=others, loops=band.loops[1:])
    return Band(first, inner, loops=(Loop(band.loops[0].kind),))


def _swapped(node: Sequence) -> Iterator[tuple[str, Tree]]:
    for k in range(len(node.children) - 1):
        f, g = node.children[k : k + 2]
        children = (*node.children[:k], g, f, *node.children[k + 2 :])
        yield f"{_names(g)} before {_names(f)}", Sequence(children)


def _names(f: Filter) -> str:
    return listed(f.domains)


def _split(node: Sequence) -> bool:
    """Whether parts of one statement are in several places."""
    return any(part is not None for f in node.children for part in f.domains.values())


Tried = Callable[[int, int], object]
"""What is told how many schedules were tried, of how many at most."""
