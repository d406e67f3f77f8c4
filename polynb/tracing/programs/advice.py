"""What the heaviest loops of a traced program may do: feedback on each outermost one alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.tracing.feedback import feedback
from polynb.tracing.model import Folding
from polynb.tracing.programs.nests import Nest, short

VERDICTS: Final = 8
"""Of loops within an outermost one that are told."""


def inside(folding: Folding, outermost: str) -> Folding:
    """A folding without what is outside an outermost loop: no loop in it can carry a dependence
    that begins or ends there."""
    names = {k for k, i in folding.instructions.items() if i.loops[:1] == (outermost,)}
    return replace(
        folding,
        instructions={k: i for k, i in folding.instructions.items() if k in names},
        executed={k: f for k, f in folding.executed.items() if k in names},
        dependences={k: f for k, f in folding.dependences.items() if names.issuperset(k)},
    )


def advice(folding: Folding, found: Sequence[Nest], most: int) -> list[str]:
    """Lines for the outermost loops that ran most operations: what feedback suggests for all that
    is in them, or why there is none."""
    totals: dict[str, int] = {}
    for nest in found:
        if nest.loops:
            name = nest.loops[0].name
            totals[name] = totals.get(name, 0) + nest.entries
    loops = {loop.name: loop for loop in folding.loops}
    lines, doubts = [], dict[str, None]()
    for name in sorted(totals, key=lambda name: -totals[name])[:most]:
        loop = loops[name]
        place = f"{short(loop.function)}, {Path(loop.file).name}:{loop.line}"
        lines.append(f"{loop.called} ({place}): {totals[name]:,} operations")
        told, doubted = _of(inside(folding, name))
        lines += [f"  {line}" for line in told]
        doubts.update(dict.fromkeys(doubted))
    return [*lines, *doubts]


def _of(part: Folding) -> tuple[list[str], tuple[str, ...]]:
    """What is found of an outermost loop (in the time that `feedback` has), and the doubts."""
    try:
        told = feedback(part)
    except PolynbError as error:
        return [f"no feedback: {error.message}"], ()
    reports = [r for root in told.loops for r in root.walk()]
    verdicts = [f"{r.name} (line {r.loop.line}): {r.verdict}" for r in reports[:VERDICTS]]
    suggested = [str(s) for s in told.suggestions] or ["nothing is suggested"]
    return [*dict.fromkeys(verdicts), *suggested], told.doubts
