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
    unchanged = str(derivation.before) == str(derivation.result)
    if unchanged and decided:
        later = [d.array for d in decided if f"--temp {d.array}" in d.why]
        temp = _not_all(later, derivation)
        program = before or (f"{name}.before" if name else None)
        if temp and program:
            return f"%propagate {program} --temp {','.join(temp)}"
        if later and not temp:
            return _reordered(before or name)
        return f'print({name or "_"}.why("{decided[0].array}"))'
    if unchanged:
        return _reordered(before or name)
    if name is None and before is not None:
        return f"fast = %propagate {before}"
    known = name or "_"
    return bench_line(known, derivation.before) or f"print({known}.result)"


def _reordered(known: str | None) -> str:
    """The way on where nothing can be propagated: another order."""
    return f"fast = %reorder {known or '_'}"


def _not_all(arrays: list[str], derivation: Derivation) -> list[str]:
    """Those that may be temporary while something is left to be computed: where nothing else is
    live-out, the array that is written last is what the program is for."""
    scop = derivation.before
    if any(a.live_out and n not in arrays for n, a in scop.arrays.items()):
        return arrays
    written = [s.write.array for s in scop.statements if s.write.array in arrays]
    return [a for a in arrays if a != written[-1]]


REPORT: Final = PassReport(
    verdict,
    lambda derivation: decisions_table(decisions(derivation)),
    lambda derivation: join(()),
    _lines,
    _outcomes,
    _next,
)
