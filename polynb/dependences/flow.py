"""Value-based dependences of one array: who wrote what is read, and who overwrites it next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.dependences.memory import accesses_of, memory_edges, same_cell
from polynb.dependences.model import Edge
from polynb.scop import MemoryAccess, Statement


@dataclass(frozen=True, eq=False)
class ReadOf:
    """The `number`-th read of a statement."""

    statement: Statement
    number: int
    access: MemoryAccess


@dataclass(frozen=True, eq=False)
class Flow:
    """The flow through one array.

    `edges` are the value-based RAW edges, one per writing statement and read: `{ S[i] -> T[j] }`,
    where i is the last write before j of the cell that the read reads. `live_in` gives, for
    (statement, read number), the instances `{ T[j] }` for which no write is certain to precede.
    """

    edges: tuple[Edge, ...]
    live_in: dict[tuple[str, int], isl.Set]


def flow(statements: Sequence[Statement], array: str, kills: isl.UnionMap | None = None) -> Flow:
    """The value-based flow through an array (statement-level order, strict: the reads of an
    instance come before its write). `kills` is `{ S[i] -> A[x] }`: what S[i] destroys."""
    writers = [s for s in statements if s.write.array == array]
    reads = [ReadOf(s, k, r) for s in statements for k, r in enumerate(s.reads) if r.array == array]
    if not writers or not reads:
        return Flow((), {(r.statement.name, r.number): r.statement.domain for r in reads})
    groups = _equal_reads(reads)
    try:
        found, orphans = _by_isl(groups, writers, statements, kills)
    except isl.BudgetExhausted:
        raise
    except isl.IslError:
        # isl's analysis fails on some writers of one cell that take turns (even, odd).
        if kills is not None:
            raise
        found, orphans = _by_lexmax(groups, writers)
    edges, live_in = [], {}
    for tag, group in enumerate(groups):
        for r in group:
            name = r.statement.name
            for w in writers:
                if (tag, w.name) in found:
                    exact = r.access.must and all(x.write.must for x in writers)
                    relation = found[tag, w.name]
                    edges.append(Edge("raw", array, w.name, name, relation, r.number, exact))
            if tag in orphans:
                live_in[name, r.number] = orphans[tag]
    return Flow(tuple(edges), live_in)


def _equal_reads(reads: Sequence[ReadOf]) -> list[list[ReadOf]]:
    """Reads of one statement that read the same cells share one computation."""
    groups: list[list[ReadOf]] = []
    for r in reads:
        for g in groups:
            first = g[0]
            if first.statement is r.statement and first.access.relation.plain_is_equal(
                r.access.relation
            ):
                g.append(r)
                break
        else:
            groups.append([r])
    return groups


Found = tuple[dict[tuple[int, str], isl.Map], dict[int, isl.Set]]
"""`{ W[i] -> T[j] }` by (group, writer), and by group `{ T[j] }` where no write is certain."""


@isl.guarded
def _by_isl(
    groups: Sequence[Sequence[ReadOf]],
    writers: Sequence[Statement],
    statements: Sequence[Statement],
    kills: isl.UnionMap | None,
) -> Found:
    """isl's data flow analysis, reads tagged `{ [T[j] -> r0[]] -> A[x] }` to tell them apart."""
    scheduled = writers if kills is None else statements
    sink, when = [], [s.schedule.intersect_domain(s.domain) for s in scheduled]
    for tag, group in enumerate(groups):
        first = group[0]
        domain = first.access.relation.domain()
        label = isl.set_space((), f"r{tag}", ())
        tagged = isl.Map.from_domain_and_range(domain, isl.Set.universe(label)).domain_map()
        sink.append(tagged.apply_range(first.access.relation))
        when.append(tagged.apply_range(first.statement.schedule))
    must = [w.write.relation for w in writers if w.write.must]
    may = [w.write.relation for w in writers if not w.write.must]
    info = isl.UnionAccessInfo.from_sink(isl.union_map(sink))
    info = info.set_must_source(isl.union_map(must)).set_may_source(isl.union_map(may))
    if kills is not None:
        info = info.set_kill(kills)
    result = info.set_schedule_map(isl.union_map(when)).compute_flow()
    found: dict[tuple[int, str], isl.Map] = {}
    for relation in isl.maps(result.get_may_dependence()):
        tag = int(isl.tuple_name(relation.range().unwrap(), isl.OUT)[1:])
        found[tag, isl.tuple_name(relation, isl.IN)] = relation.range_factor_domain().coalesce()
    orphans = {
        int(isl.tuple_name(m.domain().unwrap(), isl.OUT)[1:]): m.domain().unwrap().domain()
        for m in isl.maps(result.get_may_no_source())
    }
    return found, orphans


