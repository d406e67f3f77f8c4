"""How an exercise of a lab is shown, and what is said of an answer: points, what shows that
something is wrong, and the next line to type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from polynb.errors import PolynbError
from polynb.isl import BudgetExhausted, budget
from polynb.labs import Assessment, Exercise
from polynb.labs.answers import answer_name
from polynb.labs.checking import is_missing
from polynb.labs.tasks.sets import SetTask
from polynb.show.displays.display import Display
from polynb.show.displays.naming import variable_of
from polynb.show.draw.answer_picture import ComparedPoints, answer_picture, clearest
from polynb.show.draw.kinds import ANSWERS
from polynb.show.draw.svg import GREEN, INK, ORANGE
from polynb.show.html import Html, element, image, join, paragraph, program, sentence

SIGNS: Final = {
    "all": ("✓", GREEN),
    "some": ("◐", ORANGE),
    "none": ("✗", ANSWERS["wrong"].colour),
    "open": ("…", INK),
}
COMFORTABLE: Final = (8, 5, 3)
"""Parameter values of a picture that is no longer a few points, and not yet too many."""
NEAR: Final = (2, 6)
"""How far around the right points it goes: further, where nothing else is to be seen."""
BUDGET: Final = 2_000_000


def assessment(x: Assessment) -> Display:
    """A graded answer: its points, what they are for, and what shows that something is wrong."""
    praise = "All of it is right." if x else ""
    shown = f"{x.shown[:1].upper()}{x.shown[1:]}." if x.shown else ""
    counted = f"Counted: {x.counted}." if x.counted else ""
    rest = f". {' '.join(filter(None, (praise, shown, counted)))}".rstrip()
    parts = (_headline(x, rest), *(_finding(str(f)) for f in x.findings), _picture(x))
    return Display(str(x), parts, (_next(x),))


def _headline(x: Assessment, rest: str) -> Html:
    """The points, with a sign and a colour: all of them, some, none, or no answer yet."""
    sign, colour = SIGNS[_state(x)]
    style = f"margin:0.5em 0;padding:2px 0 2px 10px;border-left:4px solid {colour}"
    return element("p", f"{sign} ", element("b", x.headline), sentence(rest), style=style)


def _state(x: Assessment) -> str:
    if x or x.points > 0:
        return "all" if x else "some"
    return "open" if is_missing(x._answer) else "none"


def _picture(x: Assessment) -> Html | str:
    """What is missing of a set, and what does not belong to it, where that can be drawn."""
    task = x.exercise._task
    if not isinstance(task, SetTask) or x.witness is None:
        return ""
    try:
        with budget(BUDGET):
            found = clearest(_compared(x, task, at, far) for far in NEAR for at in _sizes(x))
    except (BudgetExhausted, PolynbError):
        return ""
    if found is None:
        return ""
    made = answer_picture(found, _dimensions(x.exercise, task))
    return image(str(made.svg), made.alt, made.svg.width)


def _compared(x: Assessment, task: SetTask, at: Mapping[str, int], far: int) -> ComparedPoints:
    right, given = task.compared(x._answer, at, far)
    return ComparedPoints(frozenset(right), frozenset(given), at, task.relation)


def _dimensions(x: Exercise, task: SetTask) -> dict[str, tuple[str, ...]]:
    """The tuples of a set, with the iterators of the program's statements."""
    known = {s.name: s.iterators for s in x.scop.statements} if x.program else {}
    return {
        name: own if len(own := known.get(name, ())) == depth else tuple("ijklmnpq"[:depth])
        for name, depth in task.tuples.items()
    }


def _sizes(x: Assessment) -> Iterator[dict[str, int]]:
    """Parameter values for a picture: those where something is wrong, larger ones first."""
    found = [dict(f.witness.parameters) for f in x.findings if f.witness is not None]
    least = {n: max(at[n] for at in found) for n in found[0]}
    yield from ({n: max(v, most) for n, v in least.items()} for most in COMFORTABLE)
    yield from (least, *found)


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
