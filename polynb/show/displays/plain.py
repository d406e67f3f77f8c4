"""What is said of a derivation of which no more is known than its steps."""

from __future__ import annotations

from typing import Any, Final

from polynb.derivation import Derivation
from polynb.show.displays.naming import variable_of
from polynb.show.displays.reports import PassReport
from polynb.show.html import join
from polynb.words import counted

REPORT: Final = PassReport(
    verdict=lambda derivation: f"{derivation.name}: {counted(len(derivation.steps), 'step')}.",
    tables=lambda derivation: join(()),
    below=lambda derivation: join(()),
    lines=lambda derivation: [str(s) for s in derivation.steps],
    outcomes=lambda derivation: [],
    next_line=lambda derivation: _next(derivation),
)


def _next(derivation: Derivation[Any, Any]) -> str:
    return f"{variable_of(derivation) or '_'}.result"
