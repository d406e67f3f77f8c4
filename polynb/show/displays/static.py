"""What shows an object without scripts: plain text, and HTML."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from polynb.derivation import Derivation
from polynb.scop import Scop
from polynb.show.displays import derivation as derivation_view, scop as scop_view
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
    for of in type(x).__mro__:
        if of.__name__ in VIEWS:
            module, _, name = VIEWS[of.__name__].partition(":")
            view = import_module(f"polynb.show.displays.{module}")
            return getattr(view, f"{name}_text")(x), getattr(view, f"{name}_html")(x)
    from polynb.show.displays import tables  # this loads all that runs kernels

    table = tables.as_table(x)
    return tables.table_text(table), tables.table_html(table)


VIEWS: Final = {
    "Assessment": "labs:assessment",
    "Dependences": "scop:dependences",
    "Derivation": "derivation:derivation",
    "Exercise": "labs:exercise",
    "Feedback": "feedback:feedback",
    "Folded": "tracing:folded",
    "Folding": "tracing:folding",
    "Proof": "proof:proof",
    "Repairs": "repairs:repairs",
    "Scop": "scop:scop",
    "Search": "tables:search",
    "Timing": "timing:timing",
    "Verdict": "verdict:verdict",
    "ViolatedRanges": "repairs:violated",
}
"""By class: the module here, loaded when the first one is shown, and what stands before `_text`
and `_html` in the names of its two functions. What is not here has a `table()`."""
