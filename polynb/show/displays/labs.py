"""How an exercise of a lab is shown, and what is said of an answer: points, what shows that
something is wrong, and the next line to type."""

from __future__ import annotations

from polynb.labs import Assessment, Exercise
from polynb.labs.answers import answer_name
from polynb.show.displays.naming import variable_of
from polynb.show.html import Html, element, join, next_line, page, paragraph, program


def assessment_text(x: Assessment) -> str:
    return f"{x}\nnext: {_next(x)}"


def assessment_html(x: Assessment) -> Html:
    said = "All of it is right." if x else ""
    shown = f"{x.shown[:1].upper()}{x.shown[1:]}." if x.shown else ""
    return page(
        paragraph(element("b", x.headline), f". {' '.join(filter(None, (said, shown)))}".rstrip()),
        join([_finding(str(f)) for f in x.findings]),
        next_line(_next(x)),
    )


def _finding(text: str) -> Html:
    first, *rest = text.splitlines()
    return join([paragraph(first), program(rest)]) if rest else paragraph(first)


def _next(x: Assessment) -> str:
    """A hint (by the variable that holds the exercise, if one does), or the next exercise."""
    name = variable_of(x.exercise)
    return f"labs.hint({name})" if name and not x else x.hint


def exercise_text(x: Exercise) -> str:
    return f"{x}\nnext: {_check(x)}"


def exercise_html(x: Exercise) -> Html:
    lines = x.program.strip().splitlines()
    return page(
        paragraph(element("b", x.headline)),
        paragraph(x.text),
        program(lines) if lines else join(()),
        paragraph(f"Answer with {x.task.form}."),
        next_line(_check(x)),
    )


def _check(x: Exercise) -> str:
    called = x.called.partition(",")
    given = variable_of(x)
    if given:
        return f"labs.check({given}, {answer_name(x.name)})"
    return f"labs.check({called[0]}, {answer_name(x.name)}{called[1]}{called[2]})"
