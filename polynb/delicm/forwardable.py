"""Whether an operand tree can be forwarded: canForwardTree (DeLICM, Listing 7).

As printed, the listing tests for speculatable operations the wrong way round, and asks for the
operation again in place of its operands; both are put right here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from polynb import isl
from polynb.delicm.operand_trees import Load, Obstacle, OperandTree, Operation
from polynb.delicm.values import ProgramValues, copied_read, same_content
from polynb.dependences import Edge, overwrites
from polynb.dependences.intermediate import intermediate_write
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.witness import Instance, Witness, pair_witness
from polynb.source.tree import Access, Call, walk


@dataclass(frozen=True, eq=False)
class Forwarding:
    """The search for trees at one target. `scalars` are those whose reads are to go."""

    values: ProgramValues
    target: Statement
    scalars: frozenset[str]
    prefer: str
    _known: list[tuple[str, int, isl.Map, OperandTree | Obstacle]] = field(default_factory=list)

    @property
    def scop(self) -> Scop:
        return self.values.scop

    def tree(self, number: int) -> OperandTree | Obstacle:
        """How to do without the `number`-th read of the target, a scalar."""
        here = self.target.domain.intersect_params(self.scop.assumed).identity()
        return self._operand(self.target, number, here, ())

    def _operand(
        self, s: Statement, number: int, at: isl.Map, path: tuple[str, ...]
    ) -> OperandTree | Obstacle:
        """The value that S[i] reads, at the target: `at` is `{ S[i] -> T[j] }`."""
        for name, k, where, tree in self._known:
            if (name, k) == (s.name, number) and where.is_equal(at):
                return tree
        if s.reads[number].array in self.scalars:
            tree = self._scalar(s, number, at, path)
        else:
            tree = self._load(s, number, at)
        self._known.append((s.name, number, at, tree))
        return tree

    def _load(self, s: Statement, number: int, at: isl.Map) -> OperandTree | Obstacle:
        access = s.reads[number]
        blocked = self.overwritten(s, access, at)
        if blocked is None:
            return Load(access.array, at.reverse().apply_range(access.relation), own=True)
        return self._content(s, number, at) or blocked

    def _scalar(
        self, s: Statement, number: int, at: isl.Map, path: tuple[str, ...]
    ) -> OperandTree | Obstacle:
        source = self._definition(s, number, at)
        if isinstance(source, Obstacle):
            return self._content(s, number, at) or source
        definition, dependence = source
        reload_first = self.prefer == "reload" and not self._is_leaf(definition)
        reloaded = self._content(s, number, at) if reload_first else None
        if reloaded is not None:
            return reloaded
        copied = self.operation(definition, dependence, path)
        if isinstance(copied, Operation) or reload_first:
            return copied
        return self._content(s, number, at) or copied

    def operation(self, s: Statement, at: isl.Map, path: tuple[str, ...]) -> Operation | Obstacle:
        if s.name in path:
            names = " -> ".join(reversed((*path[path.index(s.name) :], s.name)))
            return Obstacle(f"its value is made from its own earlier values ({names})")
        operands: dict[int, OperandTree] = {}
        for k in range(len(s.reads)):
            operand = self._operand(s, k, at, (*path, s.name))
            if isinstance(operand, Obstacle):
                return operand
            operands[k] = operand
        return Operation(s, at, operands)

    def _is_leaf(self, s: Statement) -> bool:
        """A load is first tried in its own cells; what reads and calls nothing (a constant, an
        affine expression) is never loaded."""
        if copied_read(self.scop, s) is not None:
            return True
        return not any(isinstance(x, Access | Call) for x in walk(s.expression))

    def _content(self, s: Statement, number: int, at: isl.Map) -> Load | None:
        """Some array that has the value for every instance of the target."""
        wanted = at.reverse().to_union_map().apply_range(self.values.read(s.name, number))
        cells = same_content(self.values, self.target, wanted, self._arrays(s, number))
        return None if cells is None else Load(isl.tuple_name(cells, isl.OUT), cells, own=False)

    def _arrays(self, s: Statement, number: int) -> Sequence[str]:
        """Where to look: the operand's own array first; scalars that are written never."""
        written = {x.write.array for x in self.scop.statements}
        own = s.reads[number].array
        holders = [n for n, a in self.scop.arrays.items() if a.dimensions or n not in written]
        return sorted((n for n in holders if n not in self.scalars), key=lambda n: n != own)

    def _definition(
        self, s: Statement, number: int, at: isl.Map
    ) -> tuple[Statement, isl.Map] | Obstacle:
        """The one statement that defines what S reads there, and `{ D[k] -> T[j] }`."""
        access = s.reads[number]
        flow = self.values.dependences.flow(access.array)
        into = [e for e in flow.edges if e.target == s.name and e.read == number]
        reaching = [(e, m) for e in into if not (m := e.relation.apply_range(at)).is_empty()]
        inexact = next((e for e, _ in reaching if not e.exact), None)
        if inexact is not None:
            return Obstacle(f"which statement writes what {s.name} reads depends on data")
        space = self.target.domain.get_space()
        bare = at.subtract_range(isl.united((m.range() for _, m in reaching), space))
        if not bare.is_empty():
            return self._undefined(access.array, bare)
        if len(reaching) > 1:
            return self._several(access.array, s, reaching)
        edge, dependence = reaching[0]
        return self.scop.by_name[edge.source], isl.coalesced(dependence)

    def _undefined(self, array: str, bare: isl.Map) -> Obstacle:
        found = isl.witness_pair(bare)
        assert found is not None
        reader = Instance(isl.tuple_name(bare, isl.IN), found[1])
        witness = Witness(found[0], {"reader": reader}, array)
        return Obstacle(f"{array} is not always written before it is read", witness)

    def _several(
        self, array: str, s: Statement, reaching: Sequence[tuple[Edge, isl.Map]]
    ) -> Obstacle:
        names = " and ".join(e.source for e, _ in reaching)
        reason = f"{s.name} reads values of {array} from {names}, which no one expression gives"
        return Obstacle(reason, pair_witness(reaching[-1][0].relation, "source", "target"))

    def overwritten(self, s: Statement, access: MemoryAccess, at: isl.Map) -> Obstacle | None:
        """Whether, and by what, a cell that S[i] reads may be overwritten before T[j]."""
        writers = [w for w in self.scop.statements if w.write.array == access.array]
        for name, war in overwrites((s, access), writers):
            writer = self.scop.by_name[name]
            pairs = war.reverse().apply_range(at)
            if not pairs.intersect(writer.schedule.lex_lt_map(self.target.schedule)).is_empty():
                witness = intermediate_write((s, access), writer, self.target, war, at)
                return Obstacle(f"{access.array} changes in between", witness)
        return None
