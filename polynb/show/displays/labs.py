"""How an exercise of a lab is shown, and what is said of an answer: points, what shows that
something is wrong, and the next line to type."""

from __future__ import annotations

from polynb.labs import Assessment, Exercise
from polynb.labs.answers import answer_name
from polynb.show.displays.display import Display
from polynb.show.displays.naming import variable_of
from polynb.show.html import Html, element, join, paragraph, program


def assessment(x: Assessment) -> Display:
    """A graded answer: its points, then what shows that something is wrong."""
    praise = "All of it is right." if x else ""
    shown = f"{x.shown[:1].upper()}{x.shown[1:]}." if x.shown else ""
    rest = f". {' '.join(filter(None, (praise, shown)))}".rstrip()
    headline = paragraph(element("b", x.headline), rest)
    return Display(str(x), (headline, *(_finding(str(f)) for f in x.findings)), (_next(x),))


def _finding(text: str) -> Html:
    first, *rest = text.splitlines()
    return join([paragraph(first), program(rest)]) if rest else paragraph(first)


def _next(x: Assessment) -> str:
    """A hint (by the variable that holds the exercise, if one does), or the next exercise."""
    name = variable_of(x.exercise)
    return f"labs.hint({name})" if name and not x else x.hint


def exercise(x: Exercise) -> Display:
    """An exercise: what is asked, and the call that checks an answer."""
    lines = x.program.strip().splitlines()
    parts = (
        paragraph(element("b", x.headline)),
        paragraph(x.text),
        program(lines) if lines else "",
        paragraph(f"Answer with {x.form}."),
    )
    return Display(str(x), parts, (_check(x),))


def _check(x: Exercise) -> str:
    called = x.called.partition(",")
    variable = variable_of(x)
    if variable:
        return f"labs.check({variable}, {answer_name(x.name)})"
    return f"labs.check({called[0]}, {answer_name(x.name)}{called[1]}{called[2]})"
