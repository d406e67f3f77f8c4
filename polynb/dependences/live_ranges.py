"""The dependences of live-range reordering (IMPACT'16, sections 2.3 and 3.3).

A flow dependence is a live range: between its two instances a cell holds a value that is still
needed. False dependences put the live ranges of a cell in one fixed order. What is needed less:
that no two of them overlap (`order`), and that what comes before and after the program stays there
(`forced`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from polynb import isl
from polynb.arguments import instance
from polynb.dependences.analysis import Dependences, analyze
from polynb.dependences.memory import accesses_of, read_kills, same_cell
from polynb.dependences.model import Edge
from polynb.derivation import Derivation, as_scop
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.storage import in_memory

Reference = tuple[str, int | None]
"""An access: a statement's write (None) or one of its reads (its number)."""


def one_name_each(ranges: LiveRanges) -> dict[Reference, str]:
    """The names R0, R1, ... of all accesses, in the order of the text (section 2.2)."""
    accesses = [(s.name, k) for s in ranges.scop.statements for k in (None, *range(len(s.reads)))]
    return {access: f"R{number}" for number, access in enumerate(accesses)}


@dataclass(frozen=True, eq=False)
class LiveRanges:
    """All dependences of section 3.3, as edges `{ S[i] -> T[j] }` between two accesses.

    `flow`: the live ranges (equation 5). `false`: anti and output dependences, without those that
    others imply (7 and 8). `order`: from every read, and every write that nothing reads, to every
    later write of the cell (10). The three parts of the forced dependences: `after_live_in` (a
    write stays behind a read of what was there before), `before_live_out` (a write stays in front
    of one that remains; 11), `same_sink` (the possible sources of one read stay in order).
    `live_in`, `live_out` and `unmatched` (writes that nothing reads) are `{ S[i] -> A[x] }` (6, 9);
    `unread` has the instances `{ S[i] }` of the last, of each statement.
    """

    scop: Scop
    flow: tuple[Edge, ...]
    false: tuple[Edge, ...]
    after_live_in: tuple[Edge, ...]
    before_live_out: tuple[Edge, ...]
    same_sink: tuple[Edge, ...]
    live_in: isl.UnionMap
    live_out: isl.UnionMap
    unread: Mapping[str, isl.Set]
    naming: Callable[[LiveRanges], dict[Reference, str]] = field(
        default_factory=lambda: one_name_each, repr=False
    )

    @cached_property
    def order(self) -> tuple[Edge, ...]:
        """All pairs of accesses that (10) asks about: for those alone who schedule by them."""
        return _order(self.scop, self.unread)

    @cached_property
    def unmatched(self) -> isl.UnionMap:
        statements = self.scop.statements
        return isl.union_map(
            s.write.relation.intersect_domain(self.unread[s.name]) for s in statements
        )

    @property
    def forced(self) -> tuple[Edge, ...]:
        """The false dependences that hold whatever happens to the live ranges."""
        return (*self.after_live_in, *self.before_live_out, *self.same_sink)

    @cached_property
    def references(self) -> dict[Reference, str]:
        """The names of all accesses, as `naming` gives them."""
        return self.naming(self)

    def tagged(self, edge: Edge) -> isl.Map:
        """`{ [S[i] -> R0[]] -> [T[j] -> R3[]] }`: which accesses depend on each other."""
        instance("edge", edge, Edge, "one of its edges")
        first = edge.read if edge.kind in ("war", "rar") else None
        then = edge.read if edge.kind == "raw" else None
        source = self.references[edge.source, first]
        target = self.references[edge.target, then]
        return tagged(edge.relation, source, target)

    def sections(self) -> dict[str, isl.UnionMap]:
        """Every relation under its name, for those who want to read them."""
        edges = {
            "flow, the live ranges": self.flow,
            "false": self.false,
            "order": self.order,
            "forced, after live-in": self.after_live_in,
            "forced, before live-out": self.before_live_out,
            "forced, of one sink": self.same_sink,
        }
        found = {name: isl.union_map(e.relation for e in part) for name, part in edges.items()}
        accesses = {"live-in": self.live_in, "live-out": self.live_out, "unread": self.unmatched}
        return found | accesses

    def __str__(self) -> str:
        return "\n".join(f"{name}: {relation}" for name, relation in self.sections().items())

    def __repr__(self) -> str:
        return f"<LiveRanges of {self.scop.name}: {len(self.flow)} live ranges>"


def tagged(relation: isl.Map, source: str, target: str) -> isl.Map:
    """`{ S[i] -> T[j] }` as `{ [S[i] -> source[]] -> [T[j] -> target[]] }`."""
    ends = []
    for space, tag in (
        (relation.get_space().domain(), source),
        (relation.get_space().range(), target),
    ):
        name = isl.Space.set_alloc(space.get_ctx(), 0, 0).set_tuple_name(isl.SET, tag)
        name = name.align_params(space)
        ends.append(isl.Map.universe(space.map_from_domain_and_range(name)).domain_map())
    return relation.apply_domain(ends[0].reverse()).apply_range(ends[1].reverse())


