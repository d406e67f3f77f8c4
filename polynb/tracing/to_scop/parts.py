"""The statements of a traced program: what is written, and the instructions that make the value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polynb.tracing.feedback.bands import at_depth
from polynb.tracing.feedback.induction import pruned
from polynb.tracing.feedback.known import Pruned
from polynb.tracing.feedback.overapproximation import FlowDependence
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction
from polynb.tracing.to_scop.written import Register, register_of


@dataclass(frozen=True, eq=False)
class TracedStatement:
    """What becomes a statement: `sink` is the store, or the operation whose value other statements
    use; `register` is the variable that has that value (None for a store).

    `loads` are the accesses that its value is made from, `registers` the values of others (by
    producer), `operations` its own operations, the last one first; `inductive`: it uses the value
    of an induction variable, so a function of its iterators.
    """

    sink: Instruction
    register: Register | None
    loads: tuple[Instruction, ...]
    registers: tuple[Instruction, ...]
    operations: tuple[Instruction, ...]
    inductive: bool

    @property
    def name(self) -> str:
        return self.sink.name.replace(".", "_")

    @property
    def members(self) -> tuple[Instruction, ...]:
        return (self.sink, *self.loads, *self.operations)


def statements_of(
    folding: Folding, pruned: Pruned, flow: Mapping[tuple[str, str], FlowDependence]
) -> tuple[TracedStatement, ...]:
    """All statements, in the order of the instructions."""
    return _Grouping(folding, pruned, flow).statements()


def without_iterators(folding: Folding) -> Pruned:
    """The dependences without those of induction variables, but for variables that other
    instructions give values which are no functions of the iterators: `max = 0` before a loop that
    looks for a maximum."""
    first = pruned(folding)
    computed = {
        register_of(folding, i)
        for source, _ in first.kept
        if (i := folding.instructions[source]).kind != "store"
    } - {None}
    return pruned(
        folding,
        {
            n
            for n, v in first.variables.items()
            if v.within or register_of(folding, v.instruction) in computed
        },
    )


class _Grouping:
    def __init__(
        self, folding: Folding, pruned: Pruned, flow: Mapping[tuple[str, str], FlowDependence]
    ) -> None:
        self.folding, self.instructions = folding, folding.instructions
        self.pruned, self.flow = pruned, flow
        self.producers: dict[str, list[str]] = {}
        for source, target in folding.dependences:
            self.producers.setdefault(target, []).append(source)

    def statements(self) -> tuple[TracedStatement, ...]:
        sinks = {n for n, i in self.instructions.items() if i.kind == "store"}
        for source, target in self.pruned.kept:
            if self.instructions[source].kind != "store" and not self.inside(source, target):
                sinks.add(source)
        used = {source for source, _ in self.folding.dependences}
        for n, i in self.instructions.items():  # what is computed for nobody
            named = n not in used and register_of(self.folding, i) is not None
            if named and n not in self.pruned.variables:
                sinks.add(n)
        return tuple(self.statement(i) for n, i in self.instructions.items() if n in sinks)

    def inside(self, source: str, target: str) -> bool:
        """Whether a value goes from one instruction to the other within one statement."""
        a, b = self.instructions[source], self.instructions[target]
        if a.loops != b.loops or source == target or not a.order or not a.order < b.order:
            return False
        if a.place != b.place:  # an argument, or what is returned: not a variable of one's own
            n = min(len(a.place), len(b.place))
            if a.place[:n] != b.place[:n] or register_of(self.folding, a) is not None:
                return False
        elif a.statement != b.statement:
            return False
        f = self.flow[source, target]
        return f.exact and _at_once(f)

    def statement(self, sink: Instruction) -> TracedStatement:
        loads: dict[str, Instruction] = {}
        registers: dict[str, Instruction] = {}
        operations: dict[str, Instruction] = {}
        computing, addressing = False, False
        waiting, seen = [sink.name], {sink.name}
        if sink.kind == "load":
            loads[sink.name], waiting = sink, []
        while waiting:
            target = waiting.pop(0)
            for source in self.producers.get(target, ()):
                i = self.instructions[source]
                if source in self.pruned.variables:
                    addresses = self.instructions[target].kind in ("load", "store")
                    computing, addressing = computing or not addresses, addressing or addresses
                elif i.kind == "store":
                    continue  # through memory: the load says where
                elif not self.inside(source, target):
                    registers[source] = i
                elif source not in seen:
                    seen.add(source)
                    (loads if i.kind == "load" else operations)[source] = i
                    waiting.append(source)
        # A store takes its address, and its value, from an induction variable: the latter only if
        # nothing else could be its value.
        inductive = computing or (addressing and not (loads or registers or operations))
        ordered = sorted(loads.values(), key=lambda i: i.order)
        if sink.kind not in ("store", "load"):
            operations = {sink.name: sink, **operations}
        found = register_of(self.folding, sink) or Register(f"v_{sink.name}", sink.place)
        register = None if sink.kind == "store" else found
        others = tuple(registers.values()), tuple(operations.values())
        return TracedStatement(sink, register, tuple(ordered), *others, inductive)


def _at_once(f: FlowDependence) -> bool:
    """Whether all pairs are of one iteration."""
    return f.relation.is_equal(at_depth(f.relation, f.common))
