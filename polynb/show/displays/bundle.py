"""What a notebook is given to show of an object: plain text, and HTML that needs no scripts."""

from __future__ import annotations

import sys
from typing import Any, Final

from polynb import isl
from polynb.dependences import Dependences
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.legality import Verdict
from polynb.scop import Scop

STEPS: Final = 80  # of a derivation whose display is the stepper itself
BUDGET: Final = 5_000_000  # isl operations for its frames: some seconds
STATEMENTS: Final = 12  # of a program whose display is


@isl.bounded("the making of the display")
def mimebundle(x: Any) -> dict[str, Any]:
    """What shows a Scop, Dependences, Derivation, Verdict or Timing: `static`, and, of a program or
    derivation that is not too long, in a notebook with a kernel, the stepper's widget as well."""
    plain = static(x)
    if not (_is_small(x) and _has_kernel()):
        return plain
    try:
        from polynb.show.trace.stepper import view_with

        with isl.budget(BUDGET):
            return view_with(x, _below(x)) | plain
    except (ImportError, PolynbError):  # no anywidget, or too much to enumerate: the page will do
        return plain


def _is_small(x: Any) -> bool:
    """Whether its display is the stepper."""
    if isinstance(x, Derivation):
        from polynb.show.displays.reports import report_of

        most = report_of(x).statements
        few = most is None or len(x.before.statements) <= most
        return few and len(x.steps) <= STEPS
    return isinstance(x, Scop) and len(x.statements) <= STATEMENTS


def _below(x: Scop | Derivation) -> str:
    """What the stepper does not say: of a program its tables, of all the next line to type."""
    if isinstance(x, Scop):
        from polynb.show.displays.scop import below_space

        return below_space(x)
    from polynb.show.displays.derivation import below_stepper

    return below_stepper(x)


def static(x: Any) -> dict[str, str]:
    """`text/plain`, and `text/html` that needs no scripts.

    The same object gives the same bytes each time (next lines name the variable that holds it).
    """
    text, markup = _shown(x)
    return {"text/plain": text, "text/html": markup}


def _has_kernel() -> bool:
    """Whether there is a kernel behind this, and so perhaps somebody who can step."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


def _shown(x: Any) -> tuple[str, str]:
    match x:
        case Scop():
            from polynb.show.displays import scop as scop_view

            return scop_view.scop_text(x), scop_view.scop_html(x)
        case Dependences():
            from polynb.show.displays import scop as scop_view

            return scop_view.dependences_text(x), scop_view.dependences_html(x)
        case Derivation():
            from polynb.show.displays import derivation as derivation_view

            return derivation_view.derivation_text(x), derivation_view.derivation_html(x)
        case Verdict():
            from polynb.show.displays import verdict as verdict_view

            return verdict_view.verdict_text(x), verdict_view.verdict_html(x)
    from polynb.show.displays import timing as timing_view

    return timing_view.timing_text(x), timing_view.timing_html(x)
