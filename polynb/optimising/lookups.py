"""What planes look up in one table, each as far from the place that data decides as it is from the
first one: from a table that has it for all planes in a row, they get it at once."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.recurrences.plan_shifted import access_of, reads_inside
from polynb.schedules.bands import with_schedule
from polynb.scop.access import memory_access, with_accesses
from polynb.scop.affine import AffineFrame
from polynb.scop.fresh_names import Names, global_names
from polynb.scop.model import Array, MemoryAccess, Scop, Statement
from polynb.scop.schedule import Band, Filter, Leaf, Sequence, Tree, member
from polynb.source.limits import limits
from polynb.source.normal_form import Linear, linear_form, normal_form
from polynb.source.tree import Access, Binary, Expr, Iterator, Number, iterators
from polynb.source.type_inference import Types
from polynb.source.types import INT32

MOST: Final = 1 << 18
"""Bytes of a table, which is to stay in a cache."""


@dataclass(frozen=True)
class SharedEntries:
    """The entries `array[place + step*c + offset]` of planes c."""

    array: str
    step: int
    offset: int


@dataclass(frozen=True, eq=False)
class Lookup:
    """A read of a table's entries in plane `plane`, the place being from `least` to `most`."""

    table: SharedEntries
    plane: str
    place: Expr
    least: int
    most: int


def lookups(scop: Scop, planes: Mapping[str, str]) -> dict[int, Lookup]:
    """Of the reads of a program, by their nodes' identities. `planes` says which iterator counts
    the planes, of each statement that is in them."""
    types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
    each = ((s, r) for s in scop.statements if s.name in planes for r in s.reads)
    found = {id(r.node): _lookup(r, planes[s.name], types) for s, r in each}
    return {k: x for k, x in found.items() if x is not None}


def _lookup(r: MemoryAccess, plane: str, types: Types) -> Lookup | None:
    if r.must or len(r.node.subscripts) != 1:
        return None
    place, linear = _apart(r.node.subscripts[0])
    if place is None or linear is None or linear.terms.keys() != {("i", plane)}:
        return None
    known = limits(place, types).known
    if known is None or plane in iterators(place):
        return None
    table = SharedEntries(r.array, linear.terms["i", plane][0], linear.constant)
    return Lookup(table, plane, place, *known)


def _apart(e: Expr) -> tuple[Expr | None, Linear | None]:
    """What data decides of a subscript, and what is added to it; neither where it is not so."""
    linear = linear_form(e)
    if linear is not None:
        return None, linear
    if isinstance(e, Binary) and e.op in "+-":
        (a, more), (b, also) = _apart(e.left), _apart(e.right)
        if more is not None and also is not None and b is None:
            return a, more.plus(also, 1 if e.op == "+" else -1)
        if more is not None and also is not None and a is None and e.op == "+":
            return b, more.plus(also)
    return e, Linear({}, 0, False)


def with_tables(scop: Scop, found: Mapping[int, Lookup], count: int) -> Scop | None:
    """The program with a table `T[place][c]` for what so many planes look up; None where entries of
    one may not be there by then, or are too many."""
    made: dict[SharedEntries, tuple[str, int]] = {}
    new = scop
    for table in dict.fromkeys(x.table for x in found.values()):
        own = {k: x for k, x in found.items() if x.table == table}
        places = min(x.least for x in own.values()), max(x.most for x in own.values())
        name = Names({*global_names(new), *new.by_name}).unique(f"{table.array}_of_planes")
        shape = places[1] - places[0] + 1, count
        users = {t.name for t in new.statements if any(id(r.node) in own for r in t.reads)}
        filled = _with_table(new, _filling(new, table, name, shape, places[0]), shape, users)
        if filled is None:
            return None
        new, made[table] = filled, (name, places[0])
    statements = []
    for s in new.statements:
        reads = {id(r): (r, found[id(r.node)]) for r in s.reads if id(r.node) in found}
        others = {k: _in_table(s, r, x, *made[x.table]) for k, (r, x) in reads.items()}
        statements.append(with_accesses(s, others) if others else s)
    return replace(new, statements=tuple(statements))


