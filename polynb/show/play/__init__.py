"""The playground: moves proposed with buttons and sliders, each with its verdict at once."""

from __future__ import annotations

from typing import Any

from polynb.conveniences import grading
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.violations import Transformation, transform


def play(program: Scop | Derivation[Any, Any]) -> Any:
    """A playground for the loops of a program, in a notebook: each loop and statement can be
    picked, and what can be done with it is a button or a slider.

    What comes of it is `.transformation` (`pn.transform`), its lines `.script`; a chain of moves is
    gone on with. Raises PolynbError without anywidget. Where answers are
    graded, it is the chain without its playground.
    """
    if grading():
        return program if isinstance(program, Transformation) else transform(program)
    try:
        from polynb.show.play.playground import Playground
    except ImportError:
        raise PolynbError(
            "a playground needs a notebook with anywidget",
            hint='pip install "polynb[lab]"; without Jupyter, pn.transform(program) takes moves',
        ) from None
    return Playground(program)
