"""The only room that knows Jupyter: magics, displays, pictures.

Nothing is loaded before it is used; the displays are plain HTML (they survive in a notebook that
nobody has signed), and their pictures need no plotting library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polynb.arguments import flag
from polynb.derivation import Derivation
from polynb.errors import PolynbError

if TYPE_CHECKING:
    from polynb.show.displays import mimebundle
    from polynb.show.drawing import draw
    from polynb.show.extension import load, unload
    from polynb.show.pages import to_html
    from polynb.show.pictures import to_svg

__all__ = ["draw", "load", "mimebundle", "step", "to_html", "to_svg", "unload"]

_HOMES = {
    "draw": "drawing",
    "load": "extension",
    "mimebundle": "displays",
    "to_html": "pages",
    "to_svg": "pictures",
    "unload": "extension",
}


def step(derivation: Derivation, parameters: dict[str, int], *, predict: bool) -> Any:
    """The widget that plays a derivation. Raises PolynbError without anywidget."""
    predict = flag("predict", predict)
    try:
        from polynb.show.stepper import Stepper
    except ImportError:
        raise PolynbError(
            "stepping in a notebook needs anywidget",
            hint='pip install "polynb[lab]"; without Jupyter, to_html("file.html") makes a page',
        ) from None
    return Stepper(derivation, parameters, predict=predict)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
