"""What the second run left -> the model of a traced program (`tracing/model.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from polynb.errors import Source
from polynb.folding import Folded, Stream
from polynb.tracing.launching.words import folded
from polynb.tracing.library import ORDERED, STREAMS, library_call
from polynb.tracing.model import Folding
from polynb.tracing.programs import naming
from polynb.tracing.programs.calls import PREFIX, Import, not_followed
from polynb.tracing.programs.counting import counts
from polynb.tracing.programs.finding import Shape
from polynb.tracing.programs.flows import chosen, crossed, dependences, raw, taken
from polynb.tracing.programs.frames import in_frame
from polynb.tracing.programs.keeping import (
    made_anew,
    written_always,
)
from polynb.tracing.programs.narrowing import cuts
from polynb.tracing.programs.placing import by_counters, by_data
from polynb.tracing.programs.protocol import STATE, UNKNOWN, AccessStream, Streams
from polynb.tracing.programs.registers import as_register, with_outputs
from polynb.tracing.programs.symbols import (
    SYSTEM,
    CodePlace,
    CodeSymbols,
    columns,
    demangled,
    own,
    places,
)
from polynb.tracing.programs.texts import ProgramTexts
from polynb.tracing.programs.under import CallLevel, Under
from polynb.tracing.programs.unread import lent
from polynb.tracing.programs.unseen import SeenRun
from polynb.tracing.programs.untaken import written_at
from polynb.tracing.programs.ways import locals_of
from polynb.tracing.records import Block, CallSite, Instruction, LoopOf, RunFacts


@dataclass(frozen=True, eq=False)
class Description:
    """A run's streams with the names of its program."""

    streams: Streams
    shape: Shape
    symbols: CodeSymbols
    imports: tuple[Import, ...] = ()
    scalars: bool = False

    @cached_property
    def columns(self) -> Mapping[int, int]:
        """In the text, of all accesses where local variables are seen."""
        ats = {a.at for a in self.streams.accesses if self.scalars or (a.local and a.write)}
        return columns(self.symbols, ats) if ats else {}

    @cached_property
    def called(self) -> Sequence[str]:
        """The names of the functions that streams are of, by number; "" of none."""
        return ["", *demangled(i.name for i in self.imports)]

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
    def which(self) -> Mapping[str, int]:
        """Of each loop: the how manyth of its line it is, from the left."""
        found: dict[str, int] = {}
        lines: dict[tuple[str, int], int] = {}
        order = [naming.order(loop) for loop in self.shape.loops]
        for k in sorted(range(len(order)), key=lambda k: order[k]):
            loop = self.text_loops[k]
            found[loop.name] = lines.get((loop.file, loop.line), 0)
            lines[loop.file, loop.line] = found[loop.name] + 1
        return found

    @cached_property
    def circles(self) -> Mapping[int, LoopOf]:
        """Of a circle of functions: the loop that it is, by its number."""
        taken, found = {loop.name for loop in self.text_loops}, {}
        for c in self.streams.contexts:
            if c.component >= 0 and c.component not in found:
                place = own(self.places[c.function])
                name = naming.unique(f"c{naming.short(place.function)}", taken)
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
        for c in (self.streams.contexts[k] for k in self.chain(number)):
            if c.caller >= 0 and c.site:
                at, called = own(self.places[c.site]), own(self.places[c.function])
                found.append(CallSite(called.function, at.line, 0, at.file))
        return tuple(found)

    def place_of(self, access: AccessStream) -> CodePlace:
        """Where an access stands in the program's own text: itself, or the call that led to it
        where it is in a header of the system."""
        place = own(self.places[access.at])
        if not SYSTEM.search(place.file):
            return place
        sites = (self.streams.contexts[k].site for k in reversed(self.chain(access.context)))
        outer = (own(self.places[site]) for site in sites if site)
        return next((at for at in outer if not SYSTEM.search(at.file)), place)

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """Of each stream of accesses, in their order (that of the first execution)."""
        numbers: dict[tuple[int, ...], int] = {}
        times: dict[int, int] = {}
        statements: dict[tuple[str, int], int] = {}
        found = []
        for access in self.streams.accesses:
            k = numbers.setdefault(self.key_of(access), len(numbers) + 1)
            times[k] = times.get(k, 0) + 1
            place, column = self.place_of(access), self.columns.get(access.at, 0)
            unknown = access.role == UNKNOWN
            placed, counted = self.placed(access, place, column)
            found.append(
                Instruction(
                    f"I{k}" if times[k] == 1 else f"I{k}.{times[k]}",
                    "call" if unknown else "store" if access.write else "load",
                    place.line,
                    column,
                    self.called[access.called] if unknown else naming.line_text(place),
                    self.dimensions(access.context, access.loop),
                    place.function,
                    self.calls(access.context),
                    () if unknown else ("address",),
                    access.size,
                    statements.setdefault((place.file, place.line), len(statements)),
                    place.file,
                    state=self.state_of(access),
                    placed=placed,
                    under=self.under(access, place),
                    some=self.some(access, place),
                    counted=counted,
                    variable=written_at(naming.lines_of(place.file), place.line, column),
                    cut=access.write and cuts(naming.lines_of(place.file), place.line),
                )
            )
        return tuple(found)

    def key_of(self, access: AccessStream) -> tuple[int, ...]:
        """What tells an instruction from others: its place; each part of a call's is one."""
        return (access.at, access.called, access.part) if access.called else (access.at,)

    def placed(
        self, access: AccessStream, place: CodePlace, column: int
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The loops whose iterations may take from the data where a store goes, as the text says
        (of those around its function it says nothing), and those in which counters alone say it."""
        if not access.write or access.called:
            return (), ()
        lines, code = naming.lines_of(place.file), self.streams.head.code
        loops = self.dimensions(access.context, access.loop)
        around = loops[: self.streams.contexts[access.context].base]
        own = [(self.named[name], self.which[name]) for name in loops[len(around) :]]
        low, end = (at - code for at in access.reached)
        inside = {v.name for v in self.symbols.variables if v.start <= low and end <= v.end}
        placed = by_data(lines, place.line, own)
        counted = by_counters(lines, (place.line, column), own, inside) if column else ()
        return () if placed is None else (*around, *placed), counted

    def written(self, i: Instruction, access: AccessStream) -> Instruction:
        """What is written in a frame, with the loops whose iterations make it (those around the
        call, and of its function); a move with those of the latter that all write it, too."""
        c, at = self.streams.contexts[access.context], (i.line, i.column)
        lines = naming.lines_of(i.file)
        own = [(name, self.named[name].line, self.which[name]) for name in i.loops[c.base :]]
        body = self.texts.body(naming.short(i.function), lines)
        mine = body is not None and in_frame(lines, at, body.first, body.end, locals_of(body))
        made = (name for name, *where in own if made_anew(lines, at, *where))
        i = replace(i, fresh=(*(i.loops[: c.parent_depth] if mine else ()), *made))
        if i.kind == "store":
            return i
        always = tuple(name for name, *where in own if written_always(lines, at, *where))
        return replace(i, counts=counts(lines, i.line, i.column), always=always)

    def under(self, access: AccessStream, place: CodePlace) -> tuple[tuple[str, int], ...]:
        """The conditions on data under which an access ran, as the texts say."""
        if access.local and not access.write:
            return ()
        return tuple(sorted(set(self.asked(access, place).conditions())))

    def some(self, access: AccessStream, place: CodePlace) -> tuple[str, ...]:
        """The loops of which some iterations need not store it, as the texts say."""
        return self.asked(access, place).some() if access.write else ()

    def asked(self, access: AccessStream, place: CodePlace) -> Under:
        dimensions = self.dimensions(access.context, access.loop)
        contexts, chain = self.streams.contexts, self.chain(access.context)
        levels = []
        for number, inner in pairwise(chain):
            c, at = contexts[inner], own(self.places[contexts[inner].site])
            called = naming.short(own(self.places[c.function]).function)
            loops = range(contexts[number].base, c.parent_depth)
            levels.append(CallLevel(naming.lines_of(at.file), at.line, 0, called, loops))
        column = self.columns.get(access.at, 0)
        loops = range(contexts[access.context].base, len(dimensions))
        called = PREFIX.sub("", self.called[access.called]) if access.role == STATE else ""
        levels.append(CallLevel(naming.lines_of(place.file), place.line, column, called, loops))
        known = tuple(self.named[name] for name in dimensions)
        return Under(tuple(levels), known, self.which)

    def chain(self, number: int) -> list[int]:
        """The contexts that led to one, the outermost first, and itself."""
        found = [number]
        while (caller := self.streams.contexts[found[0]].caller) >= 0:
            found.insert(0, caller)
        return found

    @cached_property
    def entered(self) -> Mapping[str, Mapping[int, tuple[str, int]]]:
        """Of each loop: the contexts of the program's own functions that were entered in it, each
        with the function, and the line that called it (0: not known)."""
        found: dict[str, dict[int, tuple[str, int]]] = {name: {} for name in self.named}
        for number, c in enumerate(self.streams.contexts):
            place = own(self.places[c.function])
            line = own(self.places[c.site]).line if c.site else 0
            for name in self._before(number) if not SYSTEM.search(place.file) else ():
                found[name][number] = naming.short(place.function), line
        return found

    @cached_property
    def texts(self) -> ProgramTexts:
        """The program's own."""
        starts = places(self.symbols, (f.start + 1 for f in self.symbols.functions))
        files = {own(chain).file for chain in (*starts.values(), *self.places.values())}
        kept = naming.with_headers(f for f in sorted(files) if not SYSTEM.search(f))
        return ProgramTexts({f: lines for f in kept if (lines := naming.lines_of(f))})

    @cached_property
    def named(self) -> Mapping[str, LoopOf]:
        """All loops by name."""
        found = (*self.text_loops, *self.circles.values(), *self.callbacks.values())
        return {loop.name: loop for loop in found}

    def state_of(self, access: AccessStream) -> str:
        """What of the library's an access is of, in words."""
        if access.role != STATE:
            return ""
        name = PREFIX.sub("", self.called[access.called])
        call = library_call(name)
        if call is None or (state := call.state) is None:
            return "errno"
        ordered = state in (*ORDERED, *STREAMS) or "$" in state
        return f"the {'order' if ordered else 'state'} of {name}"

    def unfollowed(self) -> str:
        """What the run began that no trace follows, in words."""
        for access in self.streams.accesses:
            unknown = access.role == UNKNOWN
            if unknown and (what := not_followed(self.imports[access.called - 1].name)):
                line = self.place_of(access).line
                return f"{what} ({self.called[access.called]}, line {line}) cannot be followed"
        return ""

    def folding(self, variant: str, which: int, shared: int, facts: RunFacts) -> Folding:
        """The model: each dependence as the `which`-th variant of the run folded it, each
        instruction as the `shared`-th (those that differ in widening alone share its fold)."""
        instructions = list(self.instructions)
        executed: dict[str, Folded] = {}
        for k, access in enumerate(self.streams.accesses):
            i = instructions[k]
            outputs = ("address", "value") if access.local and not access.write else ("address",)
            stream = Stream(i.name, "instruction", i.loops, outputs)
            made = folded(stream, [chosen(access.folds, shared, stream)])
            if access.local:
                base = self.streams.contexts[access.context].base
                shared_with = access.called > 0 or k + 1 in self.lent
                i, made = as_register(i, made, base, access, shared=shared_with)
                if i.kind in ("move", "store"):
                    i = self.written(i, access)
                instructions[k] = i
            elif access.role == UNKNOWN:
                made = with_outputs(made, slice(0, 0), ())
            executed[i.name] = made
        files = [i.file for i in instructions]
        sources = {f: Source(text, f) for f, text in naming.texts(dict.fromkeys(files)).items()}
        seen = self.seen(instructions)
        loops = seen.told(self.loops())
        facts = replace(facts, unseen=self.unfollowed() or facts.unseen)
        both = [*zip(instructions, self.streams.accesses, strict=True)]
        return Folding(
            {i.name: i for i in instructions}, executed,
            dependences(self.streams, instructions, which), loops,
            self._main(sources), facts, variant, self._blocks(),
            raw(self.streams, [i.name for i in self.instructions]), sources,
            taken=taken(self.streams, instructions),
            crossed=crossed(self.streams, instructions),
            reached={i.name: a.reached for i, a in both},
            met={i.name: a.over for i, a in both},
            unread=tuple(dict.fromkeys(seen.unread())), lent=lent(self.texts.texts),
        )  # fmt: skip

    def seen(self, instructions: Sequence[Instruction]) -> SeenRun:
        both = tuple(zip(instructions, self.streams.accesses, strict=True))
        program = self.symbols.variables, self.columns, self.texts
        return SeenRun(both, self.which, self.entered, *program, self.scalars)

    @cached_property
    def lent(self) -> Set[int]:
        """The numbers of accesses to local variables that other functions access, too."""
        local = {k: a for k, a in enumerate(self.streams.accesses, 1) if a.local}
        pairs = [(d.producer, d.consumer) for d in self.streams.dependences]
        met = {k for pair in pairs for k in pair if (pair[0] in local) != (pair[1] in local)}
        cells = {self._cell(k) for k in met if k in local}
        return {k for k in local if self._cell(k) in cells}

    def _cell(self, k: int) -> tuple[int, int]:
        """Of an access to a local variable: its context, and its first address."""
        access = self.streams.accesses[k - 1]
        pieces = next((f.pieces for f in access.folds if f is not None), [])
        return access.context, pieces[0].at_anchor if pieces else 0

    def _blocks(self) -> tuple[Block, ...]:
        """Variables, and what was allocated."""
        code = self.streams.head.code
        variables = [
            Block(v.name, 0, code + v.start, v.end - v.start) for v in self.symbols.variables
        ]
        heap = [
            Block("malloc", own(self.places[at]).line, address, size, element, True)
            for at, address, size, element in self.streams.allocated
        ]
        return (*variables, *heap)

    def _main(self, sources: Mapping[str, Source]) -> Source:
        mains = [
            c.function
            for c in self.streams.contexts
            if self.shape.functions.get(c.function, (0, 0))[1]
        ]
        file = own(self.places[mains[0]]).file if mains else ""
        return sources.get(file) or next(iter(sources.values()), Source("", "program"))
