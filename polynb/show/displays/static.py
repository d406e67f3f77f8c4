"""What shows an object without scripts: plain text, and HTML."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from polynb.derivation import Derivation
from polynb.scop.model import Scop
from polynb.show.displays import derivation as derivation_view, scop as scop_view
from polynb.show.displays.display import Display
from polynb.show.html import Html


def static(x: Any) -> dict[str, str]:
    """`text/plain`, and `text/html` that needs no scripts.

    The same object gives the same bytes each time (next lines name the variable that holds it).
    """
    shown = _display(x)
    return {"text/plain": shown.plain, "text/html": shown.html}


def below_stepper(x: Scop | Derivation[Any, Any]) -> Html:
    """What the stepper does not say: of a program its tables, of all the next line to type."""
    if isinstance(x, Scop):
        return scop_view.below_space(x)
    return derivation_view.below_stepper(x)


def _display(x: Any) -> Display:
    known = (DISPLAYS[of.__name__] for of in type(x).__mro__ if of.__name__ in DISPLAYS)
    module, _, name = next(known, TABLE).partition(":")
    display: Display = getattr(import_module(f"polynb.show.displays.{module}"), name)(x)
    return display


DISPLAYS: Final = {
    "Assessment": "labs:assessment",
    "Dependences": "scop:dependences",
    "Derivation": "derivation:display",
    "Exercise": "labs:exercise",
    "Feedback": "feedback:display",
    "Folded": "tracing:folded",
    "Folding": "tracing:folding",
    "Proof": "proof:display",
    "ReadBack": "reading:display",
    "Repairs": "repairs:repairs",
    "Roofline": "roofs:display",
    "Scop": "scop:display",
    "Search": "tables:search",
    "Timing": "timing:display",
    "Verdict": "verdict:display",
    "ViolatedRanges": "repairs:violated",
}
"""By class: the module here, loaded when the first one is shown, and its function."""
TABLE: Final = "tables:display"
"""Of what is not among them, and has a `table()`."""
