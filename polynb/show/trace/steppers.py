"""Several steppers in one display, each on a tab of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import ipywidgets

from polynb.show.displays.static import static
from polynb.show.html import Html, join
from polynb.show.trace import saved
from polynb.show.trace.format import TraceJson
from polynb.show.trace.stepper import Stepper, view_of


class Steppers(ipywidgets.Tab):  # type: ignore[misc]
    """Steppers to be compared, by name: `children` are the steppers, `titles` their names.

    Where the widget is gone they are played one below the other.
    """

    def __init__(self, steppers: Mapping[str, Stepper]) -> None:
        super().__init__(children=tuple(steppers.values()), titles=tuple(steppers))
        self.add_class("pnb-several")  # widgets/src/stepper.css

    def __getitem__(self, name: str) -> Stepper:
        return cast(Stepper, self.children[self.titles.index(name)])

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        shown = [static(child.program) for child in self.children]
        plain = {
            "text/plain": "\n\n".join(each["text/plain"] for each in shown),
            "text/html": join(Html(each["text/html"]) for each in shown),
        }
        (first, begun), *others = [(cast(TraceJson, c.trace), c.begun) for c in self.children]
        return {
            **view_of(super()._repr_mimebundle_(**kwargs)),
            **saved.bundle(first, plain, more=others, **begun),
        }

    def __repr__(self) -> str:
        return f"<Steppers: {', '.join(self.titles)}>"
