"""Which loops may run in parallel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from polynb import isl
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Leaf, Mark, Sequence, Tree


class Relations(Protocol):
    """Dependences as `{ S[i] -> T[j] }`."""

    @property
    def raw(self) -> isl.UnionMap: ...
    @property
    def war(self) -> isl.UnionMap: ...
    @property
    def waw(self) -> isl.UnionMap: ...


@isl.guarded
def mark_parallel(scop: Scop, dependences: Relations) -> Scop:
    """The program with the outermost loop that carries no dependence parallel, on every path.

    A loop carries a dependence if its two instances agree in all outer loops and differ in this
    one. Loops of a single iteration are passed over, and nothing inside a parallel loop is
    parallel again. Value-based dependences are enough: of three accesses to a cell in order, of
    which the middle one writes, the outer two are in different iterations only if one of them
    and the middle one are; so a loop that carries a memory-based dependence also carries one
    between an access and the next write, or the last write and a read.
    """
    union = dependences.raw.union(dependences.war).union(dependences.waw)
    pairs = [m.intersect_params(scop.assumed) for m in isl.maps(union)]
    domains = {s.name: s.domain.intersect_params(scop.assumed) for s in scop.statements}
    left = [_Pair(isl.tuple_name(m, isl.IN), isl.tuple_name(m, isl.OUT), m) for m in pairs]
    outer = {n: isl.Map.from_domain(isl.Set.universe(d.get_space())) for n, d in domains.items()}
    tree = _visit(scop.schedule, _Here(domains, outer, [p for p in left if p.exists]))
    return replace(scop, schedule=tree, program=None)


@dataclass(frozen=True, eq=False)
class _Pair:
    """Dependent instances of two statements that no outer loop separates."""

    source: str
    target: str
    relation: isl.Map

    @property
    def exists(self) -> bool:
        return not self.relation.is_empty()


@dataclass(frozen=True, eq=False)
class _Here:
    """What arrives at a node: instances, the loops around them `{ S[i] -> [t] }`, and the
    dependences that are left."""

    domains: dict[str, isl.Set]
    outer: dict[str, isl.Map]
    left: list[_Pair]


def _visit(tree: Tree, here: _Here) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Mark(child=c):
            return replace(tree, child=_visit(c, here))
        case Filter(child=c):
            return replace(tree, child=_visit(c, _filtered(tree, here)))
        case Sequence(children=children):
            return replace(
                tree,
                children=tuple(
                    replace(f, child=_visit(f.child, _filtered(f, here))) for f in children
                ),
            )
        case Band():
            return _band(tree, here)


def _band(band: Band, here: _Here) -> Tree:
    for k in range(band.depth):
        if band.loops[k] == "parallel":
            return band
        values = {n: _member(band.members[n], k) for n in here.domains}
        inside = _equal(here, values)
        carried = len(inside.left) < len(here.left) or any(
            not new.relation.is_equal(old.relation)
            for new, old in zip(inside.left, here.left, strict=True)
        )
        if not carried and _iterates(here, values) and band.loops[k] == "sequential":
            loops = (*band.loops[:k], "parallel", *band.loops[k + 1 :])
            return replace(band, loops=loops)
        here = inside
    return replace(band, child=_visit(band.child, here))


def _member(members: isl.Map, k: int) -> isl.Map:
    """`{ S[i] -> [t_k] }`."""
    count = members.dim(isl.OUT)
    return members.project_out(isl.OUT, k + 1, count - k - 1).project_out(isl.OUT, 0, k)


def _equal(here: _Here, values: dict[str, isl.Map]) -> _Here:
    """What is left inside a loop: the pairs of one iteration."""
    left = []
    for p in here.left:
        same = values[p.source].apply_range(values[p.target].reverse())
        pair = replace(p, relation=p.relation.intersect(same))
        if pair.exists:
            left.append(pair)
    outer = {n: here.outer[n].flat_range_product(v) for n, v in values.items()}
    return _Here(here.domains, outer, left)


def _iterates(here: _Here, values: dict[str, isl.Map]) -> bool:
    """Whether the loop takes more than one value, for some values of those around it."""
    together = isl.union_map(
        here.outer[n].intersect_domain(d).reverse().apply_range(values[n])
        for n, d in here.domains.items()
    )
    return not together.is_single_valued()


def _filtered(node: Filter, here: _Here) -> _Here:
    domains = {}
    for name, part in node.domains.items():
        if name in here.domains:
            domain = here.domains[name]
            domains[name] = domain if part is None else domain.intersect(part)
    left = []
    for p in here.left:
        if p.source in domains and p.target in domains:
            relation = p.relation.intersect_domain(domains[p.source])
            pair = replace(p, relation=relation.intersect_range(domains[p.target]))
            if pair.exists:
                left.append(pair)
    return _Here(domains, {n: here.outer[n] for n in domains}, left)
