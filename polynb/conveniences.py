"""What an object offers and a room further down does: its text, its C, its display, its pages.

An arrow that runs back up the house is only allowed here: a name leads to a function below, which
is imported when it is called, and not before.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, Final

BELOW: Final = {
    "doubts": "polynb.dependences.doubts:doubts",
    "explained": "polynb.proofs.explaining:explained",
    "feedback": "polynb.tracing.feedback:feedback",
    "from_isl": "polynb.scop.from_isl:from_isl",
    "mimebundle": "polynb.show.bundle:mimebundle",
    "misread": "polynb.scop.isl_text:read",
    "passed": "polynb.tuning.passes:passed",
    "passes": "polynb.show.passes:register_passes",
    "peers_plot": "polynb.show.draw.peers_plot:peers_plot",
    "portable": "polynb.isl.pickles:portable",
    "repairs": "polynb.violations.repair:repairs_of",
    "roofline_svg": "polynb.show.draw.roofs:roofline_svg",
    "step": "polynb.show.trace.stepping:step",
    "table": "polynb.tuning.tables:table_of",
    "to_c": "polynb.codegen:to_c",
    "to_html": "polynb.show.trace.pages:to_html",
    "to_scop": "polynb.tracing.to_scop:to_scop",
    "to_svg": "polynb.show.trace.pictures:to_svg",
    "to_text": "polynb.codegen:to_text",
    "verdict_svg": "polynb.show.draw.verdict_pictures:verdict_svg",
}
"""`module:function` of each convenience."""

Json = Any
"""What `json.loads` gives: None, a truth value, number or text, or lists and dicts of such."""


def grading() -> bool:
    """Whether answers are being graded (the environment variable POLYNB_GRADING): there are no
    widgets then, no saved traces, and no progress, whoever asks for them."""
    return os.environ.get("POLYNB_GRADING", "").strip() not in ("", "0")


def below(name: str) -> Any:
    """The function of that name."""
    module, _, function = BELOW[name].partition(":")
    return getattr(import_module(module), function)


class Markup(str):
    """A page or a picture as text. Where it is a cell's value, a notebook shows how large it is,
    or the picture, and not the text."""

    __slots__ = ()

    def __repr__(self) -> str:
        kind, name = ("picture", "svg") if self._is_picture else ("page", "html")
        size = f"{len(self.encode()) / 1000:.0f} kB"
        return f"<a {kind} of {size}: text, to be written to a file.{name} or printed>"

    def _repr_svg_(self) -> str | None:
        return str(self) if self._is_picture else None

    @property
    def _is_picture(self) -> bool:
        return self.startswith("<svg")


class Portable:
    """An object that holds sets and maps, and pickles with them."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        return below("portable")(self)


class Conveniences(Portable):
    """An object that a notebook shows, and that offers what rooms further down do with it."""

    def _below(self, name: str, *arguments: Any, **options: Any) -> Any:
        """What the function of that name makes of this object."""
        return below(name)(self, *arguments, **options)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        found: dict[str, Any] = self._below("mimebundle")
        return found
