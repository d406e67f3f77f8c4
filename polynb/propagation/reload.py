"""The reload test: which part of a RAW dependence can be propagated (CC'18, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from polynb import isl
from polynb.dependences import Dependences, Edge, overwrites
from polynb.scop import Scop, Statement


@dataclass(frozen=True, eq=False)
class Operand:
    """The evidence for one read r_e of the propagated expression; all maps by writing statement.

    `war[W]` is `{ S[i] -> W[l] }`: l overwrites what i reads. `piw[W]` is PIW, `{ W[l] -> T[j] }`:
    potential intermediate writes and the reloads they might precede. `overwritten` is OR,
    `{ T[j] }`: reloads that come after such a write.
    """

    read: int
    array: str
    war: Mapping[str, isl.Map]
    piw: Mapping[str, isl.Map]
    overwritten: isl.Set


@dataclass(frozen=True, eq=False)
class ReloadTest:
    """The reload test of one RAW edge. `propagation` is the propagation dependence, the part
    `{ S[i] -> T[j] }` of the edge in which every operand still has its value at j."""

    edge: Edge
    operands: tuple[Operand, ...]
    propagation: isl.Map
    assumed: isl.Set

    @cached_property
    def blocked(self) -> isl.Map:
        """The pairs `{ S[i] -> T[j] }` of the edge that the test removed."""
        return self.edge.relation.subtract(self.propagation).intersect_params(self.assumed)

    @property
    def complete(self) -> bool:
        """Whether the whole edge can be propagated, for all allowed parameter values."""
        return self.edge.exact and self.blocked.is_empty()

    @cached_property
    def witness(self) -> Witness | None:
        """An intermediate write that blocks a pair of the edge; None if none does."""
        for operand in self.operands:
            for writer, piw in operand.piw.items():
                found = _witness(self, operand, writer, piw)
                if found is not None:
                    return found
        return None


@dataclass(frozen=True, eq=False)
class Witness:
    """At these parameter values `source` reads `cell`, `writer` overwrites it, and only then
    `target` would read it again. Instances are (statement, iteration)."""

    parameters: Mapping[str, int]
    source: tuple[str, tuple[int, ...]]
    writer: tuple[str, tuple[int, ...]]
    target: tuple[str, tuple[int, ...]]
    cell: str

    def __str__(self) -> str:
        at = ", ".join(f"{k} = {v}" for k, v in self.parameters.items())
        s, w, t = (f"{n}({', '.join(map(str, p))})" for n, p in self.instances)
        text = f"{w} overwrites {self.cell}, which {s} reads, before {t}"
        return f"for {at}: {text}" if at else text

    @property
    def instances(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        return self.source, self.writer, self.target


def reload_test(dependences: Dependences, edge: Edge) -> ReloadTest:
    """Test whether the expression of the edge's source can be evaluated at its target instead.

    Claims, for the result's `propagation`: for every pair (i, j) in it and every read of the
    source's expression, the cell read at i has the same value at j. PIW is taken with "there is
    an i" (the paper prints "for all i", which adds pairs of no dependence), per RAW edge.
    """
    scop = dependences.scop
    source, target = scop.by_name[edge.source], scop.by_name[edge.target]
    operands = []
    with isl.wrapped():
        for number, access in _distinct_reads(source):
            writers = [w for w in scop.statements if w.write.array == access.array]
            war = dict(overwrites((source, access), writers))
            piw = potential_intermediate_writes(war, edge.relation)
            overwritten = overwritten_reloads(piw, scop, target)
            operands.append(Operand(number, access.array, war, piw, overwritten))
        propagation = edge.relation if edge.exact else edge.relation.subtract(edge.relation)
        for operand in operands:
            propagation = propagation.subtract_range(operand.overwritten)
        return ReloadTest(edge, tuple(operands), propagation.coalesce(), scop.assumed)


def potential_intermediate_writes(
    war: Mapping[str, isl.Map], raw: isl.Map
) -> dict[str, isl.Map]:
    """PIW := { (l, j) | exists i: (i, l) in r_e -> *, (i, j) in w -> r }, `{ W[l] -> T[j] }`."""
    found = {name: m.reverse().apply_range(raw) for name, m in war.items()}
    return {name: m for name, m in found.items() if not m.is_empty()}


def overwritten_reloads(piw: Mapping[str, isl.Map], scop: Scop, target: Statement) -> isl.Set:
    """OR := { j | exists l: (l, j) in PIW, θ(l) << θ(j) }, `{ T[j] }`.

    The order is strict: a target that overwrites an operand itself reads it before.
    """
    found = isl.Set.empty(target.domain.get_space())
    for name, m in piw.items():
        earlier = scop.by_name[name].schedule.lex_lt_map(target.schedule)
        found = found.union(m.intersect(earlier).range())
    return found.coalesce()


def _distinct_reads(source: Statement) -> Sequence[tuple[int, isl.Map]]:
    """The reads of a statement, those of the same cells once, with the number of the first."""
    found: list = []
    for number, access in enumerate(source.reads):
        if not any(
            a.array == access.array and a.relation.plain_is_equal(access.relation)
            for _, a in found
        ):
            found.append((number, access))
    return found


def _witness(test: ReloadTest, operand: Operand, writer: str, piw: isl.Map) -> Witness | None:
    blocked = test.blocked.intersect_range(operand.overwritten)
    war = operand.war[writer]
    # { S[i] -> [W[l] -> T[j]] } with l in the way.
    triples = war.range_product(blocked)
    in_the_way = piw.intersect_range(operand.overwritten)
    triples = triples.intersect_range(in_the_way.wrap())
    return None if triples.is_empty() else _named(test, operand, writer, triples)


def _named(test: ReloadTest, operand: Operand, writer: str, triples: isl.Map) -> Witness:
    raise NotImplementedError
