"""A statement's innermost loop, cut into strips of as many iterations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from polynb import isl
from polynb.recurrences.innermost import InnermostLoop
from polynb.recurrences.plan_shifted import access_of
from polynb.rewriting.expansion import any_copies, copied
from polynb.scop.access import memory_access
from polynb.scop.affine import AffineFrame
from polynb.scop.model import Array, MemoryAccess, Statement
from polynb.source.tree import Access, Expr, accesses, walk


@dataclass(frozen=True, eq=False)
class Strips:
    """What a statement becomes: `filling` fill the buffers, loop by loop, each `{ S_b[s, i] }`
    over its strip and a margin; `own` is the statement with the number of its strip as first
    iterator, and `numbered` `{ S[i] -> S[s, i] }` has all numbers for each instance.

    What fills a buffer of several dimensions has a space of its own: `like` is then
    `{ S_b[s, t] -> S[s, i] }`, instances in the same iterations of the loops around, and `loops`
    `{ S_b[s, t] -> [t] }`.
    """

    filling: tuple[tuple[Statement, ...], ...]
    own: Statement
    numbered: isl.Map
    arrays: tuple[Array, ...]
    like: Mapping[str, isl.Map] = field(default_factory=dict)
    loops: Mapping[str, isl.Map] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class StripMining:
    """`{ S[i] }` as `{ S[s, i] }`, s being the iterator of the innermost loop divided by `length`;
    `strip` is what s is called."""

    statement: Statement
    innermost: InnermostLoop
    strip: str
    length: int

    @property
    def iterators(self) -> tuple[str, ...]:
        return (self.strip, *self.statement.iterators)

    @property
    def position(self) -> int:
        """Of the innermost iterator, in instances that begin with the number of their strip."""
        return self.statement.iterators.index(self.innermost.iterator) + 1

    def named(self, domain: isl.Set) -> isl.Set:
        named: isl.Set = isl.with_dim_names(domain, isl.SET, self.iterators)
        return named

    def numbered(self) -> isl.Map:
        """`{ S[i] -> S[s, i] }` with any s."""
        return any_copies(self.statement, 1)

    def in_strips(self) -> isl.Map:
        """`{ S[i] -> S[s, i] }` with s the innermost iterator divided by the strips' length."""
        numbered = self.numbered()
        image = isl.Set.universe(numbered.get_space().range())
        local = isl.LocalSpace.from_space(image.get_space())
        y = isl.Aff.var_on_domain(local, isl.SET, self.position)
        number = y.scale_down_val(isl.Val(self.length)).floor().to_pw_aff()
        strip = isl.Aff.var_on_domain(local, isl.SET, 0).to_pw_aff()
        return numbered.intersect_range(strip.eq_set(number))

    def own(self, e: Expr) -> Statement:
        """The statement in strips, computing an expression of the strip's number, too."""
        own = replace(copied(self.statement, self.in_strips(), self.iterators), expression=e)
        roots = (e, *own.write.node.subscripts)
        nodes = (x for root in roots for x in walk(root) if isinstance(x, Access))
        return replace(own, reads=tuple(access_of(own, x, own.domain) for x in nodes))


def filling(
    own: Statement, name: str, iterators: tuple[str, ...], domain: isl.Set, target: Access, e: Expr
) -> Statement:
    """`b[...] = e;`, which fills a buffer for a statement; `domain` has the iterators' names."""
    frame = AffineFrame(domain.get_space())

    def access(node: Access) -> MemoryAccess:
        found = memory_access(node, domain, frame)
        return replace(found, relation=isl.rename(found.relation, isl.IN, name))

    return replace(
        own,
        name=name,
        iterators=iterators,
        domain=isl.rename(domain, isl.SET, name),
        write=access(target),
        reads=tuple(map(access, accesses(e))),
        expression=e,
        span=None,
    )
