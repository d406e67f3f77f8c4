"""A program as a proof sees it: what each statement computes, and where each read's value is from.

Everything is made certain: a write under a condition that depends on data writes its cell in any
case, perhaps what was there; where data decides which cell of a row is written, the row is, with
another element. After everything, a statement for each live-out array reads what remains.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement

from polynb import isl
from polynb.dependences.flow import flow
from polynb.proofs.accesses import Rows, Unsuitable, certain, check_function, decided_by_data
from polynb.proofs.expressions import Reader
from polynb.proofs.nodes import Nodes, Read, ValueNode
from polynb.proofs.peeks import peek
from polynb.scop.fresh_names import Names
from polynb.scop.model import MemoryAccess, Scop, Statement, constant_order
from polynb.source import tree as syntax


@dataclass(frozen=True, eq=False)
class Sources:
    """Where the value of a read is from: `writers[W]` is `{ T[j] -> W[i] }`, the instance that
    wrote it; in `before`, `{ T[j] }`, it was there before the program."""

    writers: Mapping[str, isl.Map]
    before: isl.Set


@dataclass(frozen=True, eq=False)
class Guarded:
    """What a statement under a condition that depends on data leaves in its cell."""

    condition: ValueNode
    value: ValueNode
    otherwise: ValueNode

    @property
    def holds(self) -> bool:
        """Whether the value is written where the positive condition holds."""
        return self.condition.op != "!"

    @property
    def positive(self) -> ValueNode:
        return self.condition if self.holds else self.condition.operands[0]


class ProgramModel:
    """A program over its memory, for parameter values `{ : assumed }`.

    `outputs` are the cells that are compared, `{ A[x] }`, by live-out array. `ends[A]` is the
    statement that reads them, A_end[x]. Where the flow of values is the same as in another program,
    `like`, it is written as there (schedules with tiles make it long). Of the first program's reads
    only those within the extents count. Raises Unsuitable (see `accesses`).
    """

    def __init__(
        self,
        scop: Scop,
        assumed: isl.Set,
        rows: Rows,
        outputs: Mapping[str, isl.Set],
        like: ProgramModel | None = None,
    ) -> None:
        self.scop = scop
        self.rows = rows
        self.like = like
        self.functions = {f.name: f for f in scop.functions}
        self._names = Names([*(s.name for s in scop.statements), *scop.arrays])
        self.ends = {a: self._names.unique(f"{a}_end") for a in outputs}
        self._space = isl.param_space(scop.parameters)
        self._reads: dict[str, dict[int, Read]] = {}
        self._own: dict[str, Read] = {}
        self._peeks: list[Statement] = []
        self._touching: list[Statement] = []
        statements = [self._certain(s, assumed) for s in scop.statements]
        _check_order(self._touching)
        length = max((s.schedule.dim(isl.OUT) for s in statements), default=1)
        statements += [self._end(a, x, length) for a, x in outputs.items()] + self._peeks
        self.by_name = {s.name: s for s in statements}
        self.flows = Flows(scop, statements)
        self._sources: dict[tuple[str, int], Sources] = {}
        self._roots: dict[str, ValueNode] = {}
        self._readers: dict[str, tuple[Nodes, Reader]] = {}

    @cached_property
    def used(self) -> frozenset[str]:
        """The arrays that its statements access."""
        accesses = (a for s in self.scop.statements for a in (s.write, *s.reads))
        return frozenset(a.array for a in accesses)

    # -- statements --------------------------------------------------------------------

    def _certain(self, s: Statement, assumed: isl.Set) -> Statement:
        domain = s.domain.intersect_params(assumed).align_params(self._space)
        time = s.schedule.insert_dims(isl.OUT, 0, 1).fix_val(isl.OUT, 0, isl.Val(0))
        s = replace(s, domain=domain, schedule=time)
        write = certain(s, s.write, domain, self.rows)
        reads: list[MemoryAccess] = []
        may: list[MemoryAccess] = []
        same: dict[tuple[str, str], Read] = {}  # reads of one cell get one value
        self._reads[s.name] = {}
        for old in s.reads:
            free = tuple(sorted(decided_by_data(s, old) - self.rows[old.array]))
            new = certain(s, old, domain, self.rows)
            if free:
                may.append(new)
                read = self._peeked(s, new, free)
            else:
                cell = (new.array, str(new.relation))
                if cell not in same:
                    same[cell] = self._read(s.name, len(reads), new)
                    reads.append(new)
                read = same[cell]
            self._reads[s.name][id(old.node)] = read
        if s.guard is not None or self.rows[write.array]:
            self._own[s.name] = self._read(s.name, len(reads), write)
            reads.append(write)
        s = replace(s, reads=tuple(reads), write=write)
        for a in (write, *reads):
            check_function(s, a)
        self._touching.append(replace(s, reads=(*reads, *may)))
        return s

    def _read(self, statement: str, number: int, a: MemoryAccess) -> Read:
        index = tuple(sorted(self.rows[a.array]))
        type = self.scop.arrays[a.array].type
        return Read(statement, number, a.array, a.relation, type, index)

    def _peeked(self, s: Statement, a: MemoryAccess, free: tuple[int, ...]) -> Read:
        """A read whose cell data decides, as a statement of its own."""
        array = None if self.like is not None else self.scop.arrays[a.array]
        name = self._names.unique(f"{s.name}_reads_{a.array}")
        made = peek(name, s, a, free, array, self.rows)
        check_function(made.statement, made.statement.reads[0])
        self._peeks.append(made.statement)
        read = self._read(name, 0, made.statement.reads[0])
        return replace(
            read, index=(*read.index, *free), lift=made.lift, domain=made.statement.domain
        )

    def _end(self, array: str, cells: isl.Set, length: int) -> Statement:
        """`A_end[x]`, which reads A[x] when the program is over."""
        name = self.ends[array]
        domain = cells.set_tuple_name(name)
        relation = cells.identity().set_tuple_name(isl.IN, name)
        access = MemoryAccess(array, relation, syntax.Access(array))
        read = replace(self._read(name, 0, access), index=())
        self._reads[name] = {id(access.node): read}
        time = isl.Map.from_domain(domain).add_dims(isl.OUT, length)
        for k in range(length):
            time = time.fix_val(isl.OUT, k, isl.Val(int(k == 0)))
        nowhere = replace(access, array=name)
        return Statement(name, (), domain, nowhere, (access,), access.node, time, name)

    # -- what they compute ----------------------------------------------------------------

    def root(self, name: str) -> ValueNode:
        """What a statement leaves in the cell (or row of cells) that it writes."""
        if name not in self._roots:
            self._roots[name] = self._computed(self.by_name[name])
        return self._roots[name]

    def _computed(self, s: Statement) -> ValueNode:
        nodes, reader = self._reader(s)
        if s.name in self.ends.values():
            return reader.node(s.expression)
        own = self._own.get(s.name)
        index = () if own is None else self._index(s, own, reader)
        if s.guard is None:
            value = nodes.convert(self.scop.arrays[s.write.array].type, reader.node(s.expression))
        else:
            assert own is not None
            now = self._guarded(s)
            left = now.otherwise if index else self._left(now, own, nodes)
            value = nodes.choose(now.condition, now.value, left)
        return nodes.store(own, index, value) if own is not None and index else value

    def _reader(self, s: Statement) -> tuple[Nodes, Reader]:
        if s.name not in self._readers:
            nodes = Nodes(s.name, s.domain)
            self._readers[s.name] = nodes, Reader(nodes, self.functions, self._reads[s.name])
        return self._readers[s.name]

    def _index(self, s: Statement, own: Read, reader: Reader) -> tuple[ValueNode, ...]:
        return tuple(reader.node(s.write.node.subscripts[k]) for k in own.index)

    def _guarded(self, s: Statement) -> Guarded:
        nodes, reader = self._reader(s)
        assert s.guard is not None
        own = self._own[s.name]
        value = nodes.convert(self.scop.arrays[s.write.array].type, reader.node(s.expression))
        there = nodes.load(own, self._index(s, own, reader))
        return Guarded(reader.node(s.guard), value, there)

    def _left(self, now: Guarded, own: Read, nodes: Nodes) -> ValueNode:
        """What is in the cell of a guarded write where the guard does not hold: if it was written
        under the same condition, or under the opposite one, what was left there then."""
        writer = self._earlier(now, own, nodes.domain.identity())
        if writer is None:
            return now.otherwise
        name, m, left = writer
        part = f"{name}, for {own.statement}"
        self._roots[part] = left
        read = replace(own, number=-1)
        nowhere = isl.Set.empty(nodes.space)
        self.add_read(read, Sources({part: m}, nowhere))
        return nodes.load(read, ())

    def _earlier(
        self, now: Guarded, own: Read, m: isl.Map
    ) -> tuple[str, isl.Map, ValueNode] | None:
        """The first of the writes under that condition, or the last of those under the opposite
        one, in the instances `{ T[j] -> S[i] }` that wrote what a guarded write may leave."""
        writer = None
        while True:
            sources = self.sources(own)
            if len(sources.writers) != 1 or not sources.before.is_empty():
                return writer
            ((name, step),) = sources.writers.items()
            if self.by_name[name].guard is None:
                return writer
            earlier = self._guarded(self.by_name[name])
            m = m.apply_range(step)
            if not _same_value(self, now.positive, earlier.positive, m):
                return writer
            if now.holds != earlier.holds:
                return name, m, earlier.value
            writer, own = (name, m, earlier.otherwise), self._own[name]

    # -- where values are from -----------------------------------------------------------------

    def sources(self, read: Read) -> Sources:
        """Who wrote what a read reads."""
        key = read.statement, read.number
        if key not in self._sources:
            writers = self._simplified(read, self.flows.writers(read))
            left = self.by_name[read.statement].domain
            for w in writers.values():
                left = left.subtract(w.domain())
            self._sources[key] = Sources(writers, isl.coalesced(left))
        return self._sources[key]

    def add_read(self, read: Read, sources: Sources) -> None:
        """A read that no statement has, and where its value is from."""
        self._sources[read.statement, read.number] = sources

    def _simplified(self, read: Read, writers: Mapping[str, isl.Map]) -> Mapping[str, isl.Map]:
        """The same relations `{ T[j] -> W[i] }`, as in the other program where they are equal."""
        if self.like is None or read.statement not in self.like.by_name:
            return writers
        known = self.like.flows.writers(read)
        return {
            name: known[name] if name in known and _equal(m, known[name]) else m
            for name, m in writers.items()
        }

    def reads(self, name: str) -> list[Read]:
        """The reads on which the value of a statement depends, those of its peeks among them."""
        reads, seen, todo = [], set[int](), [self.root(name)]
        while todo:
            node = todo.pop()
            if node.number not in seen:
                seen.add(node.number)
                todo += node.operands
                if node.op == "read":
                    reads.append(node.what)
        return reads


def _same_value(program: ProgramModel, a: ValueNode, b: ValueNode, m: isl.Map) -> bool:
    """Whether a node of T and one of S have the same value in all pairs `{ T[j] -> S[i] }`: they
    are the same operations on reads of the same cells, which nothing has written in between."""
    if a.op != b.op or a.type is not b.type or len(a.operands) != len(b.operands):
        return False
    if a.op == "whole":
        f, g = (isl.Map.from_pw_aff(x.what) for x in (a, b))
        return bool(m.is_subset(f.apply_range(g.reverse())))
    if a.op == "read":
        return _same_read(program, a.what, b.what, m)
    if a.op == "pick" or a.what != b.what:
        return False
    return all(_same_value(program, x, y, m) for x, y in zip(a.operands, b.operands, strict=True))


def _same_read(program: ProgramModel, a: Read, b: Read, m: isl.Map) -> bool:
    if a.array != b.array or a.lift is not None or b.lift is not None or a.index or b.index:
        return False
    here = m.domain()
    if not a.cells.intersect_domain(here).is_equal(m.apply_range(b.cells)):
        return False
    first, second = program.sources(a), program.sources(b)
    moved = {name: m.apply_range(r) for name, r in second.writers.items()}
    ours = {name: r.intersect_domain(here) for name, r in first.writers.items()}
    return (
        {n for n, r in moved.items() if not r.is_empty()}
        == {n for n, r in ours.items() if not r.is_empty()}
        and all(r.is_equal(moved[n]) for n, r in ours.items() if not r.is_empty())
        and first.before.intersect(here).is_equal(second.before.apply(m.reverse()))
    )


def _equal(m: isl.Map, n: isl.Map) -> bool:
    return bool(m.get_space().has_equal_tuples(n.get_space()) and m.is_equal(n))


# Value-based flow of a program in the order of its schedule.


Writers = Mapping[str, isl.Map]
"""For each writer W of what a read in T reads, `{ T[j] -> W[i] }`."""


class Flows:
    """The flow through the arrays of some statements, each found when it is first asked for."""

    def __init__(self, scop: Scop, statements: Sequence[Statement]) -> None:
        self.statements = statements
        self._known: dict[str, dict[tuple[str, int], dict[str, isl.Map]]] = {}

    def writers(self, read: Read) -> Writers:
        if read.array not in self._known:
            self._known[read.array] = self._found(read.array)
        return self._known[read.array].get((read.statement, read.number), {})

    def _found(self, array: str) -> dict[tuple[str, int], dict[str, isl.Map]]:
        sources: dict[tuple[str, int], dict[str, isl.Map]] = {}
        for e in flow(self.statements, array).edges:
            assert e.read is not None
            sources.setdefault((e.target, e.read), {})[e.source] = e.relation.reverse()
        return sources


def _check_order(statements: Sequence[Statement]) -> None:
    """Raises Unsuitable if two instances have one time and may touch one cell, which one writes.
    (An instance reads before it writes.)"""
    for s, t in combinations_with_replacement(statements, 2):
        if constant_order(s, t) is not None:
            continue
        touched = list(_same_cell(s, t))
        if not touched:
            continue
        together = s.schedule.apply_range(t.schedule.reverse())
        if s is t:
            together = together.subtract(isl.Map.identity(together.get_space()))
        if not all(together.is_disjoint(m) for m in touched):
            raise Unsuitable(f"which of {s.name} and {t.name} comes first is not said")


def _same_cell(s: Statement, t: Statement) -> Iterator[isl.Map]:
    """`{ S[i] -> T[j] }` that touch one cell, for each pair of accesses of which one writes."""
    pairs = [(s.write, t.write), *((s.write, r) for r in t.reads), *((r, t.write) for r in s.reads)]
    for a, b in pairs:
        if a.array == b.array:
            yield a.relation.apply_range(b.relation.reverse())
