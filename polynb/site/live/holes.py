"""A place for isl before it is there.

What Python has loaded can be kept and taken up again, but nothing of the page's in it; isl is the
page's. So polynb is loaded over functions that are still to come, and then isl takes their place.
"""

from __future__ import annotations

import random
import sys
from types import ModuleType
from typing import Any


class Hole:
    """A function of isl's that is still to come. (Two are called while islpy is loaded: what they
    do is done by `fill`.)"""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *_: Any) -> int:
        return 0


class Holes(ModuleType):
    """A module of them."""

    def __getattr__(self, name: str) -> Hole:
        if name.startswith("__"):
            raise AttributeError(name)
        return Hole(name)


def dig() -> None:
    """isl's functions are holes from now on."""
    sys.modules["isl_machine"] = Holes("isl_machine")


def fill(machine: Any) -> None:
    """isl's functions take the places that were kept for them."""
    from polynb.site.live import base, likes

    def filled(value: Any) -> Any:
        return getattr(machine, value.name) if isinstance(value, Hole) else value

    islpy = sys.modules["islpy"]  # the one that is made for pages
    for module in (base, likes, islpy):
        vars(module)["machine"] = machine
    for name, value in list(vars(islpy).items()):
        setattr(islpy, name, filled(value))
    for kind in base.KINDS.values():
        for name, value in list(vars(kind).items()):
            if isinstance(value, staticmethod) and isinstance(value.__func__, Hole):
                setattr(kind, name, staticmethod(filled(value.__func__)))
        kind._upcasts = {of: filled(value) for of, value in getattr(kind, "_upcasts", {}).items()}
    base._START = islpy.DEFAULT_CONTEXT._p = machine.begin()
    machine.hear(base._hear)
    random.seed()  # what is kept is the same each time
