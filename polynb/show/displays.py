"""What a notebook is given to show of an object: plain text, and HTML that needs no scripts."""

from __future__ import annotations

from typing import Any

from polynb.dependences import Dependences
from polynb.derivation import Derivation
from polynb.scop import Scop


def mimebundle(x: Any) -> dict[str, str]:
    """`text/plain` and `text/html` of a Scop, Dependences, Derivation or Timing.

    The same object gives the same bytes each time (next lines name the variable that holds it).
    """
    text, markup = _shown(x)
    return {"text/plain": text, "text/html": markup}


def _shown(x: Any) -> tuple[str, str]:
    match x:
        case Scop():
            from polynb.show import scop_view

            return scop_view.scop_text(x), scop_view.scop_html(x)
        case Dependences():
            from polynb.show import scop_view

            return scop_view.dependences_text(x), scop_view.dependences_html(x)
        case Derivation():
            from polynb.show import derivation_view

            return derivation_view.derivation_text(x), derivation_view.derivation_html(x)
    from polynb.show import timing_view

    return timing_view.timing_text(x), timing_view.timing_html(x)
