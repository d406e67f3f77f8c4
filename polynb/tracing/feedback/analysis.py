"""`pn.feedback`: a folded program -> which of its loops are parallel, permutable, tilable, and what
would make it faster (TACO'19, sections 2.2, 4.3 and 6)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeVar

from polynb import isl
from polynb.arguments import instance
from polynb.tracing.feedback.accumulating import variable_of
from polynb.tracing.feedback.bands import (
    CarriedDependence,
    NewSchedule,
    carried_by,
    permutable_bands,
)
from polynb.tracing.feedback.chance import called_once, met_by_chance
from polynb.tracing.feedback.control import begun_anywhere, endings, with_conditions
from polynb.tracing.feedback.doubts import doubts, doubts_of, untold
from polynb.tracing.feedback.induction import pruned
from polynb.tracing.feedback.known import Pruned
from polynb.tracing.feedback.loops import LoopKey, LoopNode, loop_tree
from polynb.tracing.feedback.overapproximation import (
    FlowDependence,
    among,
    among_calls,
    domains,
    flow_dependences,
    with_calls,
)
from polynb.tracing.feedback.overwriting import left_by, shares
from polynb.tracing.feedback.reductions import gathered, gathered_by_line
from polynb.tracing.feedback.reports import Feedback, LineReport, LoopReport, NestReport
from polynb.tracing.feedback.reuse import (
    Accessed,
    accessed,
    expanded_for,
    register_flow,
    reused_in,
    turned_round,
)
from polynb.tracing.feedback.searching import searched_bands
from polynb.tracing.feedback.skipped import not_taken, not_written
from polynb.tracing.feedback.strides import AccessStrides, access_strides, iterated
from polynb.tracing.feedback.suggestions import NestFacts, suggestions
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction


@isl.bounded("the feedback on a program")
def feedback(folding: Folding) -> Feedback:
    """What a traced run tells of its loops: which carry no flow dependence, which may be
    interchanged and tiled, how accesses walk through memory, and what may pay.

    What decides whether something runs counts like what it computes with; a loop that ends by what
    its iterations find is not parallel. Dependences of induction variables are left out, those with
    ⊤ coefficients over-approximated (by the order of execution), so a loop that is called parallel
    was parallel in this run. Other inputs may behave differently, as no run shows what another
    does.

    The loops with the most operations come first, each with all that is inside; what takes more
    than its time is left out, and `untold` has it. Raises BudgetExhausted.
    """
    instance("folding", folding, Folding, "pn.trace(text)")
    return _whole(folding)


T = TypeVar("T")
EACH: Final = 30.0
"""Seconds for an outermost loop with all that is inside."""
ALL: Final = 90.0
"""Seconds for all of them."""


def _whole(folding: Folding) -> Feedback:
    kept = pruned(folding)
    roots = loop_tree(with_conditions(folding))
    heaviest = {
        root.key: sum(
            f.entries for i in root.inside if (f := folding.executed.get(i.name)) is not None
        )
        for root in roots
    }
    told: dict[LoopKey, _Told] = {}
    end = time.monotonic() + ALL
    for root in sorted(roots, key=lambda r: -heaviest[r.key]):
        analysis = _Analysis(folding, root, kept)
        seconds = min(EACH, end - time.monotonic())
        with suppress(isl.BudgetExhausted):
            if seconds > 0:
                with isl.budget(seconds=seconds, doing="the feedback on a loop"):
                    told[root.key] = analysis.told()
    done = [told[root.key] for root in roots if root.key in told]
    reports = {key: r for t in done for key, r in t.reports.items()}
    nests = [n for t in done for n in t.nests]
    nests.sort(key=lambda n: (-n.operations, n.line))
    operations = sum(f.entries for f in folding.executed.values())
    more = untold(folding, [root for root in roots if root.key not in told])
    return Feedback(
        tuple(nests),
        tuple(reports[root.key] for root in roots if root.key in told),
        lines(folding, (*reports.values(), *more)),
        tuple(kept.variables.values()),
        kept.removed,
        doubts(folding),
        operations,
        {"": folding.source, **folding.sources},
        more,
    )


@dataclass(frozen=True, eq=False)
class _Told:
    """What was found of an outermost loop."""

    reports: Mapping[LoopKey, LoopReport]
    nests: Sequence[NestReport]


@dataclass(frozen=True, eq=False)
class _Analysis:
    """An outermost loop: what is needed several times, computed once. No dependence that begins or
    ends elsewhere is carried by a loop in it."""

    program: Folding
    root: LoopNode
    pruned: Pruned

    @cached_property
    def folding(self) -> Folding:
        names, program = {i.name for i in self.root.inside}, self.program
        return replace(
            program,
            instructions=_of(program.instructions, names),
            executed=_of(program.executed, names),
            dependences=_among(program.dependences, names),
            conditions=_of(program.conditions, names),
            tested=_of(program.tested, names),
            control=_among(program.control, names),
        )

    @cached_property
    def whole(self) -> Folding:
        return with_conditions(self.folding)

    @cached_property
    def endings(self) -> Mapping[LoopKey, Instruction]:
        return endings(self.folding, self.pruned)

    @cached_property
    def domains(self) -> Mapping[str, isl.Set]:
        return domains(self.whole)

    @cached_property
    def flow(self) -> tuple[FlowDependence, ...]:
        kept = _among(self.pruned.kept, self.folding.instructions.keys())
        return flow_dependences(self.folding, kept, self.domains)

    @cached_property
    def control(self) -> tuple[FlowDependence, ...]:
        """What flows into conditions, but from induction variables."""
        known, chosen = self.pruned.variables, self.pruned.chosen
        control = self.folding.control
        kept = {p: f for p, f in control.items() if p[0] not in known or p in chosen}
        return flow_dependences(self.whole, kept, self.domains)

    @cached_property
    def calls(self) -> tuple[FlowDependence, ...]:
        """What has to be assumed of calls of which nothing is known, around which loops are."""
        return among_calls(self.folding, self.domains)

    @cached_property
    def assumed(self) -> tuple[FlowDependence, ...]:
        """The same for other orders: with all that such a call may touch."""
        return with_calls(self.folding, self.domains)

    @cached_property
    def strides(self) -> Mapping[str, AccessStrides]:
        return access_strides(self.folding)

    @cached_property
    def accessed(self) -> Mapping[str, Accessed]:
        return accessed(self.folding)

    @cached_property
    def registers(self) -> Sequence[tuple[str, FlowDependence]]:
        return list(register_flow(self.folding, self.flow))

    def told(self) -> _Told:
        reports = {node.key: r for node, r in self.loops(self.root)}
        return _Told(reports, self.nests(self.root, reports))

    def executed(self, names: Iterable[str]) -> int:
        """How often these instructions ran: conditions do not count."""
        return sum(f.entries for n in names if (f := self.folding.executed.get(n)) is not None)

    # -- loops -------------------------------------------------------------------------------

    def loops(self, root: LoopNode) -> list[tuple[LoopNode, LoopReport]]:
        """The report on a loop, and on all that are inside."""
        below = [pair for child in root.children for pair in self.loops(child)]
        children = tuple(r for node, r in below if node.depth == root.depth + 1)
        inside = {i.name for i in root.inside}
        flow = among((*self.flow, *self.control, *self.calls), inside)
        report = LoopReport(
            root.name,
            root.loop,
            root.depth,
            self.executed(inside),
            self.executed(i.name for i in root.instructions),
            any(
                iterated(root.loop, i, self.folding.executed[i.name], root.depth)
                for i in root.inside
                if i.kind != "condition"
            ),
            carried_by(root, flow),
            reused_in(root, self.accessed),
            self.rewritten(root, inside),
            children,
            self.leaving(root.key),
            self.unseen(root),
        )
        if report.carried and not report.unknown:
            gathered = self.gathered(root, report.carried, flow)
            if gathered and not self.chance(root, gathered):
                report = replace(report, gathered=gathered)
            report = replace(report, wrapped=self.wrapped(root, report.carried))
        if report.parallel and report.iterates:
            left = left_by(self.program, root, self.pruned, report.reused)
            chance = self.chance(root) or left.chance
            report = replace(report, chance=chance, lost=left.lost, last=left.last)
        if report.grade == "parallel":
            report = replace(report, doubts=doubts_of(inside, self.accessed))
        return [(root, report), *below]

    def chance(self, root: LoopNode, gathered: Sequence[str] = ()) -> str:
        """Why it may carry something else than is `gathered` with other data, in words."""
        found = called_once(root) or met_by_chance(self.folding, root, self.pruned, gathered)
        ways = (not_taken, not_written)
        more = (look(self.folding, root, self.pruned) for look in ways)
        return found or next(filter(None, more), "")

    def gathered(
        self, root: LoopNode, carried: Sequence[CarriedDependence], flow: Sequence[FlowDependence]
    ) -> tuple[str, ...]:
        if self.folding.sources:
            return gathered_by_line(root, carried, flow, self.folding)
        return gathered(root, carried, flow, self.folding.source.text.split("\n"))

    def wrapped(self, root: LoopNode, carried: Sequence[CarriedDependence]) -> tuple[str, ...]:
        """The variables without whose first values it would carry nothing."""
        if not all(self.pruned.wrapped.get((c.source, c.target)) for c in carried):
            return ()
        if root.loop.unsure or self.leaving(root.key) or self.chance(root):
            return ()
        sources = (self.folding.instructions[c.source] for c in carried)
        return tuple(dict.fromkeys(variable_of(i) or i.text for i in sources))

    def unseen(self, root: LoopNode) -> str:
        """What of a loop was not seen, in words: it may carry anything."""
        if root.loop.unseen or self.folding.run.unseen:
            return root.loop.unseen or self.folding.run.unseen
        names = {i.name for i in root.inside}
        streams = (*_of(self.folding.executed, names).values(),
                   *_among(self.folding.dependences, names).values())  # fmt: skip
        lost = sum(f.rejected for f in streams)
        return f"{lost} entries of it came out of order, and were left out" if lost else ""

    def leaving(self, loop: LoopKey) -> str:
        """The condition by which a loop ends, in words."""
        c = self.endings.get(loop)
        return f"{c.text} (line {c.line})" if c is not None else ""

    def rewritten(self, root: LoopNode, inside: set[str]) -> tuple[str, ...]:
        """The variables in registers that are used in a loop, or written without being made in it,
        where that is known."""
        sources = [f.source for _, f in self.registers if {f.source, f.target} <= inside]
        if self.folding.sources:
            sources += (i.name for i in root.inside if shares(root, i))
        names = (variable_of(self.folding.instructions[s]) for s in sources)
        return tuple(dict.fromkeys(n for n in names if n is not None))

    # -- nests -------------------------------------------------------------------------------

    def nests(self, root: LoopNode, reports: Mapping[LoopKey, LoopReport]) -> list[NestReport]:
        inside = {i.name for i in root.inside}
        flow = among((*self.flow, *self.control, *self.assumed), inside)
        unknown = (n.key for n in root.walk() if n.loop.unsure or self.unseen(n))
        ends = {*self.endings, *unknown, *begun_anywhere(self.folding, self.pruned)}
        bands = {path: permutable_bands(path, flow, ends) for path in root.paths()}
        whole = all(found == ((0, len(path) - 1),) for path, found in bands.items())
        ends_of = {name for f in flow for name in (f.source, f.target)}
        ordered = [n for n in inside if n not in self.pruned.variables or n in ends_of]
        searched: tuple[NewSchedule, ...] = ()
        if not whole and ordered and not any(node.key in ends for node in root.walk()):
            searched = searched_bands(self.whole, sorted(ordered), self.domains, flow)
        found, counted = [], set[str]()
        for path in bands:
            mine = {i.name for node in path for i in node.instructions} - counted
            counted |= mine
            loops = tuple(reports[n.key] for n in path)
            found.append(self.nest(path, loops, self.executed(mine), bands[path], searched))
        return found

    def nest(
        self,
        path: tuple[LoopNode, ...],
        loops: tuple[LoopReport, ...],
        operations: int,
        bands: tuple[tuple[int, int], ...],
        searched: Iterable[NewSchedule],
    ) -> NestReport:
        inner = [i.name for i in path[-1].instructions]
        mine = [s for s in searched if s.instructions & set(inner)]
        best = max(mine, key=lambda s: (s.width, s.coincident), default=None)
        accesses = tuple(self.strides[n] for n in inner if n in self.strides)
        expanded = tuple(expanded_for(node, path, self.registers) for node in path)
        widest = max(bands, key=lambda b: (b[1] - b[0], -b[0]))
        width = best.width if best is not None else 0
        turned = turned_round(path[widest[0] : widest[1] + 1], self.accessed)
        facts = NestFacts(path, loops, accesses, expanded, widest, width, turned)
        return NestReport(loops, operations, bands, best, accesses, suggestions(facts))


def _of(found: Mapping[str, T], names: Set[str]) -> dict[str, T]:
    return {k: x for k, x in found.items() if k in names}


def _among(found: Mapping[tuple[str, str], T], names: Set[str]) -> dict[tuple[str, str], T]:
    return {k: x for k, x in found.items() if names >= {*k}}


WORST: Final = ("parallel", "not known", "not parallel")
"""What is said of a line whose loop has several contexts: the last of these."""


def lines(folding: Folding, reports: Iterable[LoopReport]) -> tuple[LineReport, ...]:
    """The same by the lines of the text."""
    strides_of = access_strides(folding)
    heads: dict[tuple[str, int], LoopReport] = {}
    for r in sorted(reports, key=lambda r: (WORST.index(r.grade), r.operations)):
        heads[r.loop.file, r.loop.line] = r
    executed, strides = dict.fromkeys(heads, 0), dict[tuple[str, int], dict[str, None]]()
    for name, i in folding.instructions.items():
        at = i.file, i.line
        executed[at] = executed.get(at, 0) + folding.executed[name].entries
        if name in strides_of and i.loops:
            strides.setdefault(at, {})[strides_of[name].text()] = None
    return tuple(
        LineReport(
            *at, executed[at], heads[at].verdict if at in heads else "", tuple(strides.get(at, ()))
        )
        for at in sorted(executed)
    )
