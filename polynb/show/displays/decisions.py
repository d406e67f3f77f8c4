"""What a derivation decided, array by array, out of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polynb.derivation import Derivation, Step
from polynb.propagation.steps import (
    ArrayChosen,
    ArrayKept,
    ArrayPropagated,
    PartlyPropagated,
    ReloadTested,
)
from polynb.words import counted, listed


@dataclass(frozen=True, eq=False)
class Decision:
    """What became of an array, why, and the steps that led there."""

    array: str
    outcome: str
    why: str
    steps: tuple[Step, ...]


def decisions(derivation: Derivation) -> list[Decision]:
    """One for each array that something was decided about, in the order of the decisions (the
    last one counts)."""
    found: dict[str, Decision] = {}
    group: list[Step] = []
    for step in derivation.steps:
        if isinstance(step, ArrayChosen):
            group = []
        group.append(step)
        for array in step.about:
            found.pop(array, None)
            found[array] = _decision(derivation, array, step, group)
    return list(found.values())


def _decision(derivation: Derivation, array: str, step: Step, group: Sequence[Step]) -> Decision:
    match step:
        case ArrayPropagated(removed=gone):
            outcome = "propagated" if array in derivation.result.arrays else "removed"
            why = _who_evaluates(group, gone if outcome == "removed" else ()) or str(step)
            if outcome == "propagated":
                why = " ".join(dict.fromkeys((why, str(step))))
        case PartlyPropagated():
            outcome, why = "kept in part", str(step)
        case ArrayKept(reason=reason):
            outcome, why = "kept", f"{reason[0].upper()}{reason[1:]}."
        case _:
            outcome, why = "", str(step)
    return Decision(array, outcome, why, tuple(group))


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
    if gone:
        return f"{listed(gone)} {'are' if len(gone) > 1 else 'is'} removed: {became}."
    return f"No array is removed, but expressions are propagated: {became}."
