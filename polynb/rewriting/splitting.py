"""Statement splitting and syntactic read replacement (CC'18, section 3 and Figure 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from polynb import isl
from polynb.rewriting.pool import Pool
from polynb.rewriting.substitution import rewrite, rewritten_iterators
from polynb.scop.fresh_names import Names
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import split
from polynb.source.tree import Access, Cast, Expr, Iterator, walk
from polynb.source.types import INT64


@dataclass(frozen=True, eq=False)
class CellChoice:
    """Of a read whose cell data decides, `{ S[i] -> T[j, x] }`: the instance that wrote the cell
    which T[j] reads if its `subscripts` that data decides are x."""

    relation: isl.Map
    subscripts: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Replacement:
    """A read of a target and the propagation dependence `{ S[i] -> T[j] }` that replaces it; with
    `chosen`, j has an i for each cell that it may be."""

    read: int
    source: Statement
    dependence: isl.Map
    chosen: CellChoice | None = None

    def iterators(self, target: Statement, known: isl.Set) -> Mapping[str, Expr]:
        """What each iterator of the source is, at the instances `known` of the target."""
        names = self.source.iterators
        if self.chosen is None:
            return rewritten_iterators(self.dependence, names, target.iterators, known)
        chosen = enumerate(self.chosen.subscripts)
        places = {f"{self.source.name}[{k}]": Cast(INT64, e) for k, e in chosen}
        known = known.reset_tuple_id().add_dims(isl.SET, len(places)).set_tuple_name(target.name)
        over = (*target.iterators, *places)
        found = rewritten_iterators(self.chosen.relation, names, over, known)
        return {
            name: rewrite(e, {**{i: Iterator(i) for i in target.iterators}, **places})
            for name, e in found.items()
        }


Replaced = tuple[Statement, Statement, int, Mapping[str, Expr]]
"""A piece, the source, the number of the read in the target, the rewritten iterators."""


@dataclass(frozen=True, eq=False)
class DomainPiece:
    """A part `{ T[j] }` of a target's domain, and the source that reaches each read in it."""

    domain: isl.Set
    replacements: tuple[Replacement, ...] = ()


def pieces(
    target: Statement, replacements: Sequence[Replacement], assumed: isl.Set
) -> list[DomainPiece]:
    """The coarsest partition of the target's domain in which every replacement reaches all of a
    piece or none of it, in the order of execution. Empty pieces are left out."""
    whole = target.domain.intersect_params(assumed)
    parts = [DomainPiece(target.domain)]
    for r in replacements:
        reached = r.dependence.range().intersect_params(assumed)
        if whole.is_subset(reached):
            parts = [replace(p, replacements=(*p.replacements, r)) for p in parts]
            continue
        parts = [new for p in parts for new in _refine(p, r, reached, assumed)]
    return parts if len(parts) == 1 else _in_order(parts, target, assumed)


def _refine(
    p: DomainPiece, r: Replacement, reached: isl.Set, assumed: isl.Set
) -> Iterable[DomainPiece]:
    taken = {x.read for x in p.replacements}
    inside = p.domain.intersect(reached)
    if r.read in taken or inside.intersect_params(assumed).is_empty():
        yield p
        return
    yield DomainPiece(_tidy(inside, assumed), (*p.replacements, r))
    outside = p.domain.subtract(reached)
    if not outside.intersect_params(assumed).is_empty():
        yield replace(p, domain=_tidy(outside, assumed))


def _tidy(domain: isl.Set, assumed: isl.Set) -> isl.Set:
    return isl.coalesced(domain.intersect_params(assumed)).gist_params(assumed)


def _in_order(parts: list[DomainPiece], target: Statement, assumed: isl.Set) -> list[DomainPiece]:
    """By the first time of each piece, at small parameter values that all pieces have if there
    are any: this only decides which piece gets which name."""
    common = assumed
    for p in parts:
        both = common.intersect(p.domain.params())
        common = common if both.is_empty() else both
    found = isl.witness(isl.Set.from_params(common))
    values = found[0] if found is not None else {}

    def first(p: DomainPiece) -> tuple[bool, tuple[int, ...]]:
        when = isl.first_point(p.domain.apply(target.schedule), values)
        return (when is None, when or ())

    return sorted(parts, key=first)