@isl.guarded
def _by_lexmax(groups: Sequence[Sequence[ReadOf]], writers: Sequence[Statement]) -> Found:
    """The same from the definition: the latest of the earlier writes that are certain, and the
    writes after it that are not."""
    found: dict[tuple[int, str], isl.Map] = {}
    orphans: dict[int, isl.Set] = {}
    when = {w.name: w.schedule.intersect_domain(w.domain) for w in writers}
    for tag, group in enumerate(groups):
        t, access = group[0].statement, group[0].access
        times = {
            w.name: same_cell((w, w.write), (t, access), strict=True)
            .reverse()
            .apply_range(when[w.name])
            for w in writers
        }
        space = access.relation.domain().get_space()
        last = isl.Map.empty(next(iter(times.values())).get_space())
        for w in writers:
            last = last.union(times[w.name]) if w.write.must else last
        last = isl.latest(last)
        known = last.domain() if not last.is_empty() else isl.Set.empty(space)
        orphans[tag] = access.relation.domain().subtract(known)
        not_after = isl.Map.lex_ge(last.get_space().range())
        for w in writers:
            theirs = times[w.name].subtract(last.apply_range(not_after))
            theirs = times[w.name].intersect(last) if w.write.must else theirs
            relation = theirs.apply_range(when[w.name].reverse()).reverse().coalesce()
            if not relation.is_empty():
                found[tag, w.name] = relation
    return found, {tag: s for tag, s in orphans.items() if not s.is_empty()}


def next_overwrites(statements: Sequence[Statement], array: str, kind: str) -> list[Edge]:
    """The value-based anti ("war") or output ("waw") edges of an array: each access and the next
    write of the cell. With may writes, which overwrite nothing for certain, all later writes.
    """
    writers = [s for s in statements if s.write.array == array]
    if not all(w.write.must for w in writers):
        return memory_edges(statements, array, kind)
    first = accesses_of(statements, array, "reads" if kind == "war" else "writes")
    strict = kind == "waw"
    edges = []
    for s, number, access in first:
        later = {w.name: same_cell((s, access), (w, w.write), strict=strict) for w in writers}
        edges += [
            Edge(kind, array, s.name, name, relation, number, access.must)
            for name, relation in _earliest(access, later, writers).items()
        ]
    return edges


def _earliest(
    access: MemoryAccess, later: dict[str, isl.Map], writers: Sequence[Statement]
) -> dict[str, isl.Map]:
    """Of all later writes `{ S[i] -> W[l] }` the first one in time, for each i.

    A must access touches one cell per instance; for a may access all later writes are kept.
    """
    later = {name: m for name, m in later.items() if not m.is_empty()}
    if not access.must or not later:
        return later
    schedules = {w.name: w.schedule.intersect_domain(w.domain) for w in writers}
    parts = [m.apply_range(schedules[name]) for name, m in later.items()]
    times = parts[0]
    for p in parts[1:]:
        times = times.union(p)
    first = isl.earliest(times)
    found = {n: first.apply_range(schedules[n].reverse()).coalesce() for n in later}
    return {n: m for n, m in found.items() if not m.is_empty()}
