"""Value-based dependences of one array: who wrote what is read, and who overwrites it next."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from polynb import isl
from polynb.dependences.memory import accesses_of, destroyers, memory_edges, same_cell
from polynb.dependences.model import Edge
from polynb.scop.model import MemoryAccess, Statement


@dataclass(frozen=True, eq=False)
class ReadOf:
    """The `number`-th read of a statement."""

    statement: Statement
    number: int
    access: MemoryAccess


Written = tuple[tuple[isl.Map, isl.Map], ...]
"""Must-writes and kills before reads, the last of each cell among them: pairs of
`{ W[i] -> T[j] }`, in time and on one cell, and `{ W[i] -> A[x] }`."""


@dataclass(frozen=True, eq=False)
class Flow:
    """The flow through one array.

    `edges` are the value-based RAW edges, one per writing statement and read: `{ S[i] -> T[j] }`,
    where i is the last write before j of the cell that the read reads. `reads` are the reads of
    the same cells, and what writes these cells before, or kills what is in them (None: nothing
    writes or kills the array at all).
    """

    edges: tuple[Edge, ...]
    reads: tuple[tuple[Sequence[ReadOf], Written | None], ...]

    @cached_property
    def live_in(self) -> dict[tuple[str, int], isl.Map]:
        """For (statement, read number), `{ T[j] -> A[x] }`: what is read though no write or kill of
        the cell is certain to precede. Found when first asked for: where many pieces of statements
        write an array, this is the larger part of the work."""
        found: dict[tuple[str, int], isl.Map] = {}
        with isl.wrapped():
            for group, written in self.reads:
                uncertain = _uncertain(group[0], written)
                if written is None or not uncertain.is_empty():
                    found |= {(r.statement.name, r.number): uncertain for r in group}
        return found


def _uncertain(read: ReadOf, written: Written | None) -> isl.Map:
    relation: isl.Map = read.access.relation
    for earlier, cells in written or ():
        relation = relation.subtract(earlier.reverse().apply_range(cells))
    return isl.coalesced(relation)


def flow(statements: Sequence[Statement], array: str, kills: isl.UnionMap | None = None) -> Flow:
    """The value-based flow through an array (statement-level order, strict: the reads of an
    instance come before its write). `kills` is `{ S[i] -> A[x] }`: what S[i] destroys."""
    writers = [s for s in statements if s.write.array == array]
    reads = [ReadOf(s, k, r) for s in statements for k, r in enumerate(s.reads) if r.array == array]
    overwrites = _Overwrites(array, statements, kills)
    if not reads or not (writers or overwrites.killers):
        return Flow((), tuple(([r], None) for r in reads))
    groups = _equal_reads(reads)
    found: dict[tuple[int, str], isl.Map] = {}
    before: list[tuple[Sequence[ReadOf], Written]] = []
    for tag, group in enumerate(groups):
        sources, written = _sources(group[0], overwrites)
        before.append((group, written))
        found |= {(tag, name): m for name, m in sources.items()}
    edges = []
    for tag, group in enumerate(groups):
        for r in group:
            name = r.statement.name
            for w in writers:
                if (tag, w.name) in found:
                    exact = r.access.must and all(x.write.must for x in writers)
                    relation = found[tag, w.name]
                    edges.append(Edge("raw", array, w.name, name, relation, r.number, exact))
    return Flow(tuple(edges), tuple(before))


def _equal_reads(reads: Sequence[ReadOf]) -> list[list[ReadOf]]:
    """Reads of one statement that read the same cells share one computation."""
    groups: list[list[ReadOf]] = []
    alike: dict[tuple[str, int], list[list[ReadOf]]] = {}
    for r in reads:
        found = alike.setdefault((r.statement.name, hash(r.access.relation)), [])
        for g in found:
            if g[0].access.relation.plain_is_equal(r.access.relation):
                g.append(r)
                break
        else:
            groups.append([r])
            found.append(groups[-1])
    return groups


def _sources(read: ReadOf, overwrites: _Overwrites) -> tuple[dict[str, isl.Map], Written]:
    """For each writer `{ W[i] -> T[j] }`, the earlier writes of the cell read at j that nothing is
    sure to destroy in between; and the earlier writes and kills that are certain, but for those
    that others are sure to follow.

    This is the definition, spelled out in relations. isl has a search for the same (compute_flow,
    by parametric lexmax) which in the version at hand fails on some programs and answers others
    wrongly; tests compare with plain enumeration.
    """
    t, access = read.statement, read.access
    last = overwrites.reaching.before(t, access)
    earlier = {name: m for name, m in last.items() if name in overwrites.writers}
    between = {name: last[name] for name in overwrites.killers if name in last}
    found: dict[str, isl.Map] = {}
    for name, pairs in earlier.items():
        writer = overwrites.writers[name]
        if not (access.must or writer.write.relation.is_single_valued()):
            pairs = _cell_by_cell((writer, writer.write), (t, access), overwrites, between)
            found |= {name: pairs} if not pairs.is_empty() else {}
            continue
        for killer, reaching in reversed(between.items()):  # the last writes destroy most
            destroyed = overwrites.of(name, killer)
            if destroyed is not None:
                pairs = pairs.subtract(destroyed.apply_range(reaching))
                if pairs.is_empty():
                    break
        if not pairs.is_empty():
            found[name] = isl.coalesced(pairs)
    certain = ((m, overwrites.killers[name][1]) for name, m in between.items())
    return found, tuple((m, access.relation) for m, access in certain)


def _cell_by_cell(
    first: tuple[Statement, MemoryAccess],
    then: tuple[Statement, MemoryAccess],
    overwrites: _Overwrites,
    between: dict[str, isl.Map],
) -> isl.Map:
    """`{ W[i] -> T[j] }` where both may touch many cells: a cell that is destroyed in between does
    not keep the others from reaching T."""
    (w, write), (t, access) = first, then
    instance, cell = write.relation.domain_map(), write.relation.range_map()

    def later(s: Statement, a: MemoryAccess) -> isl.Map:  # { [W[i] -> A[x]] -> S[k] }
        pairs = cell.apply_range(a.relation.reverse())
        return pairs.intersect(instance.apply_range(w.schedule.lex_lt_map(s.schedule)))

    pairs = later(t, access)
    for killer, reaching in between.items():
        pairs = pairs.subtract(later(*overwrites.killers[killer]).apply_range(reaching))
    return isl.coalesced(pairs.apply_domain(instance))


class _Overwrites:
    """What destroys a written value: must-writes of the array, and kills. Each pair is computed
    once. A killer is named by its statement, a kill by its statement and a mark."""

    def __init__(
        self,
        array: str,
        statements: Sequence[Statement],
        kills: isl.UnionMap | None,
    ) -> None:
        self.writers = {s.name: s for s in statements if s.write.array == array}
        self.killers = destroyers(statements, array, kills)
        writes = {name: (s, s.write) for name, s in self.writers.items()}
        self.reaching = Reaching({**writes, **self.killers}, self.killers.keys())
        self._known: dict[tuple[str, str], isl.Map | None] = {}

    def of(self, writer: str, killer: str) -> isl.Map | None:
        """`{ W[i] -> K[k] }`: k destroys, later, what i wrote. None if that never happens."""
        if (writer, killer) not in self._known:
            w = self.writers[writer]
            pairs = same_cell((w, w.write), self.killers[killer], strict=True)
            self._known[writer, killer] = None if pairs.is_empty() else pairs
        return self._known[writer, killer]


def next_overwrites(statements: Sequence[Statement], array: str, kind: str) -> list[Edge]:
    """The value-based anti ("war") or output ("waw") edges of an array: each access and the next
    write of the cell. With may writes, which overwrite nothing for certain, all later writes;
    after a may access, too.
    """
    writers = [s for s in statements if s.write.array == array]
    if not writers or not all(w.write.must for w in writers):
        return memory_edges(statements, array, kind)
    first = accesses_of(statements, array, "reads" if kind == "war" else "writes")
    strict = kind == "waw"
    overwrites = _Overwrites(array, statements, None)
    edges = []
    for s, number, access in first:
        later = overwrites.reaching.after(s, access, strict=strict)
        for name, relation in later.items():
            pairs = relation
            for between, reached in later.items() if access.must else ():
                further = overwrites.of(between, name)
                if further is not None:
                    pairs = pairs.subtract(reached.apply_range(further))
                    if pairs.is_empty():
                        break
            if not pairs.is_empty():
                edge = Edge(kind, array, s.name, name, isl.coalesced(pairs), number, access.must)
                edges.append(edge)
    return edges


# -- which writes may be the last before an access, or the next after it ----------------------
#
# Most programs write a cell again and again, nest after nest: of n writes, all but the few nearest
# in time are hidden behind these. The search goes from near to far, and stops where no cell is left
# that something further away writes.

Write = tuple[Statement, MemoryAccess]
"""A write, or a kill, by the statement that does it."""


class Reaching:
    """The `writes` of one array, each under a name; `certain` names those that happen for sure."""

    def __init__(self, writes: Mapping[str, Write], certain: Collection[str]) -> None:
        self._writes = writes
        self._certain = certain
        self._runs = list(_runs(writes))
        self._starts = [writes[run[0]][0].start for run in self._runs]

    @cached_property
    def _first(self) -> list[isl.Set]:
        """`{ A[x] }` of the runs up to each one."""
        return list(accumulate(self._cells, _both))

    @cached_property
    def _last(self) -> list[isl.Set]:
        """`{ A[x] }` of the runs from each one on."""
        return list(accumulate(reversed(self._cells), _both))[::-1]

    @cached_property
    def _cells(self) -> list[isl.Set]:
        return [isl.united(self._writes[n][1].relation.range() for n in run) for run in self._runs]

    def before(self, t: Statement, access: MemoryAccess) -> dict[str, isl.Map]:
        """`{ W[i] -> T[j] }` for the writes that may be the last before j of the cell that T[j]
        touches: earlier ones of this cell, at least all that no certain one is sure to follow."""
        found: dict[str, isl.Map] = {}
        reached = _Reached(access)
        for k in reversed(range(bisect_right(self._starts, (*t.start, math.inf)))):
            if reached.all_in(self._first[k]):
                break
            for name in self._runs[k]:
                pairs = same_cell(self._writes[name], (t, access), strict=True)
                if not pairs.is_empty():
                    found[name] = pairs
                    if name in self._certain:
                        reached.add(pairs.range())
        return self._in_order(found)

    def after(self, s: Statement, access: MemoryAccess, *, strict: bool) -> dict[str, isl.Map]:
        """`{ S[i] -> W[j] }` for the writes that may be the next after i of the cell that S[i]
        touches: later ones of this cell, at least all that no certain one is sure to precede."""
        found: dict[str, isl.Map] = {}
        reached = _Reached(access)
        for k in range(max(bisect_right(self._starts, s.start) - 1, 0), len(self._runs)):
            if reached.all_in(self._last[k]):
                break
            for name in self._runs[k]:
                pairs = same_cell((s, access), self._writes[name], strict=strict)
                if not pairs.is_empty():
                    found[name] = pairs
                    if name in self._certain:
                        reached.add(pairs.domain())
        return self._in_order(found)

    def _in_order(self, found: dict[str, isl.Map]) -> dict[str, isl.Map]:
        """As the writes are: nearer ones were found first."""
        return {name: found[name] for name in self._writes if name in found}


class _Reached:
    """The instances of an access that something certain is known to write the cell of.

    Of an access that touches several cells this tells nothing: another cell may be open."""

    def __init__(self, access: MemoryAccess) -> None:
        self._open: isl.Map = access.relation
        self._one_cell = access.must and access.relation.is_single_valued()
        self._changed = self._one_cell
        self._reached: list[isl.Set] = []  # since that was asked

    def add(self, instances: isl.Set) -> None:
        if self._one_cell:
            self._reached.append(instances)
            self._changed = True

    def all_in(self, cells: isl.Set) -> bool:
        """Whether all accesses to these cells are reached. (If they were not, and nothing was
        reached since, they are not asked about again.)"""
        asked, self._changed = self._changed, False
        while self._reached:
            self._open = self._open.subtract_domain(self._reached.pop(0))
        return asked and bool(self._open.intersect_range(cells).is_empty())


def _runs(writes: Mapping[str, Write]) -> Iterator[list[str]]:
    """The names in the order of time, in runs: all of a run is before all of the next one."""
    run: list[str] = []
    first: tuple[int, ...] = ()
    for name in sorted(writes, key=lambda n: writes[n][0].start):
        start = writes[name][0].start
        if run and start[: len(first)] != first:
            yield run
            run = []
        first = first if run else start
        run.append(name)
    if run:
        yield run


def _both(cells: isl.Set, more: isl.Set) -> isl.Set:
    """Their union, in as few pieces as if none were there twice."""
    return cells if more.is_subset(cells) else cells.union(more)
