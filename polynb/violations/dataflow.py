"""Array dataflow, level by level, as the paper computes it (section 4.2.1, after Feautrier).

`pn.analyze` finds the same relations from their definition, and shares no code with this: a test
compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.arguments import instance, optional
from polynb.dependences import Edge
from polynb.dependences.memory import accesses_of, destroyers, read_kills
from polynb.derivation import Derivation, Readings, as_scop
from polynb.legality.order import before_at
from polynb.scop.model import MemoryAccess, Scop, Statement

Pairs = dict[str, isl.Map]
"""The δ of one read: for each source `{ [R[j] -> A[x]] -> W[i] }`."""


@isl.bounded("the array dataflow analysis")
def array_dataflow(
    program: Scop | Derivation,
    *,
    kills: isl.UnionMap | str | None = None,
    readings: DataflowReadings | None = None,
) -> tuple[Edge, ...]:
    """The dependence relations δ of a program: flow edges `{ W[i] -> R[j] }`, where i writes the
    value that j reads, and nothing overwrites it in between.

    For each read, level by level from the innermost one: the lexicographic maximum of the writes
    before it at that level, out of which *remove killed sources* takes those that another write
    follows. `kills`, `{ S[i] -> A[x] }`, are sources that give no value. What may only be written,
    as data decides, is a source behind the last certain one, and kills none. Raises PolynbError for
    kills of unknown statements or arrays, and BudgetExhausted. `readings`: the algorithm read
    in other ways.
    """
    read = optional(instance, "readings", readings, DataflowReadings, "DataflowReadings()")
    sink = ArraySink if read is None else read.sink
    scop = as_scop(program)
    known = read_kills(scop, kills)
    edges: list[Edge] = []
    for array in scop.arrays:
        sources = _sources(scop, array, known)
        certain = all(s.write.must for s in scop.statements if s.write.array == array)
        for r, number, access in accesses_of(scop.statements, array, "reads"):
            assert number is not None
            delta = sink(r, access).sources(sources)
            for source in sources:
                relation = delta.get(source.name)
                if source.kill or relation is None or relation.is_empty():
                    continue
                pairs = isl.coalesced(relation.apply_domain(access.relation.domain_map()).reverse())
                exact = access.must and certain
                edges.append(Edge("raw", array, source.by.name, r.name, pairs, number, exact))
    return tuple(edges)


@dataclass(frozen=True, eq=False)
class ArraySource:
    """What determines the content of cells: a write, or a kill."""

    name: str
    by: Statement
    relation: isl.Map
    must: bool = True
    kill: bool = False


def _sources(scop: Scop, array: str, kills: isl.UnionMap | None) -> list[ArraySource]:
    """The set S_W of an array: kills first, as a statement's kill comes before its write."""
    writes = [
        ArraySource(s.name, s, s.write.relation, s.write.must)
        for s in scop.statements
        if s.write.array == array
    ]
    given = destroyers(scop.statements, array, kills)
    names = {w.name for w in writes}
    killers = [
        ArraySource(name, s, a.relation, kill=True)
        for name, (s, a) in given.items()
        if name not in names
    ]
    return [*killers, *writes]


