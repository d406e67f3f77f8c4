"""What shows an object without scripts: plain text, and HTML."""

from __future__ import annotations

from typing import Any

from polynb.dependences import Dependences
from polynb.derivation import Derivation
from polynb.legality import Verdict
from polynb.scop import Scop
from polynb.show.displays import derivation as derivation_view, scop as scop_view
from polynb.show.displays.verdict import verdict_html, verdict_text
from polynb.show.html import Html


def static(x: Any) -> dict[str, str]:
    """`text/plain`, and `text/html` that needs no scripts.

    The same object gives the same bytes each time (next lines name the variable that holds it).
    """
    text, markup = _shown(x)
    return {"text/plain": text, "text/html": markup}


def below_stepper(x: Scop | Derivation[Any, Any]) -> Html:
    """What the stepper does not say: of a program its tables, of all the next line to type."""
    if isinstance(x, Scop):
        return scop_view.below_space(x)
    return derivation_view.below_stepper(x)


def _shown(x: Any) -> tuple[str, str]:
    match x:
        case Scop():
            return scop_view.scop_text(x), scop_view.scop_html(x)
        case Dependences():
            return scop_view.dependences_text(x), scop_view.dependences_html(x)
        case Derivation():
            return derivation_view.derivation_text(x), derivation_view.derivation_html(x)
        case Verdict():
            return verdict_text(x), verdict_html(x)
    # These load all that runs kernels.
    from polynb.run.timing import Timing
    from polynb.show.displays import tables, timing as timing_view

    if isinstance(x, Timing):
        return timing_view.timing_text(x), timing_view.timing_html(x)
    table = tables.as_table(x)
    return tables.table_text(table), tables.table_html(table)
