"""What a derivation decided, array by array, out of its steps: as by expression propagation
(CC'18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from polynb.derivation import Derivation, Step
from polynb.propagation.steps import (
    ArrayChosen,
    ArrayKept,
    ArrayPropagated,
    PartlyPropagated,
    ReadReplaced,
    ReloadTested,
)
from polynb.show.displays.naming import variable_of
from polynb.show.displays.reports import (
    ArrayOutcome,
    PassReport,
    outcome_lines,
    outcomes_table,
)
from polynb.show.displays.sizes import timed_line
from polynb.windows.steps import ComputedBefore, InStrips, Windowed
from polynb.words import counted, listed


@dataclass(frozen=True, eq=False)
class Decision(ArrayOutcome):
    """What became of an array, and the steps that led there."""

    steps: tuple[Step, ...]


def decisions(derivation: Derivation) -> list[Decision]:
    """One for each array that something was decided about, in the order of the decisions (the
    last one counts)."""
    decided: dict[str, Decision] = {}
    group: list[Step] = []
    for k, step in enumerate(derivation.steps):
        if isinstance(step, ArrayChosen):
            group = []
        group.append(step)
        for array in step.about:
            decided.pop(array, None)
            decided[array] = _decision(derivation, array, k, group)
    return list(decided.values())


def _decision(derivation: Derivation, array: str, k: int, group: Sequence[Step]) -> Decision:
    match step := derivation.steps[k]:
        case ArrayPropagated(removed=gone):
            outcome = "propagated" if array in derivation.result.arrays else "removed"
            why = _who_evaluates(group, gone if outcome == "removed" else ()) or str(step)
            if outcome == "propagated":
                why = " ".join(dict.fromkeys((why, str(step))))
        case PartlyPropagated():
            outcome, why = "kept in part", str(step)
        case ArrayKept(reason=reason):
            outcome, why = "kept", f"{reason[0].upper()}{reason[1:]}."
        case Windowed(rows=rows):
            why = f"It is a window of {counted(rows.height, 'row')}: no more are needed at a time."
            outcome = "kept"
        case ComputedBefore(reason=reason):
            outcome, why = "kept", f"It is computed whole, before the strips: {reason}."
        case _:
            outcome, why = "", str(step)
    return Decision(array, outcome, why, k, tuple(group))


def _who_evaluates(group: Sequence[Step], gone: Sequence[str]) -> str:
    """ "S4 evaluates the expressions of S1 and S2, which are removed.": the edges that were
    propagated; "" if there were none."""
    by_target: dict[str, list[str]] = {}
    for step in group:
        if isinstance(step, ReloadTested) and step.test.complete:
            sources = by_target.setdefault(step.test.edge.target, [])
            if step.test.edge.source not in sources:
                sources.append(step.test.edge.source)
    targets: dict[tuple[str, ...], list[str]] = {}
    for target, its in by_target.items():
        targets.setdefault(tuple(sorted(its)), []).append(target)
    parts = [
        f"{listed(t)} {'evaluate' if len(t) > 1 else 'evaluates'} the expression"
        f"{'s' if len(s) > 1 else ''} of {listed(s)}"
        for s, t in targets.items()
    ]
    if not parts:
        return ""
    are = "is" if len(gone) == 1 else "are"
    if len(targets) == 1 and set(next(iter(targets))) == set(gone):
        return f"{parts[0]}, which {are} removed."
    return "; ".join(parts) + (f"; {listed(gone)} {are} removed." if gone else ".")


def verdict(derivation: Derivation) -> str:
    """What the pass achieved, in one sentence."""
    before, after = derivation.before, derivation.result
    gone = [d.array for d in decisions(derivation) if d.array not in after.arrays]
    gone += [n for n in before.arrays if n not in after.arrays and n not in gone]
    there = {s.name for s in after.statements}
    changed = any(s is not t for s, t in zip(before.statements, after.statements, strict=False))
    old, new = len(before.statements), len(after.statements)
    if not changed and len(there) == old == new:
        return "Nothing is propagated: the program stays as it is."
    became = f"{counted(old, 'statement')} became {new}"
    if old == new:
        became = f"{counted(old, 'statement')}, as before"
    strips = [s for s in derivation.steps if isinstance(s, InStrips)]
    also = f" What is left is computed in strips of {strips[0].height} rows." if strips else ""
    if gone:
        return f"{listed(gone)} {'are' if len(gone) > 1 else 'is'} removed: {became}.{also}"
    if strips and not any(isinstance(s, ReadReplaced) for s in derivation.steps):
        return f"Nothing is propagated.{also}"
    return f"No array is removed, but expressions are propagated: {became}.{also}"


def _outcomes(derivation: Derivation) -> list[ArrayOutcome]:
    """In the order in which steps were first about them."""
    decided = {d.array: d for d in decisions(derivation)}
    first = dict.fromkeys(array for step in derivation.steps for array in step.about)
    return [replace(decided[a], outcome=decided[a].outcome or "kept") for a in first]


def _next(derivation: Derivation) -> str:
    """A way on: to time it; if nothing was done, to allow more, or to see why not."""
    name, before = variable_of(derivation), variable_of(derivation.before)
    decided = decisions(derivation)
    unchanged = str(derivation.before) == str(derivation.result)
    if unchanged and decided:
        later = [d.array for d in decided if f"--temp {d.array}" in d.reason]
        temp = _not_all(later, derivation)
        program = before or (f"{name}.before" if name else None)
        if temp and program:
            return f"%propagate {program} --temp {','.join(temp)}"
        arrays = (derivation.before.arrays.get(d.array) for d in decided)  # or statements
        if not temp and any(a is not None and a.live_out for a in arrays):
            return _reordered(before or name)
        return f'print({name or "_"}.why("{decided[0].array}"))'
    if unchanged:
        return _reordered(before or name)
    if name is None and before is not None:
        return f"fast = %propagate {before}"
    return timed_line(name or "_", derivation.before)


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
    _next,
    lambda derivation: outcomes_table(
        "array",
        decisions(derivation),
        "No array carries a value from one statement to another.",
    ),
    lines=lambda derivation: outcome_lines(decisions(derivation)),
    outcomes=_outcomes,
)