class ArraySink:
    """A read: its instances and the cells that they read, `{ [R[j] -> A[x]] }`."""

    def __init__(self, r: Statement, access: MemoryAccess) -> None:
        self.statement = r
        self.cell = access.relation.range_map()
        self.time = access.relation.domain_map().apply_range(r.schedule)
        self.everything = access.relation.wrap()

    def sources(self, sources: Sequence[ArraySource]) -> Pairs:
        must = [s for s in sources if s.must]
        delta = self.certain(must)
        for s in sources:
            if not s.must:
                delta[s.name] = self._possible(s, must, delta)
        return delta

    def levels(self) -> Sequence[int]:
        """The innermost one first, as line 4 has it: a write that shares more loops is later."""
        return range(self.time.dim(isl.OUT))[::-1]

    def certain(self, sources: Sequence[ArraySource]) -> Pairs:
        """The algorithm of 4.2.1, for what is written for certain."""
        delta: Pairs = {}
        left = self.everything
        for level in self.levels():
            here: Pairs = {}
            for j in reversed(range(len(sources))):
                source = sources[j]
                if not can_precede(source.by.schedule, self.time, level):
                    continue
                last = self._last(source, [self._before(level)])
                last = last.intersect_domain(left)
                left = left.subtract(last.domain())
                _join(here, source.name, last)
                self.remove_killed(here, sources, j, level)
            for name, pairs in here.items():
                _join(delta, name, pairs)
            if left.is_empty():
                break
        return delta

    def remove_killed(
        self, delta: Pairs, sources: Sequence[ArraySource], j: int, sink_level: int
    ) -> None:
        """Procedure *remove killed sources*: of what `sources[j]` gives, that which another source
        overwrites before the sink reads becomes that one's."""
        killed = sources[j]
        for k in reversed(range(j)):
            by = sources[k]
            if not can_precede(by.by.schedule, self.time, sink_level):
                continue
            for level in range(sink_level, self.time.dim(isl.OUT)):
                if delta[killed.name].is_empty():
                    return
                if not can_precede(killed.by.schedule, by.by.schedule, level):
                    continue
                after = delta[killed.name].apply_range(killed.by.schedule)
                after = after.apply_range(before_at(self.time.dim(isl.OUT), level))
                last = self._last(by, [self._before(sink_level), after])
                delta[killed.name] = delta[killed.name].subtract_domain(last.domain())
                _join(delta, by.name, last)

    def _before(self, level: int) -> isl.Map:
        """`{ [R[j] -> A[x]] -> [t] }`, the times before the read's at one level."""
        return self.time.apply_range(before_at(self.time.dim(isl.OUT), level).reverse())

    def _last(self, source: ArraySource, when: Iterable[isl.Map]) -> isl.Map:
        """`{ [R[j] -> A[x]] -> W[i] }`: the last write of the cell at such times."""
        same = self._same(source)
        times = same.apply_range(source.by.schedule)
        for some in when:
            times = times.intersect(some)
        return times.lexmax().apply_range(source.by.schedule.reverse()).intersect(same)

    def _same(self, source: ArraySource) -> isl.Map:
        return self.cell.apply_range(source.relation.reverse())

    def _possible(self, source: ArraySource, must: Sequence[ArraySource], delta: Pairs) -> isl.Map:
        """What may be written before the read, and not before its last certain source."""
        same = self._same(source)
        pairs = same.intersect(self.time.lex_gt_map(source.by.schedule))
        for m in must:
            if m.name in delta:
                last = delta[m.name].apply_range(m.by.schedule)
                pairs = pairs.subtract(last.lex_gt_map(source.by.schedule))
        return isl.coalesced(pairs)


@dataclass(frozen=True, repr=False)
class DataflowReadings(Readings):
    """How the sources of a read are found."""

    sink: type[ArraySink] = ArraySink


def _join(delta: Pairs, name: str, more: isl.Map) -> None:
    delta[name] = delta[name].union(more) if name in delta else more


def can_precede(first: isl.Map, then: isl.Map, level: int) -> bool:
    """Whether times `{ S[i] -> [t] }` and `{ T[j] -> [u] }` can differ first at a level, the first
    one being less: told at a glance from what is constant, so that it may say so in vain."""
    for k in range(level + 1):
        a, b = (m.plain_get_val_if_fixed(isl.OUT, k) for m in (first, then))
        if a.is_int() and b.is_int():
            if k < level and not a.eq(b):
                return False
            if k == level and not a.lt(b):
                return False
    return True


def flow_by_array(edges: Iterable[Edge]) -> Iterator[tuple[str, list[Edge]]]:
    """The edges of each array, in order."""
    by_array: dict[str, list[Edge]] = {}
    for e in edges:
        by_array.setdefault(e.array, []).append(e)
    return iter(by_array.items())
