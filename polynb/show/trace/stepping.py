"""The widget that plays a derivation, or the folding of a stream, where there is one."""

from __future__ import annotations

from typing import Any

from polynb.arguments import flag
from polynb.conveniences import grading
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.folding import Folded


def step(
    derivation: Derivation[Any, Any] | Folded, parameters: dict[str, int], *, predict: bool = False
) -> Any:
    """The widget that plays a derivation; where answers are graded, the derivation. Raises
    PolynbError without anywidget."""
    predict = flag("predict", predict)
    if grading():
        return derivation
    try:
        from polynb.show.trace.stepper import Stepper
    except ImportError:
        raise PolynbError(
            "stepping in a notebook needs anywidget",
            hint='pip install "polynb[lab]"; without Jupyter, to_html("file.html") makes a page',
        ) from None
    return Stepper(derivation, parameters, predict=predict)
