"""Schedule trees: in which order the instances of the statements run.

A tree is read from its root. A band orders instances by one or more affine functions, a
sequence runs its children one after the other, a filter restricts what follows to some
statements (or a part of their instances), a mark says something of what is below it. This is our
own frozen form of isl's schedule trees; `to_isl` and `from_isl` convert.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence as Seq
from dataclasses import dataclass, replace
from operator import is_
from typing import Any, Final, Literal, assert_never, get_args

from polynb import isl
from polynb.conveniences import Portable
from polynb.source.tree import ForKind

LoopKind = Literal[ForKind, "unroll"]
KINDS: Final[tuple[LoopKind, ...]] = get_args(LoopKind)


@dataclass(frozen=True)
class Loop:
    """One loop of a band.

    `kind`: how it is to run; "collapsed": shared out to threads with the parallel loop right around
    or inside. `coincident`: it carries no dependence. `width`: each of its iterations is a tile or
    strip of so many values of the loop that it was made from (1 if it was not). `name`: what it is
    called where it takes the values of no iterator ("": nobody has named it).
    """

    kind: LoopKind = "sequential"
    coincident: bool = False
    width: int = 1
    name: str = ""


# -- what marks say ------------------------------------------------------------------------


@dataclass(frozen=True)
class Private:
    """The content of these temporaries is used only within one run of what is below."""

    arrays: tuple[str, ...]


@dataclass(frozen=True)
class FullTiles:
    """The band of tile loops right below has loops of their own for full tiles, of these sizes;
    `shifted`: its point loops begin at 0, not where the tile does (see `scop/schedule_isl.py`)."""

    sizes: tuple[int, ...]
    shifted: bool = False


@dataclass(frozen=True)
class Named:
    """A name that a person (or isl) gave the code below."""

    text: str


Meaning = Private | FullTiles | Named

# -- the nodes -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Leaf:
    """Nothing is ordered below."""


@dataclass(frozen=True, eq=False)
class Band(Portable):
    """`members[S]` is `{ S[i] -> [t_1, ..., t_n] }`, the n loops of the band for statement S.

    `permutable`: the loops may be interchanged (and tiled).
    """

    members: Mapping[str, isl.Map]
    child: Tree
    permutable: bool = False
    loops: tuple[Loop, ...] = (Loop(),)

    @property
    def depth(self) -> int:
        return len(self.loops)

    @property
    def kinds(self) -> tuple[LoopKind, ...]:
        return tuple(loop.kind for loop in self.loops)

    @property
    def coincident(self) -> tuple[bool, ...]:
        return tuple(loop.coincident for loop in self.loops)

    def values(self, k: int) -> dict[str, isl.Map]:
        """`{ S[i] -> [t_k] }`, what the k-th loop counts."""
        return {name: member(m, k) for name, m in self.members.items()}


@dataclass(frozen=True, eq=False)
class Filter(Portable):
    """What follows holds for these instances only: name -> set, None for all of a statement."""

    domains: Mapping[str, isl.Set | None]
    child: Tree


@dataclass(frozen=True, eq=False)
class Sequence(Portable):
    """The children run one after the other; together they have every instance once."""

    children: tuple[Filter, ...]


@dataclass(frozen=True, eq=False)
class Mark(Portable):
    """What the loops below mean to whoever runs them; it orders nothing, as isl's marks."""

    what: Meaning
    child: Tree


Tree = Leaf | Band | Filter | Sequence | Mark


def subtrees(tree: Tree) -> tuple[Tree, ...]:
    """The children, left to right: a walk needs to know no more of the kinds of nodes."""
    match tree:
        case Leaf():
            return ()
        case Sequence(children=c):
            return c
        case Band(child=c) | Filter(child=c) | Mark(child=c):
            return (c,)


