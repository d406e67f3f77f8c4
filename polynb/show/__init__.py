"""The only room that knows Jupyter: magics, displays, pictures.

Nothing is loaded before it is used; the displays are plain HTML (they survive in a notebook that
nobody has signed), and their pictures need no plotting library. Within it, too, a folder imports
only those before it: draw, displays, trace, passes (the one place that names the passes), magics.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the table below once more, for type checkers
    from polynb.show.bundle import mimebundle as mimebundle
    from polynb.show.displays.order_tree import draw_order_tree as draw_order_tree
    from polynb.show.draw.lives import draw_lives as draw_lives
    from polynb.show.draw.photographs import show_pictures as show_pictures
    from polynb.show.draw.plots import subplots as subplots
    from polynb.show.draw.running import draw_order as draw_order
    from polynb.show.magics.extension import load as load, unload as unload
    from polynb.show.trace.pages import to_html as to_html
    from polynb.show.trace.pictures import to_svg as to_svg
    from polynb.show.trace.stepping import step as step

_HOMES = {
    "draw_lives": "draw.lives",
    "draw_order": "draw.running",
    "draw_order_tree": "displays.order_tree",
    "load": "magics.extension",
    "mimebundle": "bundle",
    "show_pictures": "draw.photographs",
    "step": "trace.stepping",
    "subplots": "draw.plots",
    "to_html": "trace.pages",
    "to_svg": "trace.pictures",
    "unload": "magics.extension",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
