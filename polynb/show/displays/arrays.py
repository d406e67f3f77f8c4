"""What was decided array by array, as by expression propagation (CC'18)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polynb.derivation import Derivation
from polynb.show.displays.decisions import Decision, decisions, verdict
from polynb.show.displays.naming import variable_of
from polynb.show.displays.reports import ArrayOutcome, PassReport
from polynb.show.displays.sizes import bench_line
from polynb.show.html import Html, code, join, paragraph, table

SIGNS: Final = {
    "removed": "✕ removed",
    "kept": "● kept",
    "kept in part": "◐ kept in part",
    "propagated": "→ propagated",
}
"""As in the stepper."""


def decisions_table(decided: Sequence[Decision]) -> Html:
    if not decided:
        return paragraph("No array carries a value from one statement to another.")
    rows = [(code(d.array), SIGNS.get(d.outcome, d.outcome), d.why) for d in decided]
    return table("Arrays, and why", ("array", "outcome", "why"), rows, wrap=(2,))


def _lines(derivation: Derivation) -> list[str]:
    decided = decisions(derivation)
    width = max((len(d.array) for d in decided), default=0)
    return [f"{d.array:{width}}  {d.outcome}: {d.why}" for d in decided]


def _outcomes(derivation: Derivation) -> list[ArrayOutcome]:
    """In the order in which steps were first about them."""
    decided = {d.array: d for d in decisions(derivation)}
    last: dict[str, int] = {}
    for k, step in enumerate(derivation.steps):
        last.update(dict.fromkeys(step.about, k))
    found = []
    for array, k in last.items():
        d = decided[array]
        found.append(ArrayOutcome(array, d.outcome or "kept", d.why, k))
    return found


def _next(derivation: Derivation) -> str:
    """A way on: to time it; if nothing was done, to allow more, or to see why not."""
    name, before = variable_of(derivation), variable_of(derivation.before)
    decided = decisions(derivation)
    if str(derivation.before) == str(derivation.result) and decided:
        temp = [d.array for d in decided if f"--temp {d.array}" in d.why]
        program = before or (f"{name}.before" if name else None)
        if temp and program:
            return f"%propagate {program} --temp {','.join(temp)}"
        return f'print({name or "_"}.why("{decided[0].array}"))'
    if name is None and before is not None:
        return f"fast = %propagate {before}"
    known = name or "_"
    return bench_line(known, derivation.before) or f"print({known}.result)"


REPORT: Final = PassReport(
    verdict,
    lambda derivation: decisions_table(decisions(derivation)),
    lambda derivation: join(()),
    _lines,
    _outcomes,
    _next,
)