# -- applying ----------------------------------------------------------------------------


def replace_reads(
    scop: Scop, pool: Pool, target: Statement, parts: Sequence[DomainPiece]
) -> tuple[tuple[Statement, ...], list[Replaced]]:
    """The statements that the pieces of a target become, and which of their reads were replaced
    how: (piece, source, read, rewritten iterators). Their expressions are in the pool."""
    names = [target.name] if len(parts) == 1 else _piece_names(scop, target, len(parts))
    made: list[Statement] = []
    replaced: list[Replaced] = []
    for name, part in zip(names, parts, strict=True):
        known = part.domain.intersect_params(scop.assumed)
        iterators = [r.iterators(target, known) for r in part.replacements]
        made.append(_piece(scop, pool, target, name, part, iterators))
        replaced += [
            (made[-1], r.source, r.read, i)
            for r, i in zip(part.replacements, iterators, strict=True)
        ]
    return tuple(made), replaced


def with_statements(scop: Scop, old: str, new: Sequence[Statement]) -> Scop:
    """The Scop with one statement replaced by pieces of it (none: removed)."""
    tree = scop.schedule
    if [s.name for s in new] != [old]:
        tree = split(tree, old, [s.name for s in new])
    kept: list[Statement] = []
    for s in scop.statements:
        kept += new if s.name == old else [s]
    return replace(scop, statements=tuple(kept), schedule=tree, program=None)


def _piece_names(scop: Scop, target: Statement, count: int) -> list[str]:
    """T_1, T_2, ... for the pieces of the statement that the text calls T."""
    names = Names(s.name for s in scop.statements)
    return [names.fresh(f"{target.origin}_", 1) for _ in range(count)]


def _piece(
    scop: Scop,
    pool: Pool,
    target: Statement,
    name: str,
    part: DomainPiece,
    iterators: Sequence[Mapping[str, Expr]],
) -> Statement:
    new: dict[int, Expr] = {}
    for r, rewritten in zip(part.replacements, iterators, strict=True):
        read = target.reads[r.read]
        value = pool.rewritten(r.source.expression, rewritten)
        new[id(read.node)] = pool.stored(value, scop.arrays[read.array])
    expression = target.expression
    if new:
        expression = pool.with_reads(expression, new)
        if isinstance(expression, Cast) and expression.type == scop.arrays[target.write.array].type:
            expression = expression.operand  # storing converts anyway
        expression = replace(expression)  # a root of its own: it tells what took something over
    whole = part.domain is target.domain
    return replace(
        target,
        name=name,
        domain=target.domain if whole else isl.rename(part.domain, isl.SET, name),
        write=_moved(target.write, name, part.domain, target),
        reads=_reads(pool, expression, target, name, part.domain),
        expression=expression,
        schedule=target.schedule if whole else isl.rename(target.schedule, isl.IN, name),
    )


def _moved(access: MemoryAccess, name: str, domain: isl.Set, target: Statement) -> MemoryAccess:
    """An access of the target as one of its piece; the same object where nothing changes."""
    if name == target.name and domain is target.domain:
        return access
    relation = isl.rename(access.relation.intersect_domain(domain), isl.IN, name)
    return replace(access, relation=relation)


def _reads(
    pool: Pool, expression: Expr, target: Statement, name: str, domain: isl.Set
) -> tuple[MemoryAccess, ...]:
    """The reads of a piece: those of the target that are left, and the new ones, whose relation
    follows from their rewritten subscripts."""
    known = {id(r.node): r for r in target.reads}
    found = []
    roots = [expression, *target.write.node.subscripts]
    for node in (x for root in roots for x in walk(root) if isinstance(x, Access)):
        old = known.get(id(node))
        if old is not None:
            found.append(_moved(old, name, domain, target))
        else:
            found.append(pool.access(node, name, domain))
    return tuple(found)
