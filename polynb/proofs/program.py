"""A program as a proof sees it: what each statement computes, and where each read's value is from.

Everything is made certain: a write under a condition that depends on data writes its cell in any
case, perhaps what was there; where data decides which cell of a row is written, the row is, with
another element. After everything, a statement for each live-out array reads what remains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from polynb import isl
from polynb.proofs.accesses import Rows, certain
from polynb.proofs.expressions import Reader
from polynb.proofs.flows import Flows, check_order
from polynb.proofs.nodes import Nodes, Read, ValueNode
from polynb.scop.fresh_names import Names
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.source import tree as syntax


@dataclass(frozen=True, eq=False)
class Sources:
    """Where the value of a read is from: `writers[W]` is `{ T[j] -> W[i] }`, the instance that
    wrote it; in `before`, `{ T[j] }`, it was there before the program."""

    writers: Mapping[str, isl.Map]
    before: isl.Set


class ProgramModel:
    """A program over its memory, for parameter values `{ : assumed }`.

    `outputs` are the cells that are compared, `{ A[x] }`, by live-out array. `ends[A]` is the
    statement that reads them, A_end[x]. Raises Unsuitable (see `accesses`).
    """

    def __init__(
        self, scop: Scop, assumed: isl.Set, rows: Rows, outputs: Mapping[str, isl.Set]
    ) -> None:
        self.scop = scop
        self.rows = rows
        self.functions = {f.name: f for f in scop.functions}
        names = Names(s.name for s in scop.statements)
        self.ends = {a: names.unique(f"{a}_end") for a in outputs}
        self._space = isl.param_space(scop.parameters)
        self._reads: dict[str, dict[int, Read]] = {}
        self._own: dict[str, Read] = {}
        statements = [self._certain(s, assumed) for s in scop.statements]
        check_order(statements)
        length = max((s.schedule.dim(isl.OUT) for s in statements), default=1)
        statements += [self._end(a, x, length) for a, x in outputs.items()]
        self.by_name = {s.name: s for s in statements}
        self._flows = Flows(scop, statements)
        self._sources: dict[tuple[str, int], Sources] = {}
        self._roots: dict[str, ValueNode] = {}

    # -- statements --------------------------------------------------------------------

    def _certain(self, s: Statement, assumed: isl.Set) -> Statement:
        domain = s.domain.intersect_params(assumed).align_params(self._space)
        reads = [certain(s, r, domain, self.rows) for r in s.reads]
        write = certain(s, s.write, domain, self.rows)
        self._reads[s.name] = {id(r.node): self._read(s.name, k, r) for k, r in enumerate(reads)}
        if s.guard is not None or self.rows[write.array]:
            self._own[s.name] = self._read(s.name, len(reads), write)
            reads.append(write)
        time = s.schedule.insert_dims(isl.OUT, 0, 1).fix_val(isl.OUT, 0, isl.Val(0))
        return replace(s, domain=domain, reads=tuple(reads), write=write, schedule=time)

    def _read(self, statement: str, number: int, a: MemoryAccess) -> Read:
        index = tuple(sorted(self.rows[a.array]))
        type = self.scop.arrays[a.array].type
        return Read(statement, number, a.array, a.relation, type, index)

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
        nodes = Nodes(s.name, s.domain)
        reader = Reader(nodes, self.functions, self._reads[s.name])
        value = reader.node(s.expression)
        if s.name in self.ends.values():
            return value
        type = self.scop.arrays[s.write.array].type
        value = nodes.convert(type, value)
        own = self._own.get(s.name)
        if own is None:
            return value
        index = tuple(reader.node(s.write.node.subscripts[k]) for k in own.index)
        if s.guard is not None:
            value = nodes.choose(reader.node(s.guard), value, nodes.load(own, index))
        return nodes.store(own, index, value) if index else value

    # -- where values are from -----------------------------------------------------------------

    def sources(self, read: Read) -> Sources:
        """Who wrote what a read reads."""
        key = read.statement, read.number
        if key not in self._sources:
            writers = self._flows.writers(read)
            left = self.by_name[read.statement].domain
            for w in writers.values():
                left = left.subtract(w.domain())
            self._sources[key] = Sources(writers, left.coalesce())
        return self._sources[key]

    def reads(self, name: str) -> list[Read]:
        """The reads on which the value of a statement depends."""
        found, seen, todo = [], set[int](), [self.root(name)]
        while todo:
            node = todo.pop()
            if node.number not in seen:
                seen.add(node.number)
                todo += node.operands
                if node.op == "read":
                    found.append(node.what)
        return found
