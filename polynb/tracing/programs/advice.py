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

MOST_PIECES: Final = 150
"""Of a loop that feedback is asked on: schedulers take exponentially long (section 6)."""


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
    lines = []
    for name in sorted(totals, key=lambda name: -totals[name])[:most]:
        loop = loops[name]
        place = f"{short(loop.function)}, {Path(loop.file).name}:{loop.line}"
        lines.append(f"{name} ({place}): {totals[name]:,} operations")
        lines += [f"  {line}" for line in _of(inside(folding, name))]
    return lines


def _of(part: Folding) -> list[str]:
    pieces = sum(len(f.pieces) for f in (*part.executed.values(), *part.dependences.values()))
    if pieces > MOST_PIECES:
        return [f"its streams have {pieces} pieces: too irregular to look for transformations"]
    try:
        told = feedback(part)
    except PolynbError as error:
        return [f"no feedback: {error.message}"]
    return [str(s) for s in told.suggestions] or ["nothing is suggested"]
