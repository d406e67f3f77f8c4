"""What the runtime told -> a Folding: numbers get the names of instructions, loops and places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from polynb.errors import Source
from polynb.folding import Folded, Stream, variant_of
from polynb.folding.streams import with_entries
from polynb.tracing.instrument.parts import SourceLoop, StaticInstruction, TracedText
from polynb.tracing.instrument.text import Instrumented
from polynb.tracing.launching.decoding import Sink, Told
from polynb.tracing.launching.words import Words, ended, folded
from polynb.tracing.model import Folding, Pair
from polynb.tracing.programs.leaving import counted_by
from polynb.tracing.programs.remaining import LoopPlace, remaining
from polynb.tracing.programs.unread import lent, named, owned
from polynb.tracing.records import Block, CallSite, Instruction, LoopOf, RunFacts, Taken
from polynb.tracing.skipping import Ways

OUTSIDE: Final = "it is outside of what was recorded; a run that records it would tell"


class Builder:
    """Gives names to what the runtime numbered."""

    def __init__(self, made: Instrumented, told: Told) -> None:
        self.program, self.told = made.program, told
        self.names = _static_names(made.program.instructions)
        self.places: dict[int, tuple[CallSite, ...]] = {0: ()}
        self.prefix: dict[int, tuple[str, ...]] = {0: ()}
        self.orders: dict[int, tuple[int, ...]] = {0: ()}
        self._inside = {0: ()}
        for number in sorted(told.contexts):
            self._context(number)

    def _context(self, number: int) -> None:
        row = self.told.contexts[number]
        place, prefix = self.places[row.parent], self.prefix[row.parent]
        functions = [f for f, c in self.program.components.items() if c == row.component]
        order = self.orders[row.parent]
        if row.site:
            call = self.program.calls[row.site - 1]
            order = (*order, call.order)
            prefix = (*prefix, *(x.name for x in call.loops))
            callee = call.callee or functions[0]
            place = (*place, CallSite(callee, call.span.line, call.span.column))
        elif row.parent:
            place = (*place, CallSite(functions[0], 0, 0))
        if row.recursive:
            own = [x.name for x in self.program.loops if x.recursion and x.function in functions]
            prefix = (*prefix, own[0])
        self.places[number], self.prefix[number] = place, prefix
        self.orders[number] = order

    def instructions(self) -> dict[int, Instruction]:
        """The executed instructions by the runtime's ids, named: `I3` in the first context that
        ran it, `I3.2` in the second."""
        seen: dict[int, int] = {}
        found, asked = {}, dict[tuple[int, int], str]()
        for identifier, (context, number, most, _) in sorted(self.told.streams.items()):
            seen[number] = seen.get(number, 0) + 1
            suffix = f".{seen[number]}" if seen[number] > 1 else ""
            found[identifier] = self.instruction(context, number, suffix, most)
            asked[context, number] = found[identifier].name
        for identifier, (context, number, _, _) in self.told.streams.items():
            under = self._under(context, self.program.instructions[number].under)
            names = tuple((asked[at], depth) for at, depth in sorted(under) if at in asked)
            found[identifier] = replace(found[identifier], under=names)
        for producer, consumer, slot, _ in self.told.dependences:
            i, static = found[consumer], self.program.instructions[self.told.streams[consumer][1]]
            if slot < static.placed:
                placed = dict.fromkeys((*i.placed, found[producer].name))
                found[consumer] = replace(i, placed=tuple(placed))
        return found

    def instruction(
        self, context: int, number: int, suffix: str = "", most: int = 0
    ) -> Instruction:
        static = self.program.instructions[number]
        return Instruction(
            self.names[number] + suffix,
            static.kind,
            static.span.line,
            static.span.column,
            static.text,
            (*self.prefix[context], *(x.name for x in static.loops)),
            static.function,
            self.places[context],
            static.outputs,
            most or static.size,
            static.statement,
            state=static.state,
            element=static.element,
            cut=static.cut,
            gives=static.gives,
            order=(*self.orders[context], static.order),
            leaves=self._leaves(context, static),
        )

    def ways(self, by_id: Mapping[int, Instruction]) -> Ways:
        """What finds what loops that ran would do on ways that this run did not take."""
        ran = {(c, n): by_id[k] for k, (c, n, _, _) in self.told.streams.items()}
        rows = self.told.contexts.items()
        entered = {(row.parent, row.site, row.component): number for number, row in rows}
        names = {at: i.name for at, i in ran.items()}

        def under(context: int, own: frozenset[tuple[int, int]]) -> frozenset[tuple[str, int]]:
            found = self._under(context, own)
            return frozenset((names[at], depth) for at, depth in found if at in names)

        return Ways(self.program, ran, entered, self.prefix, self.places, self.instruction, under)

    def _under(
        self, context: int, own: frozenset[tuple[int, int]]
    ) -> set[tuple[tuple[int, int], int]]:
        """The conditions around, by their contexts, also those of the calls that led here."""
        outer = len(self.prefix[context])
        found = {((context, n), outer + depth) for n, depth in own}
        row = self.told.contexts.get(context)
        if row is not None and row.site:
            found |= self._under(row.parent, self.program.calls[row.site - 1].under)
        return found

    def _leaves(self, context: int, static: StaticInstruction) -> tuple[str, ...]:
        """The loops whose further iterations a condition decides on: also those of the recursion
        around it, and, where the program may end, all of them."""
        own = [x.name for k, x in enumerate(static.loops) if k in static.leaves]
        outer = self.prefix[context]
        if static.ends:
            return (*outer, *own)
        row = self.told.contexts.get(context)
        if static.kind == "condition" and row is not None and row.recursive:
            return (outer[-1], *own)
        return tuple(own)

    def blocks(self) -> tuple[Block, ...]:
        names = self.program.blocks
        return tuple(
            Block(names[n][0], names[n][1], at, size, *names[n][2:])
            for n, at, size in self.told.blocks
        )

    def ended(self) -> str:
        """How the run came to its end, in words."""
        told, static = self.told, self.program.instructions
        line = static[told.last].span.line if 0 <= told.last < len(static) else 0
        return ended(told.how, told.detail, f" at line {line}" if line else "")


def build(
    made: Instrumented,
    told: Told,
    source: Source,
    facts: Mapping[str, str],
    variant: str,
) -> Folding:
    """The Folding of a run; `facts` are its output, errors and command."""
    builder = Builder(made, told)
    by_id = builder.instructions()
    ordered = sorted(by_id, key=lambda k: _order(by_id[k].name))
    streams: dict[str | tuple[str, str], tuple[Words, Words]] = {}
    executed, tested = {}, {}
    for k in ordered:
        instruction, sink = by_id[k], told.streams[k][3]
        name = instruction.name
        stream = Stream(name, "instruction", instruction.loops, instruction.outputs)
        if instruction.kind == "condition":
            tested[name] = _folded(stream, [sink], variant)
            continue
        executed[name] = _folded(stream, [sink], variant)
        streams[name] = sink.points, sink.labels
    dependences, control, rows = _flows(told, by_id, variant)
    streams = {**streams, **rows}
    asked = sum(f.entries for f in (*tested.values(), *control.values()))
    events = told.events - asked
    ways = builder.ways(by_id)
    lines = tuple(source.text.split("\n"))
    lends = lent([lines])
    return Folding(
        {by_id[k].name: by_id[k] for k in ordered if by_id[k].name in executed},
        executed,
        dependences,
        _loops(made.program, source),
        source,
        RunFacts(events, told.nanoseconds / 1e9, builder.ended(), **facts),
        variant,
        builder.blocks(),
        streams if any(len(p) for p, _ in streams.values()) else {},
        conditions={by_id[k].name: by_id[k] for k in ordered if by_id[k].name in tested},
        tested=tested,
        control=control,
        skipped=ways.not_taken(),
        unsure=ways.unsure(),
        operands=_operands(told, by_id),
        taken=_taken(told, by_id),
        crossed={(by_id[a].name, by_id[b].name): q for (a, b), q in told.crossed.items()},
        reached={by_id[k].name: (low, high) for k, (low, high, _) in told.reached.items() if high},
        met={by_id[k].name: over for k, (_, _, over) in told.reached.items() if over},
        unread=tuple(dict.fromkeys(ways.unread(owned(lines), lends, named([lines])))),
        lent=lends,
    )


Flows = dict[Pair, Folded]


def _flows(
    told: Told, by_id: Mapping[int, Instruction], variant: str
) -> tuple[Flows, Flows, Mapping[str | Pair, tuple[Words, Words]]]:
    """The dependences between instructions, those of conditions, and the raw entries of the
    first."""
    parts: dict[tuple[int, int], list[Sink]] = {}
    for producer, consumer, _, sink in sorted(told.dependences, key=lambda d: d[2]):
        parts.setdefault((producer, consumer), []).append(sink)
    dependences, control, rows = Flows(), Flows(), dict[str | Pair, tuple[Words, Words]]()
    for key in sorted(parts, key=lambda k: (_order(by_id[k[0]].name), _order(by_id[k[1]].name))):
        first, second = by_id[key[0]], by_id[key[1]]
        pair = first.name, second.name
        outputs = tuple(f"{x}'" for x in first.loops)
        stream = Stream(" -> ".join(pair), "dependence", second.loops, outputs)
        if second.kind == "condition":
            control[pair] = _folded(stream, parts[key], variant)
            continue
        dependences[pair] = _folded(stream, parts[key], variant)
        rows[pair] = _joined(parts[key])
    return dependences, control, rows


def _operands(told: Told, by_id: Mapping[int, Instruction]) -> dict[Pair, frozenset[int]]:
    """The numbers of the operands that a producer gives a consumer."""
    found: dict[Pair, frozenset[int]] = {}
    for producer, consumer, slot, _ in told.dependences:
        pair = by_id[producer].name, by_id[consumer].name
        found[pair] = found.get(pair, frozenset()) | {slot}
    return found


def _taken(told: Told, by_id: Mapping[int, Instruction]) -> dict[Pair, Taken]:
    """What was read of what stores left in memory."""
    return {
        (by_id[a].name, by_id[b].name): Taken(by_id[b].line, *left)
        for (a, b), left in told.over.items()
        if by_id[a].kind == "store"
    }


def _folded(stream: Stream, sinks: list[Sink], variant: str) -> Folded:
    found = folded(stream, [sink.fold for sink in sinks])
    if len(sinks) > 1:
        return found
    chosen = variant_of(variant, len(stream.dimensions))
    return with_entries(found, sinks[0].points, sinks[0].labels, chosen)


def _joined(sinks: list[Sink]) -> tuple[Words, Words]:
    """The entries of several streams of one pair, in order."""
    points = np.concatenate([s.points for s in sinks])
    labels = np.concatenate([s.labels for s in sinks])
    if len(sinks) > 1 and points.shape[1]:
        order = np.lexsort(points.T[::-1])
        points, labels = points[order], labels[order]
    return points, labels


def _static_names(instructions: list[StaticInstruction]) -> dict[int, str]:
    """I1, I2, ... in the order of the text's execution; M1, ... moves, C1, ... conditions."""
    names, computed, moved, asked = {}, 0, 0, 0
    for i in instructions:
        if not i.recorded:
            continue
        if i.kind == "move":
            moved += 1
            names[i.number] = f"M{moved}"
        elif i.kind == "condition":
            asked += 1
            names[i.number] = f"C{asked}"
        else:
            computed += 1
            names[i.number] = f"I{computed}"
    return names


