"""Widgets where there is no kernel: what polynb's own need of `anywidget` and `ipywidgets`.

A widget's traits are here, and in the page's model; what changes on one side is told to the other.
"""

from __future__ import annotations

import itertools
import sys
import types
from collections.abc import Callable
from typing import Any, ClassVar

import traitlets

Tell = Callable[[int, dict[str, Any]], object]
"""Hears of the traits that have changed, by the number of the widget."""


class AnyWidget(traitlets.HasTraits):  # type: ignore[misc]
    """A widget with a number; its front end is the file `_esm`."""

    _esm: Any = None
    _numbers: ClassVar[Any] = itertools.count(1)
    _told: ClassVar[Any] = staticmethod(lambda number, traits: None)
    known: ClassVar[dict[int, Any]] = {}

    def __init__(self, **traits: Any) -> None:
        self.number = next(self._numbers)
        self._given: dict[str, Any] = {}  # by the page, which need not be told of it
        super().__init__(**traits)
        self.known[self.number] = self
        self.observe(self._tell, list(self.traits(sync=True)))

    def _tell(self, change: Any) -> None:
        name, new = change["name"], change["new"]
        if name not in self._given or self._given[name] != new:
            self._told(self.number, {name: new})

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {}

    @property
    def state(self) -> dict[str, Any]:
        """What the page's model begins with."""
        traits = {name: getattr(self, name) for name in self.traits(sync=True)}
        return {"number": self.number, "front": self._esm.name, "traits": traits}


class Tab:
    """Widgets one below the other."""

    def __init__(self, children: tuple[AnyWidget, ...] = (), titles: tuple[str, ...] = ()) -> None:
        self.children, self.titles = children, titles

    def add_class(self, name: str) -> None:
        """It has no look of its own."""

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {}


def changed(number: int, traits: dict[str, Any]) -> None:
    """The page has changed traits of a widget (the last one with that number may be gone)."""
    widget = AnyWidget.known.get(number)
    if widget is None:
        return
    widget._given = traits
    for name, value in traits.items():
        setattr(widget, name, value)
    widget._given = {}


def widgets_of(x: Any) -> list[dict[str, Any]]:
    """The models of an object's widgets; none of what is no widget."""
    if isinstance(x, AnyWidget):
        return [x.state]
    return [child.state for child in x.children] if isinstance(x, Tab) else []


def install(tell: Tell) -> None:
    """`import anywidget` and `import ipywidgets` give these from now on."""
    AnyWidget._told = staticmethod(tell)
    for name, member in (("anywidget", AnyWidget), ("ipywidgets", Tab)):
        module = types.ModuleType(name)
        setattr(module, member.__name__, member)
        sys.modules[name] = module
