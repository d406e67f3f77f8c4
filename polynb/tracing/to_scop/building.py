"""A traced program as a Scop: what ran, at the sizes that it ran with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.affine_from_isl import expression
from polynb.scop.arrays import array_of, requirements
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import times
from polynb.source import tree as syntax
from polynb.source.types import (
    DOUBLE,
    FLOAT,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    ElementType,
)
from polynb.tracing.feedback.accumulating import variable_of
from polynb.tracing.feedback.doubts import RUN_DOUBT
from polynb.tracing.feedback.known import Pruned
from polynb.tracing.feedback.overapproximation import (
    FlowDependence,
    domain_of,
    domains,
    flow_dependence,
    unknown_calls,
)
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction
from polynb.tracing.to_scop.cells import TracedCells, refuse
from polynb.tracing.to_scop.checking import check_flow
from polynb.tracing.to_scop.order import schedule_of
from polynb.tracing.to_scop.parts import TracedStatement, statements_of, without_iterators
from polynb.tracing.to_scop.subscripts import Subscripts
from polynb.tracing.to_scop.texts import Reading, value_of
from polynb.tracing.to_scop.written import Register, span_of, statement_text, whole_text
from polynb.words import counted

INTEGERS = {1: INT8, 2: INT16, 4: INT32, 8: INT64}
UNSIGNED = {1: UINT8, 2: UINT16, 4: UINT32, 8: UINT64}


@dataclass(frozen=True, eq=False)
class TracedScop(Scop):
    """A Scop that was traced: `observed` is what it knows from one run only, and what the trace
    cannot know."""

    observed: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        many = counted(len(self.statements), "statement")
        return f"<Scop {self.name}: {many}, as one run showed them>"


@isl.bounded("a Scop of a trace")
def to_scop(folding: Folding) -> TracedScop:
    """What ran as a Scop without parameters, on which all of polynb's passes work.

    Statements are the stores, and the operations whose values others use (their registers are
    temporaries of the register's name). Addresses become cells of the variables and blocks they lie
    in. Expressions are the text's where that is C that a Scop can have, and otherwise functions
    that nothing is known of. Domains and extents are those of the run: what a Scop's transformation
    keeps is what this run computed, and `observed` says what other runs may do.

    Before it is returned, its flow dependences are compared with those that were seen. Raises
    PolynbError, naming the instruction, its line and the reason, for what has no affine addresses
    (with `streams=True`, that becomes an access to some cell of its block) or was given up, and
    where the model would have other dependences.
    """
    return _Building(folding).scop()


class _Building:
    def __init__(self, folding: Folding) -> None:
        self.folding = folding
        self.pruned: Pruned = without_iterators(folding)
        known = domains(folding)
        self.flow: Mapping[tuple[str, str], FlowDependence] = {
            pair: flow_dependence(folding, pair, f, known) for pair, f in self.pruned.kept.items()
        }
        self.traced = statements_of(folding, self.pruned, self.flow)
        self.subscripts = Subscripts(folding)

    def scop(self) -> TracedScop:
        if not self.traced:
            raise PolynbError("nothing was stored while this program was traced")
        for call in unknown_calls(self.folding):
            raise refuse(
                call,
                self.folding,
                "what it reads and writes is not known",
                "a part of the program without it, marked by `#pragma scop`",
            )
        self.check_domains()
        by_sink = {s.sink.name: s for s in self.traced}
        domains = {s.name: self.domain(s) for s in self.traced}
        tree = schedule_of(self.folding, by_sink, domains)
        when = times(tree, domains)
        statements = tuple(self.statement(s, domains[s.name], when[s.name]) for s in self.traced)
        statements = tuple(sorted(statements, key=lambda s: self.order(s.name)))
        context = isl.read_set("{ : }").params()
        used = dict.fromkeys(a.array for s in statements for a in s.accesses)
        arrays = {n: array_of(n, self.declaration(n), statements, context) for n in used}
        requires = requirements(statements, arrays, context)
        name = self.traced[0].sink.function or "traced"
        scop = TracedScop(
            name, (), context, requires, arrays, statements, tree, observed=self.observed()
        )
        check_flow(scop, self.traced, self.flow, self.folding)
        return scop

    def order(self, name: str) -> tuple[int, ...]:
        return next(s.sink.order for s in self.traced if s.name == name)

    def check_domains(self) -> None:
        for s in self.traced:
            folded = self.folding.executed[s.sink.name]
            if any(p.approximate for p in folded.pieces):
                raise PolynbError(
                    f"when {s.sink.text} ({s.sink.name}, line {s.sink.line}) ran was given up",
                    reason="its instances have too many pieces",
                    hint='variant="F_W" never gives up',
                )

    def domain(self, s: TracedStatement) -> isl.Set:
        found = domain_of(s.sink, self.folding.executed[s.sink.name])
        named: isl.Set = isl.rename(isl.coalesced(found), isl.SET, s.name)
        return named

    # -- accesses --------------------------------------------------------------------------------

    @cached_property
    def data(self) -> dict[str, tuple[Instruction, ...]]:
        """Of each statement (by sink) the loads that its value is made from, but not pointers
        that only other addresses are made from, which nothing stored to."""
        stored = {t for s, t in self.flow if self.folding.instructions[s].kind == "store"}
        feeds: dict[str, set[str]] = {}
        for source, target in self.folding.dependences:
            feeds.setdefault(source, set()).add(self.folding.instructions[target].kind)

        def is_data(s: TracedStatement, i: Instruction) -> bool:
            return i is s.sink or i.name in stored or feeds.get(i.name, {"x"}) != {"load"}

        return {s.sink.name: tuple(i for i in s.loads if is_data(s, i)) for s in self.traced}

    @cached_property
    def cells(self) -> TracedCells:
        touched = {s.sink.name: s.sink for s in self.traced if s.sink.kind in ("store", "load")}
        touched |= {i.name: i for found in self.data.values() for i in found}
        return TracedCells(self.folding, touched.values())

    def access(self, i: Instruction, domain: isl.Set, name: str) -> MemoryAccess:
        found = self.cells.access(i)
        relation = isl.rename(found.relation, isl.IN, name).intersect_domain(domain)
        must = found.must and domain.is_subset(relation.domain())
        iterators = isl.dim_names(domain, isl.SET)
        relation = isl.with_dim_names(relation, isl.IN, iterators)
        subscripts: tuple[syntax.Expr, ...]
        if must:
            functions = relation.as_pw_multi_aff()
            subscripts = tuple(
                expression(functions.get_at(k), iterators, domain)
                for k in range(relation.dim(isl.OUT))
            )
        else:
            own = tuple(syntax.Iterator(x) for x in iterators)
            subscripts = tuple(
                syntax.Call(f"some_{found.array}_{k}", own) for k in range(relation.dim(isl.OUT))
            )
        node = syntax.Access(found.array, subscripts, span=span_of(self.folding, i))
        return MemoryAccess(found.array, relation, node, must)

    def scalar(self, name: str, domain: isl.Set) -> MemoryAccess:
        target = isl.set_space((), name, ())
        relation = isl.Map.from_domain_and_range(domain, isl.Set.universe(target))
        relation = isl.with_dim_names(relation, isl.IN, isl.dim_names(domain, isl.SET))
        return MemoryAccess(name, relation, syntax.Access(name))

    # -- names -----------------------------------------------------------------------------------

    @cached_property
    def registers(self) -> dict[str, str]:
        """What a producer's register is called: as its variable is, and with a number where another
        calling context has one of that name."""
        taken = {a.name for a in self.cells.arrays.values()}
        names: dict[Register, str] = {}
        for s in self.traced:
            if s.register is not None and s.register not in names:
                stem = s.register.name.replace(".", "_")
                tried = (stem if k == 1 else f"{stem}_{k}" for k in count(1))
                names[s.register] = next(n for n in tried if n not in taken)
                taken.add(names[s.register])
        return {s.sink.name: names[s.register] for s in self.traced if s.register is not None}

    def constant(self, i: Instruction, name: str) -> str | None:
        """A variable that nothing traced gave a value: a number that the program was given."""
        written = {variable_of(x) for x in self.folding.instructions.values()}
        taken = {a.name for a in self.cells.arrays.values()} | {*self.registers.values()}
        if name in written or name in taken or len(i.place) > 1:
            return None
        self._constants.setdefault(name, i.function)
        return name if self._constants[name] == i.function else None

    @cached_property
    def _constants(self) -> dict[str, str]:
        return {}

    # -- statements ------------------------------------------------------------------------------

    def statement(self, s: TracedStatement, domain: isl.Set, when: isl.Map) -> Statement:
        i = s.sink
        own = TracedStatement(
            i, s.register, self.data[i.name], s.registers, s.operations, s.inductive
        )
        reading = Reading(
            own,
            self.subscripts.iterators(i),
            lambda x: self.access(x, domain, s.name),
            lambda name: self.scalar(name, domain),
            lambda name: self.constant(i, name),
            self.registers,
            lambda x: whole_text(self.folding, x),
            lambda x: statement_text(self.folding, x),
        )
        value, reads = value_of(reading)
        if s.register:
            write = self.scalar(self.registers[i.name], domain)
        else:
            write = self.access(i, domain, s.name)
        iterators = isl.dim_names(domain, isl.SET)
        span = span_of(self.folding, i)
        return Statement(s.name, iterators, domain, write, reads, value, when, s.name, span=span)

    # -- arrays ----------------------------------------------------------------------------------

    def declaration(self, name: str) -> syntax.Declaration:
        """The role (registers are temporaries) and the element type of an array."""
        temporary = name in self.registers.values()
        return syntax.Declaration(
            name, role="temp" if temporary else None, type=self.types.get(name, DOUBLE)
        )

    @cached_property
    def types(self) -> dict[str, ElementType]:
        """What its declaration, or what moves in and out of an array, says of its elements."""
        found: dict[str, ElementType] = {}
        floats = self._moving_floats()
        for i in self.cells.accesses:
            array = self.cells.arrays[id(self.cells.block_of[i.name])].name
            if i.element == "unsigned":
                found[array] = UNSIGNED.get(i.size, DOUBLE)
            elif i.element == "float" or (not i.element and i.name in floats):
                found[array] = FLOAT if i.size == 4 else DOUBLE
            elif array not in found:
                found[array] = INTEGERS.get(i.size, DOUBLE)
        for s in self.traced:
            if s.register and s.sink.kind == "integer":
                found[self.registers[s.sink.name]] = INTEGERS.get(s.sink.size, INT64)
        return found

    def _moving_floats(self) -> set[str]:
        """The accesses whose values a float operation makes or takes; or a load and a store that
        only copy, and nothing says that they are integers."""
        kinds = self.folding.instructions
        found, integers = set(), set()
        for source, target in self.folding.dependences:
            a, b = kinds[source], kinds[target]
            pair = [(a, b)] if b.kind == "store" else []
            pair += [(b, a)] if a.kind == "load" else []
            for computing, access in pair:
                if computing.kind in ("float", "move") and not computing.outputs:
                    found.add(access.name)
                elif computing.kind == "integer" and computing.name not in self.pruned.variables:
                    integers.add(access.name)
        return found | ({i.name for i in self.cells.accesses} - integers)

    def observed(self) -> tuple[str, ...]:
        run = self.folding.run
        found = [RUN_DOUBT, "sizes are those of the run; there are no parameters"]
        if not run.complete:
            found.append(f"the run did not end by itself ({run.ended})")
        return tuple(found)