def _order(name: str) -> tuple[int, int, int]:
    stem, _, context = name.partition(".")
    return "IMC".index(stem[0]), int(stem[1:]), int(context or 1)


def _loops(program: TracedText, source: Source) -> tuple[LoopOf, ...]:
    known, again = _seen(program)
    lines, found = tuple(source.text.split("\n")), list[LoopOf]()
    places = _places(program)
    names = {at: name for name, at in places.items()}
    for x in program.loops:
        seen = program.components[x.function] not in again if x.recursion else x.name in known
        loop = _loop(x, "" if seen else OUTSIDE)
        if not x.recursion:
            at = places[x.name]
            counted = counted_by(lines, *at)
            loop = replace(loop, remains=remaining(lines, at, names), counted=counted)
        found.append(loop)
    return tuple(found)


def _seen(program: TracedText) -> tuple[set[str], set[int]]:
    """The loops of which all is recorded but that they count: what else they do, their iterations
    may hand on where no event says so. And the groups of functions of which only a part is."""
    placed = (*program.instructions, *program.calls)
    every = {x.name for i in placed if i.recorded for x in i.loops}
    every -= {x.name for c in program.calls if not c.recorded for x in c.loops}
    for i in program.instructions:
        since, before = program.counting.get(i.number, len(i.loops)), {q for _, q in i.unsure}
        for q, x in enumerate(i.loops if not i.recorded else ()):
            if q < since or q in before:
                every.discard(x.name)
    whole, part = ({program.components[i.function] for i in placed if i.recorded is r}
                   for r in (True, False))  # fmt: skip
    return every, whole & part


def _places(program: TracedText) -> dict[str, LoopPlace]:
    """Where the loops of a text stand, by name."""
    heads, found = dict[int, int](), dict[str, LoopPlace]()
    for x in program.loops:
        if not x.recursion:
            heads[x.line] = heads.get(x.line, -1) + 1
            found[x.name] = x.line, heads[x.line]
    return found


def _loop(x: SourceLoop, unseen: str) -> LoopOf:
    return LoopOf(x.name, x.iterator, x.function, x.line, x.parent, x.recursion, unseen=unseen)