def with_subtrees(tree: Tree, parts: Seq[Tree]) -> Tree:
    """The node with other children, as many as it has."""
    match tree:
        case Leaf():
            return tree
        case Sequence():
            return replace(tree, children=tuple(x for x in parts if isinstance(x, Filter)))
        case Band() | Filter() | Mark():
            (child,) = parts
            return replace(tree, child=child)
    assert_never(tree)


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node, parents first, in order."""
    yield tree
    for child in subtrees(tree):
        yield from walk(child)


def statement_names(tree: Tree) -> set[str]:
    """The statements that the bands and filters of a tree are about."""
    names: set[str] = set()
    for node in walk(tree):
        match node:
            case Band(members=m):
                names |= m.keys()
            case Filter(domains=d):
                names |= d.keys()
    return names


def transform(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """Rebuild a tree bottom up, `change` applied to every node after its children."""
    return change(_rebuilt(tree, lambda c: transform(c, change)))


def _rebuilt(tree: Tree, each: Callable[[Tree], Tree]) -> Tree:
    """The node with changed children; itself if none of them changes."""
    before = subtrees(tree)
    after = [each(c) for c in before]
    return tree if all(map(is_, before, after)) else with_subtrees(tree, after)


def restricted(node: Filter, domains: Mapping[str, isl.Set]) -> dict[str, isl.Set]:
    """The instances that a filter lets through, without statements that have none."""
    inside = {}
    for name, part in node.domains.items():
        if name in domains:
            left = domains[name] if part is None else domains[name].intersect(part)
            if not left.is_empty():
                inside[name] = left
    return inside


def with_kinds(band: Band, kinds: Iterable[LoopKind]) -> Band:
    """The band with its loops run in these ways."""
    loops = zip(band.loops, kinds, strict=True)
    return replace(band, loops=tuple(replace(loop, kind=kind) for loop, kind in loops))


def with_coincident(band: Band, coincident: Iterable[bool]) -> Band:
    """The band with those of its loops coincident."""
    loops = zip(band.loops, coincident, strict=True)
    return replace(band, loops=tuple(replace(loop, coincident=c) for loop, c in loops))


def without_promises(tree: Tree, arrays: Container[str]) -> Tree:
    """The tree of which nothing is said any more that depends on what its statements access: bands
    are not permutable, loops not coincident, and none runs in parallel or in vectors. Private are
    only `arrays`, those that are left."""

    def change(node: Tree) -> Tree:
        match node:
            case Band(loops=loops):
                plain = tuple(replace(x, kind=_kept_kind(x.kind), coincident=False) for x in loops)
                return replace(node, permutable=False, loops=plain)
            case Mark(what=Private(arrays=named)):
                left = tuple(n for n in named if n in arrays)
                return replace(node, what=Private(left)) if left else node.child
            case _:
                return node

    return transform(tree, change)


def _kept_kind(kind: LoopKind) -> LoopKind:
    return "unroll" if kind == "unroll" else "sequential"


# -- times -----------------------------------------------------------------------------


def times(tree: Tree, domains: Mapping[str, isl.Set]) -> dict[str, isl.Map]:
    """For each statement `{ S[i] -> [t] }`, padded with zeros to one common length.

    All instances of a program have different times, except pieces that share no instance of
    their original statement. (isl orders maps of different range lengths not at all: hence
    the padding.)
    """
    flat = {name: _time(tree, name, domain) for name, domain in domains.items()}
    length = max((m.dim(isl.OUT) for m in flat.values()), default=0)
    return {name: padded(m, length) for name, m in flat.items()}


def _time(tree: Tree, name: str, domain: isl.Set) -> isl.Map:
    start = isl.Map.from_domain(isl.Set.universe(domain.get_space()))
    return _extend(tree, name, start)


def _extend(tree: Tree, name: str, time: isl.Map) -> isl.Map:
    match tree:
        case Leaf():
            return time
        case Mark(child=c):
            return _extend(c, name, time)
        case Filter(domains=d, child=c):
            part = d[name]
            return _extend(c, name, time if part is None else time.intersect_domain(part))
        case Band(members=m, child=c):
            return _extend(c, name, time.flat_range_product(m[name]))
        case Sequence(children=children):
            inside = [(k, f) for k, f in enumerate(children) if name in f.domains]
            parts = [_extend(f, name, _constant(time, k)) for k, f in inside]
            length = max(p.dim(isl.OUT) for p in parts)
            return isl.united(padded(p, length) for p in parts)
    assert_never(tree)


def _constant(time: isl.Map, value: int) -> isl.Map:
    end = time.dim(isl.OUT)
    return time.add_dims(isl.OUT, 1).fix_val(isl.OUT, end, isl.Val(value))


def padded(time: isl.Map, length: int) -> isl.Map:
    """`{ S[i] -> [t, 0, ..., 0] }` of a length: isl compares no times of different lengths."""
    have = time.dim(isl.OUT)
    time = time.add_dims(isl.OUT, length - have)
    for k in range(have, length):
        time = time.fix_val(isl.OUT, k, isl.Val(0))
    return time


def member(times: isl.Map, k: int) -> isl.Map:
    """`{ S[i] -> [t_k] }` of times `{ S[i] -> [t] }`, of the members of a band, or of cells."""
    count = times.dim(isl.OUT)
    return times.project_out(isl.OUT, k + 1, count - k - 1).project_out(isl.OUT, 0, k)


def at_one_time(times: Mapping[str, isl.Map], first: str, then: str) -> isl.Map:
    """`{ S[i] -> T[j] }` of one time, or of one iteration of loops, of what each statement has,
    `{ S[i] -> [t] }`."""
    return times[first].apply_range(times[then].reverse())


def statement_times(union: isl.UnionMap) -> dict[str, isl.Map]:
    """`{ S[i] -> [t] }` of each statement, of one length and without names of times: also where
    parts of a statement are given times of different lengths."""
    maps = isl.maps(union)
    length = max((m.dim(isl.OUT) for m in maps), default=0)
    return isl.united_by(
        (isl.tuple_name(m, isl.IN), padded(m.reset_tuple_id(isl.OUT), length)) for m in maps
    )


# -- statements come, go and split -------------------------------------------------------


def split(tree: Tree, name: str, pieces: Seq[str]) -> Tree:
    """The tree with statement `name` replaced by pieces of it that run at the same times.

    The pieces' domains must be disjoint; no piece at all removes the statement.
    """

    def renamed(m: isl.Map | isl.Set | None, piece: str) -> isl.Map | isl.Set | None:
        if isinstance(m, isl.Map):
            return isl.rename(m, isl.IN, piece)
        return None if m is None else isl.rename(m, isl.SET, piece)

    def spread(entries: Mapping[str, isl.Map | isl.Set | None]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in entries.items():
            if key == name:
                out.update({piece: renamed(value, piece) for piece in pieces})
            else:
                out[key] = value
        return out

    def change(node: Tree) -> Tree:
        match node:
            case Band(members=m) if name in m:
                members = spread(m)
                return replace(node, members=members) if members else Leaf()
            case Filter(domains=d) if name in d:
                return replace(node, domains=spread(d))
            case Sequence(children=c):
                left = tuple(f for f in c if f.domains)
                if len(left) == len(c):
                    return node
                if not left:
                    return Leaf()
                return left[0].child if _whole(left) else Sequence(left)
        return node

    def below(node: Tree) -> Tree:
        # Of many statements, most are not behind the filters that let this one through.
        if isinstance(node, Filter) and name not in node.domains:
            return node
        return change(_rebuilt(node, below))

    return below(tree)


def _whole(children: tuple[Filter, ...]) -> bool:
    return len(children) == 1 and all(d is None for d in children[0].domains.values())
