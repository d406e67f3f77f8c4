"""Where the statements of a recurrence go in a schedule tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence as Seq
from dataclasses import dataclass, field, replace

from polynb import isl
from polynb.legality.private import private_to
from polynb.scop.schedule import (
    Band,
    Filter,
    Leaf,
    Loop,
    Mark,
    Private,
    Sequence,
    Tree,
    subtrees,
)


@dataclass(frozen=True)
class StripLoops:
    """A loop that is cut into strips of `length` iterations; `filling`: the statements that run
    before each, in loops of their own; `buffers`: those of all strips of the program so far, by
    which a loop is known that is cut already."""

    length: int
    filling: tuple[tuple[str, ...], ...]
    buffers: frozenset[str]


@dataclass(frozen=True)
class Insertion:
    """New statements around one, all named: `first` run before its innermost loop, `before` and
    `after` in each of its iterations; `private` are the arrays that they share.

    With `strips`, the innermost loop is cut into strips, unless it is already, for other
    statements. `first` run before each strip then; the first iterator of the statement and of
    `first` is the number of the strip. `like` and `loops`: of what has a space of its own, see
    `Strips`.
    """

    statement: str
    first: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    private: tuple[str, ...]
    strips: StripLoops | None = None
    like: Mapping[str, isl.Map] = field(default_factory=dict)
    loops: Mapping[str, isl.Map] = field(default_factory=dict)

    def of(self, m: isl.Map, name: str) -> isl.Map:
        """`{ S[i] -> [t] }` for a new statement in the same loops."""
        like = self.like.get(name)
        renamed: isl.Map = isl.rename(m, isl.IN, name) if like is None else like.apply_range(m)
        return renamed

    def members(self, members: Mapping[str, isl.Map], added: Seq[str]) -> dict[str, isl.Map]:
        return {**members, **{n: self.of(members[self.statement], n) for n in added}}


GoOn = Callable[[Tree, Seq[str], Insertion], Tree]


def inserted(tree: Tree, names: Seq[str], new: Insertion) -> Tree:
    """The tree with the new statements, which have the times of their statement otherwise; those
    that run first do not have a time in its innermost loop.

    `names`: the statements that the tree orders.
    """
    if not _has_band(tree, new.statement):
        return _inside(tree, names, new)
    match tree:
        case Mark(child=c):
            return replace(tree, child=inserted(c, names, new))
        case Sequence() | Filter():
            return _passed(tree, new, (*new.first, *new.before, *new.after), inserted)
        case Band(child=Mark() as mark) if (
            new.strips is not None and not new.strips.buffers.isdisjoint(private_to(mark))
        ):
            return _same_strips(tree, mark, new, new.strips)
        case Band(child=c) if _has_band(c, new.statement):
            every = (*new.first, *new.before, *new.after)
            members = new.members(tree.members, every)
            return replace(tree, members=members, child=inserted(c, names, new))
        case Band():
            return _around_last_loop(tree, names, new)
    raise AssertionError(tree)


def _around_last_loop(band: Band, names: Seq[str], new: Insertion) -> Tree:
    """What runs first goes before the last loop of the band; the band's other loops, if it has
    several, become one around both."""
    k = band.depth - 1
    inner = {n: m.project_out(isl.OUT, 0, k) for n, m in band.members.items()}
    loop = replace(
        band,
        members=new.members(inner, (*new.before, *new.after)),
        child=_inside(band.child, names, new),
        permutable=False,
        loops=(replace(band.loops[k], coincident=False),),
    )
    repeated = Filter(dict.fromkeys((*names, *new.before, *new.after)), loop)
    if new.strips is None:
        marked: Tree = Mark(Private(new.private), Sequence((*_alone(new.first), repeated)))
    else:
        marked = _strips(inner, repeated, new, new.strips)
    if not k:
        return marked
    outer = {n: m.project_out(isl.OUT, k, 1) for n, m in band.members.items()}
    members = new.members(outer, (*new.first, *new.before, *new.after))
    return replace(band, members=members, child=marked, loops=band.loops[:k])


def _inside(tree: Tree, names: Seq[str], new: Insertion) -> Tree:
    """The part of the tree in the innermost loop."""
    match tree:
        case _ if not new.before and not new.after:
            return tree
        case Leaf():
            old = Filter(dict.fromkeys(names), tree)
            return Sequence((*_alone(new.before), old, *_alone(new.after)))
        case Mark(child=c):
            return replace(tree, child=_inside(c, names, new))
        case Sequence() | Filter():
            return _passed(tree, new, (*new.before, *new.after), _inside)
    raise AssertionError(tree)


def _passed(tree: Sequence | Filter, new: Insertion, added: Seq[str], go_on: GoOn) -> Tree:
    """The filter, or that filter of a sequence, which the statement passes."""
    if isinstance(tree, Filter):
        return _filter(tree, new, added, go_on)
    children = (
        _filter(f, new, added, go_on) if new.statement in f.domains else f for f in tree.children
    )
    return replace(tree, children=tuple(children))


def _filter(tree: Filter, new: Insertion, added: Seq[str], go_on: GoOn) -> Filter:
    child = go_on(tree.child, tuple(tree.domains), new)
    return Filter({**tree.domains, **dict.fromkeys(added)}, child)


# -- strips ---------------------------------------------------------------------------------


def _strips(
    inner: Mapping[str, isl.Map], repeated: Filter, new: Insertion, cut: StripLoops
) -> Tree:
    """A loop of strips around the innermost loop, whose members are `inner`."""
    filling, length = _filling(inner[new.statement], new, cut.filling), cut.length
    divided = isl.read_map(f"{{ [t] -> [s] : {length}*s <= t < {length}*s + {length} }}")
    strips = {n: m.apply_range(divided) for n, m in inner.items()}
    strips |= _numbers(inner[new.statement], new)
    inside = Mark(Private(new.private), Sequence((*filling, repeated)))
    return Band(strips, inside, loops=(Loop(width=length),))


def _same_strips(band: Band, mark: Mark, new: Insertion, cut: StripLoops) -> Tree:
    """The strips of another statement in the same loop, whose buffers are filled there, too."""
    assert isinstance(mark.child, Sequence)
    *others, repeated = mark.child.children
    assert isinstance(repeated.child, Band)
    filling = _filling(repeated.child.members[new.statement], new, cut.filling)
    private = Private((*private_to(mark), *new.private))
    inside = Mark(private, Sequence((*others, *filling, repeated)))
    numbers = _numbers(band.members[new.statement], new)
    return replace(band, members={**band.members, **numbers}, child=inside)


def _filling(member: isl.Map, new: Insertion, loops: Seq[tuple[str, ...]]) -> list[Filter]:
    """Loops along the same iterator as the statement's `{ S[s, i] -> [t] }`, or their own."""
    filters = []
    for names in loops:
        members = {n: new.loops.get(n) or isl.rename(member, isl.IN, n) for n in names}
        depth = members[names[0]].dim(isl.OUT)
        inside = Sequence(tuple(_alone(names))) if len(names) > 1 else Leaf()
        band = Band(members, inside, loops=(Loop(),) * depth)
        filters.append(Filter(dict.fromkeys(names), band))
    return filters


def _numbers(m: isl.Map, new: Insertion) -> dict[str, isl.Map]:
    """`{ S[s, i] -> [s] }` for a statement, of which m is any map, and those that fill buffers."""
    same = isl.Map.identity(m.domain().get_space().map_from_set()).reset_tuple_id(isl.OUT)
    number = same.project_out(isl.OUT, 1, same.dim(isl.OUT) - 1)
    return {new.statement: number, **{n: new.of(number, n) for n in new.first}}


def _alone(names: Seq[str]) -> list[Filter]:
    return [Filter({n: None}, Leaf()) for n in names]


def _has_band(tree: Tree, name: str) -> bool:
    match tree:
        case Band(members=m):
            return name in m
        case Filter(domains=d) if name not in d:
            return False
    return any(_has_band(t, name) for t in subtrees(tree))
