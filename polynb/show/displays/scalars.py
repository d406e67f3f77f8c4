"""What was decided scalar by scalar, as by DeLICM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polynb.delicm.forwarding_steps import Forwarded
from polynb.delicm.mapping_steps import Mapped, NotMapped, WebsSplit
from polynb.derivation import Derivation, Step
from polynb.scop.model import Scop
from polynb.show.displays.naming import variable_of
from polynb.show.displays.reports import (
    ArrayOutcome,
    PassReport,
    outcome_lines,
    outcomes_table,
)
from polynb.words import counted, listed


def scalars_of(scop: Scop) -> list[str]:
    """The scalars through which values flow: those that the program writes."""
    written = {s.write.array for s in scop.statements}
    return [n for n, a in scop.arrays.items() if not a.dimensions and n in written]


def outcomes(derivation: Derivation) -> list[ArrayOutcome]:
    """What became of each scalar of the program that it started from, and why."""
    found = []
    for scalar in scalars_of(derivation.before):
        names = {scalar, *_parts(derivation.steps, scalar)}
        about = [k for k, s in enumerate(derivation.steps) if names & set(s.about)]
        gone = not names & set(derivation.result.arrays)
        decisive = (Mapped, Forwarded) if gone else (NotMapped,)
        told = [k for k in about if isinstance(derivation.steps[k], decisive)] or about
        why = _said(derivation.steps[told[-1]]) if told else "No store is there for it."
        k = told[-1] if told else 0
        found.append(ArrayOutcome(scalar, "removed" if gone else "kept", why, k))
    return found


def _parts(steps: Sequence[Step], scalar: str) -> tuple[str, ...]:
    """The names of its webs."""
    return next((s.names for s in steps if isinstance(s, WebsSplit) and s.scalar == scalar), ())


def _said(step: Step) -> str:
    return f"It lives in {step.array}: {step.where}." if isinstance(step, Mapped) else str(step)


def verdict(derivation: Derivation) -> str:
    """What the pass achieved, in a sentence."""
    before, after = derivation.before, derivation.result
    old, new = len(before.statements), len(after.statements)
    were = counted(old, "statement")
    became = f"{were} became {new}" if old != new else f"still {were}"
    if not scalars_of(before):
        left = (
            f"{became}, as nothing needs the rest" if old != new else "the program stays as it is"
        )
        return f"No value flows through a scalar: {left}."
    gone = [o.array for o in outcomes(derivation) if o.outcome == "removed"]
    if not gone:
        same = after is before
        return "No scalar is removed" + (
            ": the program stays as it is." if same else f": {became}."
        )
    kept = [o.array for o in outcomes(derivation) if o.outcome == "kept"]
    rest = f", {listed(kept)} {'is' if len(kept) == 1 else 'are'} kept" if kept else ""
    return f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} removed{rest}: {became}."


def _next(derivation: Derivation) -> str:
    """A way on: a better order, now that there is one; or to see why not."""
    name, before = variable_of(derivation), variable_of(derivation.before)
    decided = outcomes(derivation)
    if derivation.result is derivation.before:
        kept = [o.array for o in decided if f"--temp {o.array}" in o.reason]
        program = before or (f"{name}.before" if name else None)
        if kept and program:
            return f"%delicm {program} --temp {','.join(kept)}"
        if decided:
            return f'print({name or "_"}.why("{decided[0].array}"))'
        return f"fast = %reorder {before or name or '_'}"
    if name is None and before is not None:
        return f"arrays = %delicm {before}"
    return f"%reorder {name or '_'}"


SMALL: Final = 24  # instances of all stages: each is a column of the pictures
REPORT: Final = PassReport(
    verdict,
    _next,
    lambda derivation: outcomes_table(
        "scalar", outcomes(derivation), "No value flows through a scalar."
    ),
    lines=lambda derivation: outcome_lines(outcomes(derivation)),
    outcomes=outcomes,
    instances=SMALL,
)
