"""What is said of a derivation beside its steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from polynb.derivation import Derivation
from polynb.show.displays.naming import variable_of
from polynb.show.draw.sample import COMFORTABLE
from polynb.show.html import Html, join
from polynb.words import counted


@dataclass(frozen=True)
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
    tables: Callable[[Derivation], Html]
    below: Callable[[Derivation], Html]
    lines: Callable[[Derivation], list[str]]
    outcomes: Callable[[Derivation], list[ArrayOutcome]]
    next_line: Callable[[Derivation], str]
    statements: int | None = None
    instances: int = COMFORTABLE
    stages: bool = True


PLAIN: Final = PassReport(
    verdict=lambda derivation: f"{derivation.name}: {counted(len(derivation.steps), 'step')}.",
    tables=lambda derivation: join(()),
    below=lambda derivation: join(()),
    lines=lambda derivation: [str(s) for s in derivation.steps],
    outcomes=lambda derivation: [],
    next_line=lambda derivation: f"{variable_of(derivation) or '_'}.result",
)
"""Of a derivation of which no more is known than its steps."""
