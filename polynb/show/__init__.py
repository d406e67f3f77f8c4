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
    from polynb.show.displays.bundle import mimebundle
    from polynb.show.magics.extension import load, unload
    from polynb.show.trace.pages import to_html
    from polynb.show.trace.pictures import to_svg

__all__ = ["load", "mimebundle", "step", "to_html", "to_svg", "unload"]

_HOMES = {
    "load": "magics.extension",
    "mimebundle": "displays.bundle",
    "to_html": "trace.pages",
    "to_svg": "trace.pictures",
    "unload": "magics.extension",
}


def step(derivation: Derivation, parameters: dict[str, int], *, predict: bool) -> Any:
    """The widget that plays a derivation. Raises PolynbError without anywidget."""
    predict = flag("predict", predict)
    try:
        from polynb.show.trace.stepper import Stepper
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
