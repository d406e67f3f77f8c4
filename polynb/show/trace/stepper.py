"""The stepper as a widget: a trace, and the front end that plays it (`widgets/`); several of them,
each on a tab of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import anywidget
import ipywidgets
import traitlets

from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.folding import Folded
from polynb.scop.model import Scop
from polynb.show.displays.static import static
from polynb.show.html import Html, join
from polynb.show.trace import saved
from polynb.show.trace.builder import trace
from polynb.show.trace.format import TraceJson
from polynb.show.trace.judging import right
from polynb.show.trace.pages import BUNDLE

KEPT: Final = 8
"""Traces of which an answer may still be on its way."""


class Stepper(anywidget.AnyWidget):  # type: ignore[misc]
    """Steps through a derivation, forwards and back; of a program, shows its iteration space.

    `trace` is what is shown (`trace.schema.json`), `step` where it is, `predict` whether the
    learner is asked first, `hidden` the roles that are switched off. `answers` are the first
    answers given, `{"step", "trace", "kind", "answer", "right"}`, judged here once more. What is
    not `whole` has the steps that begin or decide something, and no others.
    """

    _esm = BUNDLE
    trace = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    predict = traitlets.Bool(False).tag(sync=True)
    hidden = traitlets.List(traitlets.Unicode()).tag(sync=True)
    answers = traitlets.List().tag(sync=True)
    wanted = traitlets.Dict().tag(sync=True)
    live = traitlets.Bool(True).tag(sync=True)

    def __init__(
        self,
        program: Derivation | Scop | Folded,
        parameters: dict[str, int] | None = None,
        *,
        whole: bool = True,
        **traits: Any,
    ) -> None:
        self.program, self.whole = program, whole
        self._known: list[dict[str, Any]] = []
        self._asked: dict[str, list[Any]] = {}  # questions of traces before, by their ids
        super().__init__(trace=trace(program, parameters, whole=whole), **traits)

    @traitlets.observe("wanted")  # type: ignore[untyped-decorator]
    def _want(self, change: Any) -> None:
        """Other parameter values were asked for; ones that are not allowed change nothing."""
        try:
            new = trace(self.program, change["new"], whole=self.whole)
        except PolynbError:
            return
        self._asked |= {self.trace["id"]: self._questions("")}
        for old in [*self._asked][:-KEPT]:
            del self._asked[old]
        self.trace = new
        self.step = min(self.step, len(self.trace["steps"]) - 1)

    @traitlets.validate("answers")  # type: ignore[untyped-decorator]
    def _judged(self, proposal: Any) -> list[dict[str, Any]]:
        """The answers, with `right` as it is found here, where they are given: later the trace may
        be one of other sizes."""
        judged = []
        given = [{**a, "right": None} for a in self._known]
        for answer in proposal["value"]:
            k, plain = answer.get("step", -1), {**answer, "right": None}
            if plain in given:
                judged.append(self._known[given.index(plain)])
                continue
            questions = self._questions(answer.get("trace"))
            question = questions[k] if 0 <= k < len(questions) else None
            found = question is not None and right(question, answer.get("answer"))
            judged.append({**answer, "right": found})
        self._known = judged  # a message of the front end sets `answers` before this is asked
        return judged

    def _questions(self, trace: object) -> list[Any]:
        """Those of the trace that was shown when an answer was given: meanwhile it may be one of
        other sizes."""
        return self._asked.get(str(trace)) or [s.get("question") for s in self.trace["steps"]]

    @property
    def score(self) -> tuple[int, int]:
        """How many answers are right, and how many there are."""
        return sum(a["right"] for a in self.answers), len(self.answers)

    @property
    def begun(self) -> dict[str, Any]:
        """What a display of it in a notebook's file begins with."""
        return {"step": self.step, "predict": self.predict, "hidden": self.hidden}

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The view; the trace, which is played where the widget is gone; and what needs neither."""
        plain = static(self.program)
        return {
            **view_of(super()._repr_mimebundle_(**kwargs)),
            **saved.bundle(cast(TraceJson, self.trace), plain, **self.begun),
        }

    def __repr__(self) -> str:
        return f"<Stepper: {len(self.trace['steps'])} frames of {self.trace['title']}>"


def view_of(bundle: Any) -> dict[str, Any]:
    """The widget's part of a mime bundle, which may come with metadata."""
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    return {k: v for k, v in (data or {}).items() if not k.startswith("text/")}


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
