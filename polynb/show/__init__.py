"""The only room that knows Jupyter: magics, displays, pictures.

Nothing is loaded before it is used; the displays are plain HTML (they survive in a notebook that
nobody has signed), and their pictures need no plotting library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polynb.show.displays import mimebundle
    from polynb.show.drawing import draw
    from polynb.show.extension import load, unload

__all__ = ["draw", "load", "mimebundle", "unload"]

_HOMES = {"draw": "drawing", "load": "extension", "mimebundle": "displays", "unload": "extension"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