@isl.bounded("the computation of live ranges")
def live_ranges(
    program: Scop | Derivation, *, kills: isl.UnionMap | str | None = None
) -> LiveRanges:
    """The live ranges of a program and what keeps them apart (IMPACT'16, section 3.3).

    Temporaries are killed where the program ends; `kills`, `{ S[i] -> A[x] }`, are further cells
    whose content S[i] destroys (an islpy map or isl text). Where data decides what is accessed,
    the relations contain all that may depend. Of arrays that live in other memory, the live ranges
    are those of the memory.
    """
    given = as_scop(program)
    kills, scop = read_kills(given, kills), in_memory(given)
    if scop is not given and kills is not None:  # what lives in other memory is killed anyway
        kills = isl.union_map(
            m for m in isl.maps(kills) if isl.tuple_name(m, isl.OUT) in scop.arrays
        )
    found = analyze(scop, kills=kills)
    flow = found.flow_edges
    assumed = scop.assumed
    live_in = list(_live_in(found))
    live_out = {s.name: found.live_out_of(s) for s in scop.statements}
    return LiveRanges(
        scop,
        flow,
        tuple(_real(found.anti_edges + found.output_edges)),
        tuple(_after_live_in(scop, live_in)),
        tuple(_before_live_out(scop, live_out)),
        tuple(_same_sink(scop, flow)),
        found.live_in,
        isl.union_map(live_out.values()),
        {s.name: _unread(s, flow, assumed) for s in scop.statements},
    )


def _real(edges: Iterable[Edge]) -> Iterable[Edge]:
    """Without an instance's overwriting of what it has read itself, which no order can change."""
    for e in edges:
        relation = e.relation
        if e.source == e.target:
            relation = relation.subtract(isl.Map.identity(relation.get_space()))
        if not relation.is_empty():
            yield replace(e, relation=relation)


def _unread(s: Statement, flow: Iterable[Edge], assumed: isl.Set) -> isl.Set:
    """`{ S[i] }`, the instances whose value nothing reads."""
    left = s.domain.intersect_params(assumed)
    for e in flow:
        if e.source == s.name:
            left = left.subtract(e.relation.domain())
    return isl.coalesced(left)


def _live_in(found: Dependences) -> Iterable[tuple[Statement, int, MemoryAccess]]:
    """The reads of what was there before: the part of each that may see it."""
    for array in found.scop.arrays:
        for (name, number), cells in found.flow(array).live_in.items():
            if cells.is_empty():
                continue
            s = found.scop.by_name[name]
            yield s, number, replace(s.reads[number], relation=cells)


def _pairs(
    kind: str,
    first: tuple[Statement, int | None, MemoryAccess],
    then: tuple[Statement, int | None, MemoryAccess],
) -> Iterable[Edge]:
    """All pairs of these two accesses to one cell, in the order of execution."""
    (s, number, a), (t, _, b) = first, then
    relation = same_cell((s, a), (t, b), strict=True)
    if not relation.is_empty():
        yield Edge(kind, a.array, s.name, t.name, relation, number, a.must and b.must)


@isl.bounded("the computation of live ranges")
def _order(scop: Scop, unread: Mapping[str, isl.Set]) -> tuple[Edge, ...]:
    edges: list[Edge] = []
    for array in scop.arrays:
        writes = accesses_of(scop.statements, array, "writes")
        for read in accesses_of(scop.statements, array, "reads") if writes else ():
            for w in writes:
                edges += _pairs("war", read, w)
        for s, _, access in writes:
            if not unread[s.name].is_empty():
                left = replace(access, relation=access.relation.intersect_domain(unread[s.name]))
                for w in writes:
                    edges += _pairs("waw", (s, None, left), w)
    return tuple(edges)


def _after_live_in(
    scop: Scop, live_in: Iterable[tuple[Statement, int, MemoryAccess]]
) -> Iterable[Edge]:
    writes = {array: accesses_of(scop.statements, array, "writes") for array in scop.arrays}
    written = {
        array: isl.united(w.relation.range() for _, _, w in ws)
        for array, ws in writes.items()
        if ws
    }
    for s, number, access in live_in:
        cells = written.get(access.array)
        if cells is not None and not access.relation.intersect_range(cells).is_empty():
            for w in writes[access.array]:
                yield from _pairs("war", (s, number, access), w)


def _before_live_out(scop: Scop, live_out: dict[str, isl.Map]) -> Iterable[Edge]:
    for s in scop.statements:
        if live_out[s.name].is_empty():
            continue
        last = replace(s.write, relation=live_out[s.name])
        for w in accesses_of(scop.statements, s.write.array, "writes"):
            yield from _pairs("waw", w, (s, None, last))


def _one_sink(scop: Scop, a: Edge, b: Edge) -> isl.Map:
    """The pairs of writes of one cell, in order, that two edges bring to one read."""
    s, t = scop.by_name[a.source], scop.by_name[b.source]
    pairs = a.relation.apply_range(b.relation.reverse())
    return pairs.intersect(same_cell((s, s.write), (t, t.write), strict=True))


def _same_sink(scop: Scop, flow: Iterable[Edge]) -> Iterable[Edge]:
    """Between possible sources of one read: only where data decides what is accessed."""
    by_sink: dict[tuple[str, int | None], list[Edge]] = {}
    for e in flow:
        if not e.exact:
            by_sink.setdefault((e.target, e.read), []).append(e)
    found = isl.united_by(
        ((a.array, a.source, b.source), _one_sink(scop, a, b))
        for edges in by_sink.values()
        for a, b in product(edges, repeat=2)
    )
    for (array, source, target), relation in found.items():
        if not relation.is_empty():
            yield Edge("waw", array, source, target, isl.coalesced(relation), None, exact=False)
