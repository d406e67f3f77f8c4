"""Loops by the names of their iterators: found in a schedule tree, named for good, and taken alone.

A loop is `i`; where several are called so, `S.i`, the one around statement S, or `i:2`, the second
one in the order of the text. The name stays with a loop whatever it is moved to.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence as Seq
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.legality.carried import loops_within
from polynb.legality.private import private_to
from polynb.schedules.bands import check_nesting, iterator_of, replaced, with_schedule
from polynb.schedules.tile_names import tiles_of
from polynb.schedules.trip_counts import check_short
from polynb.scop.model import Scop
from polynb.scop.schedule import (
    Band,
    Filter,
    FullTiles,
    Loop,
    Mark,
    Sequence,
    Tree,
    member,
    subtrees,
    transform,
    with_subtrees,
)
from polynb.scop.tree_walk import Above, paths
from polynb.source.typos import meant
from polynb.words import listed

NAME: Final = re.compile(r"(?:(?P<statement>\w+)\.)?(?P<loop>\w+)(?::(?P<number>\d+))?")
"""How a loop is written."""


@dataclass(frozen=True, eq=False)
class NamedLoop:
    """A loop of a schedule tree: number `member` of its band, with the nodes above that."""

    name: str
    band: Band
    member: int
    above: Above

    @property
    def statements(self) -> tuple[str, ...]:
        return tuple(self.band.members)

    @property
    def loop(self) -> Loop:
        return self.band.loops[self.member]

    def values(self, statement: str) -> isl.Map:
        """`{ S[i] -> [t] }`."""
        return member(self.band.members[statement], self.member)

    def is_same(self, other: NamedLoop) -> bool:
        return self.band is other.band and self.member == other.member

    def is_around(self, other: NamedLoop) -> bool:
        """Whether the other loop runs inside of this one."""
        if self.band is other.band:
            return self.member < other.member
        return any(t is self.band for t in other.above)


def named_loops(scop: Scop) -> tuple[NamedLoop, ...]:
    """All loops, in the order of the text. A loop that nobody has named is called after the
    iterator (of the first statement that has one) whose values, or whose tiles, it takes."""
    found: list[NamedLoop] = []
    names: dict[int, list[str]] = {}  # of the loops down to a node, by its id
    for node, above in paths(scop.schedule):
        around = names[id(above[-1])] if above else []
        names[id(node)] = list(around)
        for k, loop in enumerate(node.loops if isinstance(node, Band) else ()):
            assert isinstance(node, Band)
            name = loop.name or _name(scop, node, k, names[id(node)])
            names[id(node)].append(name)
            found.append(NamedLoop(name, node, k, above))
    return tuple(found)


def _name(scop: Scop, band: Band, k: int, taken: Seq[str]) -> str:
    values = band.values(k)
    if (iterator := iterator_of(scop.by_name, values, taken=taken)) is not None:
        return iterator
    every = {i for s in scop.statements for i in s.iterators}
    for name, v in values.items():
        s = scop.by_name[name]
        tiles = tiles_of(v.intersect_domain(s.domain.intersect_params(scop.assumed)), s.iterators)
        for new in () if tiles is None else tiles.names:
            if new not in taken and (new not in every or tiles is None or tiles.size == 1):
                return new
    return next(n for k in itertools.count() if (n := f"t{k}") not in {*taken, *every})


# -- by name -----------------------------------------------------------------------------


def the_loop(scop: Scop, name: str) -> NamedLoop:
    """The loop of that name. Raises PolynbError, with those there are, for none and for several."""
    return _only(scop, name, _called(scop, name))


def _one_nest(scop: Scop, names: Seq[str]) -> tuple[NamedLoop, ...]:
    """The loops of these names that are inside one another, the outermost first. Raises
    PolynbError for names of no loop or of several, and for loops of different nests."""
    every = [_called(scop, name) for name in names]
    for a, b in itertools.combinations(names, 2):
        if a == b:
            raise PolynbError(f"'{b}' is there twice", hint="another loop of the nest")
    found = [chain for chosen in itertools.product(*every) if (chain := _chain(chosen)) is not None]
    if len(found) == 1:
        return found[0]
    for name, called in zip(names, every, strict=True):
        if len(called) > 1:
            _only(scop, name, called)
    quoted = listed(f"'{n}'" for n in names)
    raise PolynbError(
        f"the loops {quoted} are not in one nest",
        reason=loops_text(scop),
        hint="loops inside one another, or `fuse`, which makes one nest of two",
    )


def _chain(loops: Iterable[NamedLoop]) -> tuple[NamedLoop, ...] | None:
    found = sorted(loops, key=lambda x: (len(x.above), x.member))
    inside = all(a.is_around(b) for a, b in itertools.pairwise(found))
    return tuple(found) if inside else None


def _called(scop: Scop, name: str) -> list[NamedLoop]:
    said = NAME.fullmatch(name)
    loops = named_loops(scop)
    if said is None:
        raise PolynbError(f"{name!r} is no name of a loop", hint="`i`, `S.i` or `i:2`")
    statement, wanted, number = said["statement"], said["loop"], said["number"]
    if statement is not None and statement not in scop.by_name:
        raise no_statement(scop, statement)
    there = [x for x in loops if statement is None or statement in x.statements]
    found = [x for x in there if x.name == wanted]
    if number is not None:
        found = found[int(number) - 1 : int(number)] if int(number) else []
    if not found:
        known = list(dict.fromkeys(x.name for x in there))
        near = meant(wanted, known)
        around = "" if statement is None else f" around {statement}"
        of = f"`{near}`" if near else listed(f"`{n}`" for n in known)
        raise PolynbError(
            f"there is no loop {name!r}{around}",
            reason=loops_text(scop),
            hint=f"{'did you mean ' if near else ''}{of}" if known else None,
        )
    return found


def _only(scop: Scop, name: str, found: list[NamedLoop]) -> NamedLoop:
    if len(found) == 1:
        return found[0]
    ways = [unique_name(x, found) for x in found]
    raise PolynbError(
        f"{name!r} is the name of {len(found)} loops",
        reason="; ".join(f"`{w}` is around {listed(x.statements)}"
                         for w, x in zip(ways, found, strict=True)),
        hint=" or ".join(f"`{w}`" for w in ways),
    )  # fmt: skip


def unique_name(loop: NamedLoop, among: Iterable[NamedLoop]) -> str:
    """A name that means this loop, and no other one among those."""
    same = [x for x in among if x.name == loop.name]
    if len(same) == 1:
        return loop.name
    mine = next(k for k, x in enumerate(same) if x.is_same(loop))
    others = {n for k, x in enumerate(same) if k != mine for n in x.statements}
    own = next((n for n in loop.statements if n not in others), None)
    return f"{own}.{loop.name}" if own is not None else f"{loop.name}:{mine + 1}"


def bare(name: str) -> str:
    """The name of a loop without what tells it from others: `j` of `S.j` and of `j:2`."""
    return name.partition(":")[0].rpartition(".")[2]


def nested(loops: Mapping[str, NamedLoop]) -> Iterator[tuple[str, str]]:
    """Every two loops of which one is around the other."""
    for outer, x in loops.items():
        for inner, y in loops.items():
            if x.is_around(y):
                yield outer, inner


def no_statement(scop: Scop, name: str) -> PolynbError:
    """The error for a name that no statement has, with the nearest one that there is."""
    near = meant(name, scop.by_name)
    return PolynbError(
        f"there is no statement {name!r}",
        reason=f"the statements are {listed(scop.by_name)}",
        hint=f"did you mean `{near}`?" if near else f"`{next(iter(scop.by_name))}`, say",
    )


def loops_text(scop: Scop) -> str:
    """`the loops are i and j around S; i around T`"""
    nests: dict[tuple[int, ...], tuple[list[str], list[str]]] = {}
    every = named_loops(scop)
    for s in scop.statements:
        own = [x for x in every if s.name in x.statements]
        if own:
            names = [x.name for x in own]
            _, around = nests.setdefault(tuple(id(x.band) for x in own), (names, []))
            around.append(s.name)
    said = [f"{listed(loops)} around {listed(around)}" for loops, around in nests.values()]
    return f"the loops are {'; '.join(said)}" if said else "the program has no loops"


# -- taken alone ---------------------------------------------------------------------------


def singled(scop: Scop, *names: str) -> tuple[Scop, tuple[NamedLoop, ...]]:
    """The program with these loops of one nest in bands of their own, and the loops, the outermost
    first."""
    found = _one_nest(scop, names)
    scop = with_schedule(scop, _named(scop, {id(x.band) for x in found}))
    return scop, _one_nest(scop, names)


def all_singled(scop: Scop) -> Scop:
    """The program with every loop in a band of its own."""
    return with_schedule(scop, _named(scop, {id(x.band) for x in named_loops(scop)}))


def _named(scop: Scop, alone: set[int]) -> Tree:
    """The tree in which all loops know their names, without marks of private arrays; the loops of
    some bands are in bands of their own."""
    names: dict[int, list[str]] = {}
    for x in named_loops(scop):
        names.setdefault(id(x.band), []).append(x.name)

    def rebuilt(node: Tree) -> Tree:
        new = with_subtrees(node, [rebuilt(c) for c in subtrees(node)])
        match new:
            case Mark(child=c) if private_to(new) or _split(node, alone):
                return c
            case Band(loops=loops):
                own = zip(loops, names.get(id(node), ()), strict=True)  # a band may have no loop
                new = replace(new, loops=tuple(replace(x, name=n) for x, n in own))
                return _one_by_one(new) if id(node) in alone else new
        return new

    return rebuilt(scop.schedule)


def _split(node: Tree, alone: set[int]) -> bool:
    """Whether a node says of a band that is taken apart that its full tiles stand alone."""
    return isinstance(node, Mark) and isinstance(node.what, FullTiles) and id(node.child) in alone


def _one_by_one(band: Band) -> Tree:
    tree = band.child
    for k in reversed(range(band.depth)):
        tree = Band(band.values(k), tree, loops=(band.loops[k],))
    return tree


# -- and put back -----------------------------------------------------------------------------


def moved(scop: Scop, new: Iterable[tuple[Band, Tree]]) -> Scop:
    """The program with some bands replaced. What was said of loops (permutable, coincident) was
    found for another order, and is forgotten."""
    return reordered(scop, replaced(scop.schedule, new))


def reordered(scop: Scop, tree: Tree) -> Scop:
    """The program in the order of another tree, of which nothing is said but how its loops run.
    Raises PolynbError where they cannot run so any more."""

    def change(node: Tree) -> Tree:
        match node:
            case Band(loops=loops):
                plain = tuple(replace(x, coincident=False) for x in loops)
                return replace(node, permutable=False, loops=plain)
            case Sequence():
                return _flat(node)
        return node

    made = with_schedule(scop, transform(tree, change))
    check_nesting(made.schedule)
    _check_written_out(made)
    return made


def _check_written_out(scop: Scop) -> None:
    """Raises PolynbError if a loop that is written out would have been moved to where it is not
    known that it is short."""
    if all(x.loop.kind != "unroll" for x in named_loops(scop)):
        return
    for x in loops_within(scop, ()):
        loop = x.band.loops[x.member]
        try:
            if loop.kind == "unroll":
                check_short(scop, x)
        except isl.BudgetExhausted:
            raise
        except PolynbError as error:
            raise PolynbError(
                f"the loop '{loop.name}' is written out, and would not be short there",
                reason=error.reason,
                hint=f"this first, then `unroll {loop.name}`",
            ) from None


def _flat(node: Sequence) -> Sequence:
    """A sequence without sequences right inside of it."""
    children: list[Filter] = []
    for f in node.children:
        inner = f.child
        if isinstance(inner, Sequence):
            children += [replace(g, domains=both(f.domains, g.domains)) for g in inner.children]
        else:
            children.append(f)
    return Sequence(tuple(children))


Parts = dict[str, isl.Set | None]
"""What a filter lets through."""


def both(outer: Mapping[str, isl.Set | None], inner: Mapping[str, isl.Set | None]) -> Parts:
    """What two filters, one inside the other, let through together."""
    return {n: _common(outer[n], part) for n, part in inner.items()}


def _common(a: isl.Set | None, b: isl.Set | None) -> isl.Set | None:
    if a is None or b is None:
        return b if a is None else a
    return a.intersect(b)


def together(filters: Seq[Filter]) -> Filter:
    """One part of a sequence made of several that follow one another."""
    if len(filters) == 1:
        return filters[0]
    domains: Parts = {}
    for f in filters:
        for n, part in f.domains.items():
            known = domains.get(n, part)
            domains[n] = known.union(part) if known is not None and part is not None else None
    return Filter(domains, Sequence(tuple(filters)))
