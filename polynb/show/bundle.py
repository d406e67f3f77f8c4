"""What a notebook is given to show of an object: plain text, and HTML that needs no scripts; and
the trace, where somebody can step."""

from __future__ import annotations

from typing import Any, Final

from polynb import isl
from polynb.conveniences import grading
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.show.displays.naming import shell, step_line
from polynb.show.displays.registry import report_of
from polynb.show.displays.static import below_stepper, static
from polynb.show.html import page, paragraph

STEPS: Final = 300  # of a derivation whose display plays them all; of others, what decides
BUDGET: Final = 5_000_000  # isl operations for its frames: some seconds
STATEMENTS: Final = 12  # of a program whose display is


class DisplayInterrupted(KeyboardInterrupt):
    """A display was interrupted: a notebook shows one line, and runs no cell after it."""

    def _render_traceback_(self) -> list[str]:
        return [f"Interrupted: {self}"]


def mimebundle(x: Any) -> dict[str, Any]:
    """What `shown` makes of an object; where that is interrupted, one line says so."""
    try:
        return shown(x)
    except KeyboardInterrupt:
        said = "the display was being made; a name that its cell binds is bound"
        raise DisplayInterrupted(said) from None


@isl.bounded("the making of the display")
def shown(x: Any) -> dict[str, Any]:
    """What shows a Scop, Dependences, Derivation, Verdict, Timing, Table or Sweep: `static`, and,
    of a derivation or a program that is not too long, in a notebook with a kernel, the trace as
    well. Jupyter plays it with polynb's extension, also when the notebook is opened again."""
    plain = static(x)
    if grading() or not (_has_steps(x) and _has_kernel()):
        return plain
    from polynb.show.trace import live, saved
    from polynb.show.trace.builder import trace

    for whole in (True, False) if _is_small(x) else (False,):
        try:
            with isl.budget(BUDGET):
                found = trace(x, whole=whole)
                below = below_stepper(x)
        except PolynbError:  # too much to enumerate
            continue
        live.remember(found, x, whole=whole)
        packed = saved.bundle(found, plain, below)
        return packed if saved.MIME in packed else plain | _elsewhere(x, plain)
    return plain


def _elsewhere(x: Any, plain: dict[str, str]) -> dict[str, str]:
    """The same, and how to step through what is too long for a notebook's file."""
    line = step_line(x).removeprefix("_.")
    said = f"The steps are too many for the file of a notebook. {line} plays all of them."
    return {
        "text/plain": f"{plain['text/plain']}\n{said}",
        "text/html": plain["text/html"] + page(paragraph(said)),
    }


def _has_steps(x: Any) -> bool:
    """Whether its display is the stepper."""
    if isinstance(x, Derivation):
        return x.rewrites
    return isinstance(x, Scop) and len(x.statements) <= STATEMENTS


def _is_small(x: Derivation[Any, Any] | Scop) -> bool:
    """Whether its display has every step."""
    if isinstance(x, Scop):
        return True
    most = report_of(x).statements
    return len(x.steps) <= STEPS and (most is None or len(x.before.statements) <= most)


def _has_kernel() -> bool:
    """Whether there is a kernel behind this, and so perhaps somebody who can step."""
    return getattr(shell(), "kernel", None) is not None
