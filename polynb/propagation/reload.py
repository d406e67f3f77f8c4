"""The reload test: which part of a RAW dependence can be propagated (CC'18, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.arguments import (
    instance,
    named,
    one_of,
    optional,
    several_names,
    values as integers_by_name,
)
from polynb.dependences import Dependences, Edge, overwrites
from polynb.dependences.intermediate import IntermediateWrite, intermediate_write
from polynb.derivation import Readings
from polynb.rewriting.splitting import CellChoice
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.source.tree import walk


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
    `{ S[i] -> T[j] }` of the edge in which every operand still has its value at j; it is empty if
    an `obstacle` forbids propagation (an access or a condition that depends on data). `chosen`: how
    i follows from the cell that j chooses, where data decides that."""

    edge: Edge
    operands: tuple[Operand, ...]
    propagation: isl.Map
    scop: Scop
    obstacle: str | None = None
    chosen: CellChoice | None = None

    @property
    def assumed(self) -> isl.Set:
        return self.scop.assumed

    @cached_property
    def blocked(self) -> isl.Map:
        """The pairs `{ S[i] -> T[j] }` of the edge that the test removed."""
        return self.edge.relation.subtract(self.propagation).intersect_params(self.assumed)

    @property
    def complete(self) -> bool:
        """Whether the whole edge can be propagated, for all allowed parameter values."""
        return self.obstacle is None and self.blocked.is_empty()

    @cached_property
    def witness(self) -> IntermediateWrite | None:
        """An intermediate write that blocks a pair of the edge; None if none does."""
        return self.witness_at({})

    def witness_at(
        self, values: Mapping[str, int], operand: Operand | None = None
    ) -> IntermediateWrite | None:
        """One at these parameter values (as far as they are given), for that operand or any."""
        values = integers_by_name("values", values, self.scop.parameters)
        optional(instance, "operand", operand, Operand, "one of operands")
        if self.obstacle is not None or self.blocked.is_empty():
            return None
        with isl.wrapped():
            for o in self.operands if operand is None else (operand,):
                for writer in o.piw:
                    witness = _witness(self, o, writer, values)
                    if witness is not None:
                        return witness
        return None


def potential_intermediate_writes(war: Mapping[str, isl.Map], raw: isl.Map) -> dict[str, isl.Map]:
    """PIW := { (l, j) | exists i: (i, l) in r_e -> *, (i, j) in w -> r }, `{ W[l] -> T[j] }`."""
    instance("raw", raw, isl.Map, "edge.relation")
    piw = {name: m.reverse().apply_range(raw) for name, m in _maps("war", war).items()}
    return {name: m for name, m in piw.items() if not m.is_empty()}


def _maps(name: str, given: Mapping[str, isl.Map]) -> dict[str, isl.Map]:
    maps = named(name, given, what="statement")
    return {n: instance(f"{name}[{n!r}]", m, isl.Map, "a map of islpy") for n, m in maps.items()}


def overwritten_reloads(piw: Mapping[str, isl.Map], scop: Scop, target: Statement) -> isl.Set:
    """OR := { j | exists l: (l, j) in PIW, θ(l) << θ(j) }, `{ T[j] }`.

    The order is strict: a target that overwrites an operand itself reads it before.
    """
    instance("target", target, Statement, "one of scop.statements")
    instance("scop", scop, Scop, "pn.parse(text)")
    overwritten = []
    for name, m in _maps("piw", piw).items():
        one_of("piw", name, scop.by_name, "statement")
        earlier = scop.by_name[name].schedule.lex_lt_map(target.schedule)
        overwritten.append(m.intersect(earlier).range())
    return isl.coalesced(isl.united(overwritten, target.domain.get_space()))


@dataclass(frozen=True, repr=False)
class ReloadReadings(Readings):
    """How the definitions of the reload test are read: PIW, OR, which WAR dependences there are,
    and what is known where data decides which cell is read (the paper leaves such reads alone)."""

    piw: Callable[..., dict[str, isl.Map]] = potential_intermediate_writes
    overwritten: Callable[..., isl.Set] = overwritten_reloads
    war: Callable[..., Iterable[tuple[str, isl.Map]]] = overwrites
    chosen: Callable[[Scop, Edge], CellChoice | None] | None = None