def _in_table(s: Statement, r: MemoryAccess, x: Lookup, name: str, least: int) -> MemoryAccess:
    place = Binary("-", x.place, Number(least, INT32)) if least else x.place
    node = Access(name, (place, Iterator(x.plane)), span=r.node.span)
    return access_of(s, node, s.domain)


def _with_table(scop: Scop, s: Statement, shape: tuple[int, int], users: Set[str]) -> Scop | None:
    """The program with a statement that fills a table, when all that it reads has been written for
    the last time, if that is before the first of its users."""
    (entry,), parts = s.reads, [*_parts(scop)]
    old = scop.arrays[entry.array]
    writers = {t.name for t in scop.statements if t.write.array == entry.array}
    first = min(k for k, f in enumerate(parts) if not users.isdisjoint(f.domains))
    late = any(not writers.isdisjoint(f.domains) for f in parts[first:])
    if late or shape[0] * shape[1] * old.type.size > MOST:
        return None
    if not reads_inside(scop, entry) or not _all_written(scop, entry):
        return None
    space = scop.assumed.get_space()
    extents = tuple(isl.PwAff(f"{{ [({n})] }}").align_params(space) for n in shape)
    why = f"what planes look up in {entry.array}, in a row"
    array = Array(s.name, old.type, extents, "temp", sized=True, why=why)
    parts.insert(first, Filter({s.name: None}, _loops(s)))
    statements = [t for f in parts for t in (s, *scop.statements) if t.name in f.domains]
    arrays = {**scop.arrays, s.name: array}
    made = replace(scop, statements=tuple(statements), arrays=arrays)
    return with_schedule(made, Sequence(tuple(parts)))


def _filling(
    scop: Scop, table: SharedEntries, name: str, shape: tuple[int, int], least: int
) -> Statement:
    """`T[r][c] = array[r + step*c + offset];`"""
    names = Names(global_names(scop))
    iterators = names.unique("r"), names.unique("c")
    r, c = map(Iterator, iterators)
    space = isl.set_space(scop.parameters, None, iterators)
    bounds = isl.read_set(f"{{ [r, c] : 0 <= r < {shape[0]} and 0 <= c < {shape[1]} }}")
    domain = isl.with_dim_names(bounds.align_params(space), isl.SET, iterators)
    further = Binary("*", Number(table.step, INT32), c)
    entry = Binary("+", Binary("+", r, further), Number(table.offset + least, INT32))
    frame = AffineFrame(domain.get_space())

    def access(node: Access) -> MemoryAccess:
        found = memory_access(node, domain, frame)
        return replace(found, relation=isl.rename(found.relation, isl.IN, name))

    read, write = access(Access(table.array, (normal_form(entry),))), access(Access(name, (r, c)))
    domain = isl.rename(domain, isl.SET, name)
    same = isl.Map.identity(domain.get_space().map_from_set()).reset_tuple_id(isl.OUT)
    return Statement(name, iterators, domain, write, (read,), read.node, same, name)


def _loops(s: Statement) -> Tree:
    rows, planes = ({s.name: member(s.schedule, k)} for k in (0, 1))
    return Band(rows, Band(planes, Leaf()))


def _parts(scop: Scop) -> tuple[Filter, ...]:
    """What runs one after the other."""
    if isinstance(scop.schedule, Sequence):
        return scop.schedule.children
    return (Filter(dict.fromkeys(scop.by_name), scop.schedule),)


def _all_written(scop: Scop, read: MemoryAccess) -> bool:
    """Whether the entries are there before the planes are computed: they are given, or written by
    what looks nothing up."""
    array = scop.arrays[read.array]
    writers = [s for s in scop.statements if s.write.array == read.array]
    if not writers:
        return array.role == "input"
    written = isl.united(s.write.relation.range() for s in writers if s.affine)
    entries = read.relation.range().intersect_params(scop.assumed)
    return all(s.affine for s in writers) and entries.is_subset(written)
