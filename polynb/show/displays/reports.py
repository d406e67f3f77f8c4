"""What is said of a derivation beside its steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from polynb.derivation import Derivation
from polynb.show.displays.naming import variable_of
from polynb.show.draw.sample import COMFORTABLE
from polynb.show.html import Html, code, paragraph, table
from polynb.words import counted


@dataclass(frozen=True, eq=False)
class ArrayOutcome:
    """What became of an array, why, and the number of the step that decided it."""

    array: str
    outcome: str
    reason: str
    step: int


@dataclass(frozen=True)
class PassReport:
    """How the derivations of a pass are told.

    `verdict` is what came out, in a sentence or two; `tables` what was decided, beside the
    programs; `below` what of it the stepper does not say; `lines` the same as plain text;
    `outcomes` the arrays that something was decided about; `next_line` a way on.
    Of programs with more than `statements` (None: any number) the display has not every step.
    Parameter values are chosen so that there are about `instances`, of all stages or of the
    program itself.
    """

    verdict: Callable[[Derivation], str]
    next_line: Callable[[Derivation], str]
    tables: Callable[[Derivation], Html] = lambda derivation: Html()
    below: Callable[[Derivation], Html] = lambda derivation: Html()
    lines: Callable[[Derivation], list[str]] = lambda derivation: [str(s) for s in derivation.steps]
    outcomes: Callable[[Derivation], Sequence[ArrayOutcome]] = lambda derivation: ()
    statements: int | None = None
    instances: int = COMFORTABLE
    stages: bool = True


PLAIN: Final = PassReport(
    lambda derivation: f"{derivation.name}: {counted(len(derivation.steps), 'step')}.",
    lambda derivation: f"{variable_of(derivation) or '_'}.result",
)
"""Of a derivation of which no more is known than its steps."""

SIGNS: Final = {
    "removed": "✕ removed",
    "kept": "● kept",
    "kept in part": "◐ kept in part",
    "propagated": "→ propagated",
}
"""As in the stepper."""


def outcomes_table(kind: str, outcomes: Sequence[ArrayOutcome], none: str) -> Html:
    """A row for each array (or scalar: its `kind`); without one, the sentence `none`."""
    if not outcomes:
        return paragraph(none)
    rows = [(code(o.array), SIGNS.get(o.outcome, o.outcome), o.reason) for o in outcomes]
    return table(f"{kind.capitalize()}s, and why", (kind, "outcome", "why"), rows, wrap=(2,))


def outcome_lines(outcomes: Sequence[ArrayOutcome]) -> list[str]:
    """The same as plain text."""
    width = max((len(o.array) for o in outcomes), default=0)
    return [f"{o.array:{width}}  {o.outcome}: {o.reason}" for o in outcomes]
