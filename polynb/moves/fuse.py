"""Fusion: loops that follow one another become one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from polynb import isl
from polynb.arguments import count
from polynb.errors import PolynbError
from polynb.moves.loops import (
    NamedLoop,
    Parts,
    all_singled,
    loops_text,
    no_statement,
    reordered,
    the_loop,
    together,
)
from polynb.moves.move import KnownLoops, Move, Offered, Spot
from polynb.moves.nests import spine
from polynb.moves.words import Count, LoopName
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Sequence, Tree
from polynb.scop.tree_walk import Above, paths, rewrite
from polynb.words import listed


@dataclass(frozen=True)
class Fuse(Move):
    """Two neighbouring nests become one: those of two statements (as deep as both go, or so
    many loops deep), two loops, or the first two of equal depth.

    `for i { S }; for k { T }` becomes `for i { S; T }`: loops of one depth take the same values at
    the same time. Raises PolynbError for nests that are not side by side, and where there are no
    loops.
    """

    first: LoopName | None = None
    second: LoopName | None = None
    depth: Count | None = field(default=None, kw_only=True)

    usage = "fuse [A B] [depth N]"
    example = "fuse S T"
    about = "two neighbouring nests, or loops, become one"
    also = ("merge",)
    needs = "a second loop that comes after"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.first is None) != (self.second is None):
            raise PolynbError("fuse takes two names, or none", hint='fuse("S", "T")')

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        scop = all_singled(scop)
        if self.first is None or self.second is None:
            place, k = _first_neighbours(scop)
        else:
            place, k = _neighbours(scop, self.first, self.second)
        x, y = place.children[k : k + 2]
        deepest = min(_depth(x), _depth(y))
        if not deepest:
            lonely = x if not _depth(x) else y
            alone = f"{listed(lonely.domains)} has no loop of its own that could be fused"
            raise PolynbError(alone, reason=loops_text(scop), hint=_way_out(scop))
        named = self.first is not None and self.first not in scop.by_name
        levels = deepest if self.depth is None else count("depth", self.depth, most=deepest)
        one = fused(x, y, 1 if named else levels)
        new = Sequence((*place.children[:k], one, *place.children[k + 2 :]))
        tree: Tree = new if len(new.children) > 1 else one.child
        return reordered(scop, rewrite(scop.schedule, lambda t: tree if t is place else None))

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        """With a loop that comes later; of statements, as deep as both are."""
        for later in at.after()[:3]:
            yield f"with {later}", str(cls(at.name, later))
            first, second = at.statements[-1], at.loops[later].statements[0]
            if at.inside():
                yield f"{first} with {second}", str(cls(first, second))

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        yield cls()


def _depth(f: Filter) -> int:
    return sum(isinstance(t, Band) for t in spine(f.child)[0])


def fused(x: Filter, y: Filter, levels: int) -> Filter:
    """Two parts as one, so many loops deep. Instances that share a loop are told apart by the
    filters that they come from."""
    a, b = _below_marks(x.child), _below_marks(y.child)
    if not levels or not isinstance(a, Band) or not isinstance(b, Band):
        return together([x, y])
    members = {**a.members, **b.members}
    for n in a.members.keys() & b.members.keys():
        one, other = x.domains[n], y.domains[n]
        assert one is not None  # or instances would run twice
        assert other is not None
        members[n] = a.members[n].intersect_domain(one).union(b.members[n].intersect_domain(other))
    inside = fused(Filter(x.domains, a.child), Filter(y.domains, b.child), levels - 1)
    return Filter(inside.domains, replace(a, members=members, child=inside.child))


def _below_marks(tree: Tree) -> Tree:
    """What is fused has no mark of its own any more."""
    nodes, end = spine(tree)
    return next((t for t in nodes if isinstance(t, Band)), end)


def _side_by_side(scop: Scop) -> Iterator[tuple[Sequence, int, Filter, Filter]]:
    """Parts that follow one another, with the number of the first."""
    for node, _ in paths(scop.schedule):
        if isinstance(node, Sequence):
            for k, (x, y) in enumerate(itertools.pairwise(node.children)):
                yield node, k, x, y


def _first_neighbours(scop: Scop) -> tuple[Sequence, int]:
    for node, k, x, y in _side_by_side(scop):
        if _depth(x) == _depth(y) > 0:
            return node, k
    raise PolynbError(
        "no two loops of equal depth follow one another",
        reason=loops_text(scop),
        hint=_way_out(scop),
    )


def _way_out(scop: Scop) -> str:
    """What can be fused: a statement of each of two neighbours."""
    for _, _, x, y in _side_by_side(scop):
        if _depth(x) and _depth(y):
            return f"`fuse {next(iter(x.domains))} {next(iter(y.domains))}`"
    return "without this line: nothing is left to fuse"


def _neighbours(scop: Scop, first: str, second: str) -> tuple[Sequence, int]:
    """The innermost sequence that has both in different children, and the number of the first."""
    one, other = _path(scop, first), _path(scop, second)
    shared = [a for a, b in zip(one, other, strict=False) if a is b]
    place = shared[-1] if shared else None
    if not isinstance(place, Sequence):
        raise PolynbError(
            f"'{first}' and '{second}' are in one loop already, or one is in the other",
            reason=loops_text(scop),
            hint=_way_out(scop),
        )
    numbers = [
        next(k for k, f in enumerate(place.children) if any(f is t for t in path))
        for path in (one, other)
    ]
    low, high = sorted(numbers)
    between: Parts = {}
    for f in place.children[low + 1 : high]:
        between |= f.domains
    if between:
        near = list(between)[0 if numbers[0] == low else -1]
        loops = all(_depth(f) for f in place.children[low : high + 1])
        raise PolynbError(
            f"'{first}' and '{second}' are not side by side",
            reason=f"{listed(between)} {'is' if len(between) == 1 else 'are'} between them",
            hint=f"`fuse {first} {near}` first" if loops else _way_out(scop),
        )
    return place, low


def _path(scop: Scop, name: str) -> Above:
    """The nodes down to a statement, or to a loop, which must be the first of its nest."""
    if name in scop.by_name:
        every = [(*above, t) for t, above in paths(scop.schedule)]
        own = [p for p in every if _has(p, name)]
        return max(own, key=len) if own else ()
    try:
        loop: NamedLoop = the_loop(scop, name)
    except PolynbError:
        if name.isidentifier() and len(name) > 1 and name[0].isupper():
            raise no_statement(scop, name) from None
        raise
    outer = list(itertools.takewhile(lambda t: not isinstance(t, Band), reversed(loop.above)))
    if not any(isinstance(t, Sequence) for t in outer):
        around = next((t for t in reversed(loop.above) if isinstance(t, Band)), None)
        raise PolynbError(
            f"the loop '{name}' follows no other loop",
            reason=loops_text(scop) if around is not None else "the program is one nest",
            hint=_way_out(scop),
        )
    return (*loop.above, loop.band)


def _has(path: Above, name: str) -> bool:
    named = [t.members if isinstance(t, Band) else t.domains
             for t in path if isinstance(t, Band | Filter)]  # fmt: skip
    return bool(named) and all(name in n for n in named)
