"""Memory-based dependences: pairs of accesses to the same cell, in the order of the schedule; what
destroys the content of cells, and so which writes are live-out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polynb import isl
from polynb.arguments import objects, wrong
from polynb.dependences.model import Edge
from polynb.errors import PolynbError
from polynb.scop.isl_text import check_tuples, union_map
from polynb.scop.model import MemoryAccess, Scop, Statement, constant_order


def same_cell(
    first: tuple[Statement, MemoryAccess], then: tuple[Statement, MemoryAccess], *, strict: bool
) -> isl.Map:
    """`{ S[i] -> T[j] : both touch one cell, θ(i) << θ(j) }`; θ(j) = θ(i) too if not strict."""
    (s, a), (t, b) = _access_of("first", first), _access_of("then", then)
    if a.array != b.array:
        raise PolynbError(f"{a.array} and {b.array} have no cells in common", hint="one array")
    order = constant_order(s, t)
    if order is not None and order >= 0:
        return isl.Map.empty(s.domain.get_space().map_from_domain_and_range(t.domain.get_space()))
    pairs = a.relation.apply_range(b.relation.reverse())
    if pairs.plain_is_empty():
        return pairs
    if order is None:
        before = s.schedule.lex_lt_map if strict else s.schedule.lex_le_map
        pairs = pairs.intersect(before(t.schedule))
    return isl.coalesced(pairs)


def read_kills(scop: Scop, kills: Any) -> isl.UnionMap | None:
    """Kills `{ S[i] -> A[x] }` of a program, given as an islpy map or isl text.

    Raises PolynbError for what is no map, and for statements and arrays that there are not, or of
    other numbers of dimensions.
    """
    if kills is None:
        return None
    found = union_map("kills", kills)
    check_tuples("kills", kills, found, {s.name: len(s.iterators) for s in scop.statements})
    arrays = {a.name: a.dimensions for a in scop.arrays.values()}
    check_tuples("kills", kills, found, arrays, side=isl.OUT, what="array")
    return found


def destroyers(
    statements: Sequence[Statement], array: str, kills: isl.UnionMap | None
) -> dict[str, tuple[Statement, MemoryAccess]]:
    """What is sure to destroy the content of cells of an array: its must-writes, each under the
    name of its statement, and `kills`, `{ S[i] -> A[x] }` (of statements that there are), each
    under that name and a mark."""
    found = {s.name: (s, s.write) for s in statements if s.write.array == array and s.write.must}
    if kills is None:
        return found
    by_name = {s.name: s for s in statements}
    for m in isl.maps(kills):
        by = by_name[isl.tuple_name(m, isl.IN)]
        if isl.tuple_name(m, isl.OUT) == array:
            access = MemoryAccess(array, m.intersect_domain(by.domain), by.write.node)
            found[f"{by.name} kills"] = by, access
    return found


def live_out_writes(scop: Scop, s: Statement, kills: isl.UnionMap | None = None) -> isl.Map:
    """`{ S[i] -> A[x] }`, the writes of a statement that may survive the program (IMPACT'16,
    section 2.3): the array is live-out, and no later must-write or kill of the cell is certain.

    `kills` is `{ S[i] -> A[x] }`: cells whose content S[i] destroys.
    """
    relation: isl.Map = s.write.relation
    array = s.write.array
    if not scop.arrays[array].live_out:
        return isl.Map.empty(relation.get_space())
    for killer in reversed(destroyers(scop.statements, array, kills).values()):
        later = same_cell((s, s.write), killer, strict=True)
        relation = relation.subtract(later.apply_range(killer[1].relation))
        if relation.is_empty():  # as the last writes destroy most, mostly at once
            break
    return isl.coalesced(relation)


def _access_of(name: str, given: Any) -> tuple[Statement, MemoryAccess]:
    match given:
        case Statement() as s, MemoryAccess() as access:
            return s, access
    raise wrong(name, given, "a statement and one of its accesses", "(s, s.write), say")


def overwrites(
    reader: tuple[Statement, MemoryAccess], writers: Sequence[Statement]
) -> list[tuple[str, isl.Map]]:
    """The paper's `r -> *`: for each writer W the pairs `{ S[i] -> W[l] }` in which l writes the
    cell that i reads, at the same time or later (CC'18, section 3.2).

    All of them, not only the first overwrite, so that the result stays right when writes are
    removed. An instance that overwrites what it reads itself (self-WAR) is included: all reads
    of an instance come before its write.
    """
    writers = objects("writers", writers, Statement, "statements", "scop.statements, say")
    found = [(w.name, same_cell(reader, (w, w.write), strict=False)) for w in writers]
    return [(name, m) for name, m in found if not m.is_empty()]


def accesses_of(
    statements: Sequence[Statement], array: str, which: str
) -> list[tuple[Statement, int | None, MemoryAccess]]:
    """The "reads" (with their numbers) or the "writes" of an array, in textual order."""
    if which == "writes":
        return [(s, None, s.write) for s in statements if s.write.array == array]
    return [(s, k, r) for s in statements for k, r in enumerate(s.reads) if r.array == array]


def memory_edges(statements: Sequence[Statement], array: str, kind: str) -> list[Edge]:
    """All pairs of one kind through one array, between any two accesses in schedule order."""
    ends = {
        "raw": ("writes", "reads"),
        "war": ("reads", "writes"),
        "waw": ("writes", "writes"),
        "rar": ("reads", "reads"),
    }
    first, then = (accesses_of(statements, array, which) for which in ends[kind])
    edges = []
    for s, number, a in first:
        for t, other, b in then:
            relation = same_cell((s, a), (t, b), strict=kind != "war")
            if not relation.is_empty():
                read = other if kind == "raw" else number
                exact = a.must and b.must
                edges.append(Edge(kind, array, s.name, t.name, relation, read, exact))
    return edges
