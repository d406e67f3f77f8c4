"""A program run twice and described: its loops first, then its streams, folded as it runs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.folding.model import NAMED
from polynb.tracing.launching.words import EXIT, Broken, ended
from polynb.tracing.model import Folding
from polynb.tracing.programs.calls import imports, redirected, unfollowed
from polynb.tracing.programs.describing import Description
from polynb.tracing.programs.finding import require_fit, shape_of
from polynb.tracing.programs.protocol import (
    BlockGraph,
    RunHead,
    RunLimits,
    Streams,
    VariantWords,
    fold_plan,
    graph_plan,
)  # fmt: skip
from polynb.tracing.programs.running import RanProgram, RunCommand, run
from polynb.tracing.programs.symbols import own, symbols
from polynb.tracing.records import RunFacts

ALL: Final = tuple(NAMED)
Progress = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class TracedProgram:
    """A run of a whole program, folded with one or several variants at once."""

    description: Description
    variants: tuple[str, ...]
    facts: RunFacts
    head: RunHead
    seconds: tuple[float, float]  # of the first run, and of the second
    scalars: bool = False  # whether local variables were seen

    def folding(self, variant: str | None = None) -> Folding:
        """The model by one of its variants (by default the first)."""
        chosen = variant or self.variants[0]
        if chosen not in self.variants:
            raise PolynbError(f"this run was not folded with {chosen}", hint=str(self.variants))
        gives_up = [NAMED[v][1] for v in self.variants]
        which = self.variants.index(chosen)
        shared = gives_up.index(gives_up[which])
        return self.description.folding(chosen, which, shared, self.facts)

    @property
    def notes(self) -> list[str]:
        """What is to be known of the run besides its streams."""
        head, found = self.head, []
        if not self.facts.complete:
            found.append(f"it did not run to its end ({self.facts.ended}): a part is known")
        if head.unforeseen:
            found.append(
                f"{head.unforeseen} blocks came that the first run had not seen: the program does "
                "not run the same way twice"
            )
        if head.rejected:
            found.append(f"{head.rejected} entries were refused: their vectors were out of order")
        if head.lost:
            found.append(f"{head.lost} reads had more writers than are kept of one")
        if head.outside:
            found.append(f"{head.outside} accesses of shared libraries of the build are left out")
        return found


def trace(
    command: RunCommand,
    *,
    variants: Sequence[str] = ("F_GG,W",),
    limits: RunLimits | None = None,
    raw: bool = False,
    scalars: bool = False,
    progress: Progress = lambda message: None,
) -> TracedProgram:
    """Run a program that was built with the hooks (`building`), twice, and fold its streams.

    Two runs, because a loop is known only when it has iterated, and its first iteration is by then
    long told; buffering it would need all memory for an outermost loop. Both runs read the same
    input and see the same addresses. A program that does not run the same way twice is folded as
    far as vectors are in order, and `notes` says so. With `scalars`, for a program that was built
    with them, local variables are seen, too: their loads are integer instructions with their
    values, their stores moves.

    Raises PolynbError if it cannot be run, or leaves nothing.
    """
    try:
        return _traced(command, tuple(variants), limits or RunLimits(), raw, scalars, progress)
    except Broken:
        raise PolynbError(
            "what the traced program left does not fit together",
            reason="it has overwritten memory that is not its own",
            hint="a run under a debugger, or built with -fsanitize=address",
        ) from None


def _traced(
    command: RunCommand,
    variants: tuple[str, ...],
    limits: RunLimits,
    raw: bool,
    scalars: bool,
    progress: Progress,
) -> TracedProgram:
    table, called = symbols(command.program), imports(command.program)
    functions = [(s.start, s.end) for s in table.functions]
    with tempfile.TemporaryDirectory(prefix="polynb-trace-") as name:
        room = Path(name)
        progress(f"first run: the loops of {command}")
        first = run(command, graph_plan(limits, functions), limits, room)
        if not isinstance(first.results, BlockGraph):
            raise Broken
        shape = shape_of(first.results, table)
        progress(
            f"  {len(shape.loops)} loops in {len(shape.functions)} functions "
            f"({first.seconds:.1f} s, {first.results.head.ended}); second run: its streams"
        )
        words = [VariantWords(*NAMED[v]) for v in variants]
        found = (shape.loops, shape.blocks, shape.functions, words)
        plan = fold_plan(
            limits, functions, *found, raw=raw, scalars=scalars, redirected=redirected(called)
        )
        second = run(command, plan, limits, room)
    if not isinstance(second.results, Streams):
        raise Broken
    require_fit(second.results, shape)
    description = Description(second.results, shape, table, called, scalars)
    facts = _facts(command, second, description)
    facts = replace(facts, unseen=unfollowed(command.program, called) or _lost(second.results.head))
    progress(f"  {facts.events:,} entries, {second.seconds:.1f} s, {facts.ended}")
    head, seconds = second.results.head, (first.seconds, second.seconds)
    return TracedProgram(description, variants, facts, head, seconds, scalars)


def _lost(head: RunHead) -> str:
    """What of a run's dependences is not told, in words."""
    if head.lost:
        return f"{head.lost} reads had more writers than are kept of one"
    return f"{head.unforeseen} blocks were not foreseen" if head.unforeseen else ""


def _facts(command: RunCommand, ran: RanProgram, description: Description) -> RunFacts:
    head = ran.results.head
    place = own(description.places[head.fault])
    where = f" at {Path(place.file).name}:{place.line}" if head.fault else ""
    how = ended(head.ended, ran.code if head.ended == EXIT else head.detail, where)
    return RunFacts(head.entries, ran.seconds, how, ran.output, ran.errors, str(command))
