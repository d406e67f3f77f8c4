"""What a notebook is given to show of an object: plain text, and HTML that needs no scripts; and
the stepper, where somebody can step."""

from __future__ import annotations

import sys
from typing import Any, Final

from polynb import isl
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.scop import Scop
from polynb.show.displays.registry import report_of
from polynb.show.displays.static import below_stepper, static

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
            return view_with(x, below_stepper(x)) | plain
    except (ImportError, PolynbError):  # no anywidget, or too much to enumerate: the page will do
        return plain


def _is_small(x: Any) -> bool:
    """Whether its display is the stepper."""
    if isinstance(x, Derivation):
        most = report_of(x).statements
        few = x.rewrites and (most is None or len(x.before.statements) <= most)
        return few and len(x.steps) <= STEPS
    return isinstance(x, Scop) and len(x.statements) <= STATEMENTS


def _has_kernel() -> bool:
    """Whether there is a kernel behind this, and so perhaps somebody who can step."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None