AS_MEANT: Final = ReloadReadings()


@isl.bounded("the reload test")
def reload_test(
    dependences: Dependences,
    edge: Edge,
    *,
    without: Collection[str] = (),
    readings: ReloadReadings = AS_MEANT,
) -> ReloadTest:
    """Test whether the expression of the edge's source can be evaluated at its target instead.

    Claims, for the result's `propagation`: for every pair (i, j) in it and every read of the
    source's expression, the cell read at i has the same value at j. PIW is taken with "there is
    an i" (the paper prints "for all i", which adds pairs of no dependence), per RAW edge.
    `without`: statements whose writes will be gone, if all that they write is propagated.
    `readings`: the definitions read in other ways, to see what comes of it.
    """
    read = instance("readings", readings, ReloadReadings, "ReloadReadings()")
    scop = instance("dependences", dependences, Dependences, "pn.analyze(scop)").scop
    instance("edge", edge, Edge, 'one of dependences.flow("tmp").edges')
    for end in (edge.source, edge.target):
        one_of("edge", end, scop.by_name, "statement")
    without = several_names("without", without, scop.by_name, what="statement")
    source, target = scop.by_name[edge.source], scop.by_name[edge.target]
    operands = []
    with isl.wrapped():
        for number, access in _distinct_reads(source):
            writers = [
                w
                for w in scop.statements
                if w.write.array == access.array and w.name not in without
            ]
            war = dict(read.war((source, access), writers))
            piw = read.piw(war, edge.relation)
            overwritten = read.overwritten(piw, scop, target)
            operands.append(Operand(number, access.array, war, piw, overwritten))
        propagation = edge.relation
        for operand in operands:
            propagation = propagation.subtract_range(operand.overwritten)
        choice = read.chosen(scop, edge) if read.chosen is not None and not edge.exact else None
        obstacle = data_dependent(edge, source, target, choice, asked=read.chosen is not None)
        if obstacle is not None:
            propagation = isl.Map.empty(edge.relation.get_space())
        propagation = isl.coalesced(propagation)
        return ReloadTest(edge, tuple(operands), propagation, scop, obstacle, choice)


def data_dependent(
    edge: Edge,
    source: Statement,
    target: Statement,
    choice: CellChoice | None,
    *,
    asked: bool = False,
) -> str | None:
    """Why an edge is out of reach because something depends on data: nothing is propagated into
    or out of such accesses and regions (section 5.5). None if nothing is in the way. `asked`:
    whether it was tried how the source follows from what the target chooses.

    An operand that the source finds by data can be read again like any other: the reload test
    takes all writes to its array for intermediate ones."""
    if not edge.exact and choice is None:
        why = f"which {edge.source} writes what {edge.target} reads depends on data"
        if asked:
            why += f", and not surely all cells that {edge.target} may read hold what "
            why += f"{edge.source} wrote"
        return why
    if source.guard is not None:
        return f"whether {edge.source} runs depends on data"
    if target.guard is not None:
        return f"whether {edge.target} runs depends on data"
    node = target.reads[edge.read or 0].node
    for access in target.accesses:
        inside = (x for s in access.node.subscripts for x in walk(s))
        if not access.must and any(x is node for x in inside):
            return f"{edge.target} uses it to choose an element of {access.array}"
    return None


def _distinct_reads(source: Statement) -> list[tuple[int, MemoryAccess]]:
    """The reads of a statement, those of the same cells once, with the number of the first."""
    reads: list[tuple[int, MemoryAccess]] = []
    for number, access in enumerate(source.reads):
        if not any(a.relation.plain_is_equal(access.relation) for _, a in reads):
            reads.append((number, access))
    return reads


def _witness(
    test: ReloadTest, operand: Operand, writer: str, given: Mapping[str, int]
) -> IntermediateWrite | None:
    """A smallest (i, l, j): l overwrites what i reads, before j, and (i, j) is in the edge."""
    s, w, t = (test.scop.by_name[n] for n in (test.edge.source, writer, test.edge.target))
    pairs = isl.fix_parameters(test.edge.relation.intersect_params(test.assumed), given)
    return intermediate_write((s, s.reads[operand.read]), w, t, operand.war[writer], pairs)
