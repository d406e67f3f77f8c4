"""What the second run left -> the model of a traced program (`tracing/model.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from polynb.errors import Source
from polynb.folding import Folded, Stream
from polynb.tracing.model import Block, CallSite, Folding, Instruction, LoopOf, RunFacts
from polynb.tracing.programs import naming
from polynb.tracing.programs.decoding import folded
from polynb.tracing.programs.finding import Shape
from polynb.tracing.programs.leaving import only_counts
from polynb.tracing.programs.protocol import AccessStream, Streams, Words
from polynb.tracing.programs.registers import as_register
from polynb.tracing.programs.symbols import SYSTEM, CodePlace, CodeSymbols, own, places


@dataclass(frozen=True, eq=False)
class Description:
    """A run's streams with the names of its program."""

    streams: Streams
    shape: Shape
    symbols: CodeSymbols

    @cached_property
    def places(self) -> Mapping[int, Sequence[CodePlace]]:
        """Of every place in the code that the run left."""
        contexts = self.streams.contexts
        ats = {a.at for a in self.streams.accesses}
        ats |= {at for loop in self.shape.loops for at in (loop.header, *loop.exits)}
        ats |= {row[0] for row in self.streams.allocated} | {self.streams.head.fault}
        ats |= {c.site for c in contexts} | {c.function for c in contexts}
        return places(self.symbols, ats - {0}) | {0: ()}

    @cached_property
    def text_loops(self) -> tuple[LoopOf, ...]:
        return naming.loops_of(self.shape.loops, self.places)

    @cached_property
    def circles(self) -> Mapping[int, LoopOf]:
        """Of a circle of functions: the loop that it is, by its number."""
        taken, found = {loop.name for loop in self.text_loops}, {}
        for c in self.streams.contexts:
            if c.component >= 0 and c.component not in found:
                place = own(self.places[c.function])
                name = naming.unique(f"c{_short(place.function)}", taken)
                found[c.component] = LoopOf(
                    name, "", place.function, place.line, None, True, place.file
                )
        return found

    @cached_property
    def callbacks(self) -> Mapping[int, LoopOf]:
        """Of a context: the loop that calls from code which is not traced are, while it waits."""
        taken = {loop.name for loop in (*self.text_loops, *self.circles.values())}
        found: dict[int, LoopOf] = {}
        for c in self.streams.contexts:
            if c.external and c.caller not in found:
                place = own(self.places[c.function])
                name = naming.unique("ccalls", taken)
                found[c.caller] = LoopOf(name, "", place.function, place.line, file=place.file)
        return found

    def loops(self) -> tuple[LoopOf, ...]:
        """All loops: those of the text, outer before inner, then circles, then calls from code
        that is not traced. Of the latter two only those that something was seen in."""
        seen = {name for i in self.instructions for name in i.loops}
        rest = (*self.circles.values(), *self.callbacks.values())
        text = sorted(
            self.text_loops,
            key=lambda loop: (loop.file, loop.line, loop.parent is not None, loop.name),
        )
        return (*text, *(loop for loop in rest if loop.name in seen))

    def dimensions(self, context: int, loop: int) -> tuple[str, ...]:
        """The iterators of a place: those of its context, then those of its loops."""
        chain: list[str] = []
        while loop >= 0:
            chain.append(self.text_loops[loop].name)
            loop = self.shape.loops[loop].parent
        return (*self._before(context), *reversed(chain))

    def _before(self, number: int) -> tuple[str, ...]:
        c = self.streams.contexts[number]
        if c.caller < 0:
            return ()
        found = self.dimensions(c.caller, c.loop)
        if c.external:
            found = (*found, self.callbacks[c.caller].name)
        return (*found, self.circles[c.component].name) if c.component >= 0 else found

    def calls(self, number: int) -> tuple[CallSite, ...]:
        """The calls that led to a context, outermost first."""
        found = []
        while number >= 0:
            c = self.streams.contexts[number]
            if c.caller >= 0 and c.site:
                at, called = own(self.places[c.site]), own(self.places[c.function])
                found.append(CallSite(called.function, at.line, 0, at.file))
            number = c.caller
        return tuple(reversed(found))

    def place_of(self, access: AccessStream) -> CodePlace:
        """Where an access stands in the program's own text: itself, or the call that led to it
        where it is in a header of the system."""
        place, number = own(self.places[access.at]), access.context
        while SYSTEM.search(place.file) and number >= 0:
            c = self.streams.contexts[number]
            if c.site and not SYSTEM.search(own(self.places[c.site]).file):
                return own(self.places[c.site])
            number = c.caller
        return place

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """Of each stream of accesses, in their order (that of the first execution)."""
        numbers: dict[int, int] = {}
        times: dict[int, int] = {}
        statements: dict[tuple[str, int], int] = {}
        found = []
        for access in self.streams.accesses:
            k = numbers.setdefault(access.at, len(numbers) + 1)
            times[k] = times.get(k, 0) + 1
            place = self.place_of(access)
            found.append(
                Instruction(
                    f"I{k}" if times[k] == 1 else f"I{k}.{times[k]}",
                    "store" if access.write else "load",
                    place.line,
                    0,
                    naming.line_text(place),
                    self.dimensions(access.context, access.loop),
                    place.function,
                    self.calls(access.context),
                    ("address",),
                    access.size,
                    statements.setdefault((place.file, place.line), len(statements)),
                    place.file,
                )
            )
        return tuple(found)

    def folding(self, variant: str, which: int, shared: int, facts: RunFacts) -> Folding:
        """The model: each dependence as the `which`-th variant of the run folded it, each
        instruction as the `shared`-th (those that differ in widening alone share its fold)."""
        instructions = list(self.instructions)
        executed: dict[str, Folded] = {}
        for k, access in enumerate(self.streams.accesses):
            i = instructions[k]
            outputs = ("address", "value") if access.local and not access.write else i.outputs
            stream = Stream(i.name, "instruction", i.loops, outputs)
            made = folded(stream, access.folds[shared], access)
            if access.local:
                base = self.streams.contexts[access.context].base
                i, made = as_register(i, made, base)
                counts = i.kind == "move" and only_counts(naming.lines_of(i.file), i.line)
                instructions[k] = replace(i, counts=counts)
            executed[i.name] = made
        dependences = {}
        for d in self.streams.dependences:
            consumer, producer = instructions[d.consumer - 1], instructions[d.producer - 1]
            key = producer.name, consumer.name
            outputs = tuple(f"{name}'" for name in producer.loops)
            stream = Stream(" -> ".join(key), "dependence", consumer.loops, outputs)
            dependences[key] = folded(stream, d.folds[which], d)
        files = [i.file for i in instructions]
        sources = {f: Source(text, f) for f, text in naming.texts(dict.fromkeys(files)).items()}
        return Folding(
            {i.name: i for i in instructions}, executed, dependences, self.loops(),
            self._main(sources), facts, variant, self._blocks(), self._raw(), sources,
        )  # fmt: skip

    def _blocks(self) -> tuple[Block, ...]:
        """Variables, and what was allocated."""
        code = self.streams.head.code
        variables = [
            Block(v.name, 0, code + v.start, v.end - v.start) for v in self.symbols.variables
        ]
        heap = [
            Block("malloc", own(self.places[at]).line, address, size, element)
            for at, address, size, element in self.streams.allocated
        ]
        return (*variables, *heap)

    def _raw(self) -> dict[str | tuple[str, str], tuple[Words, Words]]:
        """The entries themselves, where the run kept them."""
        found: dict[str | tuple[str, str], tuple[Words, Words]] = {}
        names = [i.name for i in self.instructions]
        for name, access in zip(names, self.streams.accesses, strict=True):
            if len(access.raw):
                found[name] = access.raw[:, : access.dims], access.raw[:, access.dims :]
        for d in self.streams.dependences:
            dims = self.streams.accesses[d.consumer - 1].dims
            if len(d.raw):
                key = names[d.producer - 1], names[d.consumer - 1]
                found[key] = d.raw[:, :dims], d.raw[:, dims:]
        return found

    def _main(self, sources: Mapping[str, Source]) -> Source:
        mains = [
            c.function
            for c in self.streams.contexts
            if self.shape.functions.get(c.function, (0, 0))[1]
        ]
        file = own(self.places[mains[0]]).file if mains else ""
        return sources.get(file) or next(iter(sources.values()), Source("", "program"))


def _short(function: str) -> str:
    """`Grid::row(int)` -> `row`."""
    return function.partition("(")[0].rpartition("::")[2].split()[-1]
