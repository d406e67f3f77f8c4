"""How a Derivation is shown: verdict, before and after, what was decided and why, the steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from polynb import isl
from polynb.derivation import Derivation, Step, original, what
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.show.displays.diff import as_text, beside, side_by_side
from polynb.show.displays.display import Display
from polynb.show.displays.naming import variable_of
from polynb.show.displays.reading import read_back_box, read_back_lines
from polynb.show.displays.registry import begins, report_of
from polynb.show.html import (
    Html,
    details,
    element,
    next_line,
    page,
    paragraph,
    sentence,
)
from polynb.show.words import lacks, questions, reminders, unmarked
from polynb.words import counted

LONG: Final = 2000  # characters of what is no program


def display(derivation: Derivation[Any, Any]) -> Display:
    """The verdict, before and after, what was decided, the steps, and whether it is the same."""
    report = report_of(derivation)
    verdict, notes = report.verdict(derivation), [*questions(derivation), *lacks(derivation)]
    parts = (
        paragraph(element("b", sentence(verdict))),
        *(paragraph("⚠ ", sentence(note)) for note in notes),
        *read_back_box(derivation),
        _both(derivation),
        report.tables(derivation),
        _steps_list(derivation.steps),
        *_same(derivation),
    )
    text = (
        unmarked(verdict),
        *(f"note: {note}" for note in notes),
        *read_back_lines(derivation),
        "",
        _both_texts(derivation),
        "",
        *map(unmarked, report.lines(derivation)),
        *filter(None, [sameness(derivation)]),
    )
    return Display("\n".join(text), parts, (report.next_line(derivation),))


def below_stepper(derivation: Derivation[Any, Any]) -> Html:
    """What the stepper does not say. What it asks, beside its verdict, is asked once more in short
    at the end, which is all that is seen when a notebook goes on to the next cell."""
    report = report_of(derivation)
    notes = (*lacks(derivation), *reminders(derivation))
    return page(
        report.below(derivation),
        *_same(derivation),
        *read_back_box(derivation),
        *(paragraph("⚠ ", sentence(text)) for text in notes),
        next_line(report.next_line(derivation)),
    )


def _same(derivation: Derivation[Any, Any]) -> Iterator[Html]:
    """Whether it computes what the program did."""
    return map(paragraph, filter(None, [sameness(derivation)]))


def _both(derivation: Derivation[Any, Any]) -> Html:
    """Before and after; two programs with what changed marked."""
    show = side_by_side if derivation.rewrites else beside
    return show(titles(derivation), text_of(derivation.before), text_of(derivation.result))


def _both_texts(derivation: Derivation[Any, Any]) -> str:
    before, after = text_of(derivation.before), text_of(derivation.result)
    if derivation.rewrites:
        return as_text(before, after)
    first, second = titles(derivation)
    return f"{first}\n{before}\n\n{second}\n{after}"


def text_of(x: object) -> str:
    """The text of a program; of another thing what it says of itself, or the beginning of that."""
    text = str(x)
    return text if isinstance(x, Scop) or len(text) <= LONG else f"{text[:LONG]} …"


def titles(derivation: Derivation[Any, Any]) -> tuple[str, str]:
    """What stands above the two programs: how large each is."""
    return (
        f"before: {_size(derivation.before)}",
        f"after {derivation.name}: {_size(derivation.result)}",
    )


def _size(x: object) -> str:
    return counted(len(x.statements), "statement") if isinstance(x, Scop) else what(x)


def _steps_list(steps: Sequence[Step]) -> Html:
    """The steps as a numbered list of sentences, folded; those that begin something in bold."""
    known: set[str] = set()
    told = [(s, sentence(str(s), known)) for s in steps]
    items = [element("li", element("b", text) if begins(s) else text) for s, text in told]
    numbered = element("ol", *items, style="margin:0;padding-left:2.2em")
    return details(counted(len(steps), "step"), numbered)


# Whether what a derivation ends in computes what its program did: a line of its display.
#
# It is proved, in the little time that a display has, or else checked at some small sizes.


SECONDS: Final = 0.5
CHECKING: Final = 0.3
INSTANCES: Final = 2_000
"""The most statement instances that a check runs at one size."""
SIZES: Final = (0, 1, 5, 8)

_known: WeakKeyDictionary[Derivation[Any, Any], str] = WeakKeyDictionary()


def sameness(derivation: Derivation[Any, Any]) -> str:
    """In a sentence, the same one for a derivation each time; "" where there is nothing to say, as
    nothing was changed, or no program is left."""
    if not derivation.rewrites or derivation.result is derivation.before:
        return ""
    if derivation not in _known:
        _known[derivation] = _found(original(derivation), derivation.result, derivation)
    return _known[derivation]


def _found(before: Scop, after: Scop, derivation: Derivation[Any, Any]) -> str:
    from polynb.proofs import prove  # this loads all that runs programs

    try:
        proof = prove(before, after, seconds=SECONDS)
    except PolynbError as error:
        return f"Whether it computes the same is not known: {error.message}."
    if proof.scope:
        return f"It computes {proof.answer}: {proof.scope}."
    return _checked(before, after, variable_of(derivation) or "_")


def _checked(before: Scop, after: Scop, name: str) -> str:
    from polynb.run.oracle import equivalent
    from polynb.run.verdicts import DIFFERENT, FORM, SAME

    same, form = list[int](), False
    try:
        with isl.budget(seconds=CHECKING):
            for size in SIZES if before.parameters else (0,):
                values = dict.fromkeys(before.parameters, size)
                if isl.fix_parameters(before.assumed, values).is_empty():
                    continue
                found = equivalent(before, after, values, limit=INSTANCES)
                if found.answer == DIFFERENT:
                    return f"It does not compute the same: {found.difference}"
                form |= not found
                same.append(size)
    except PolynbError:
        pass  # the sizes so far are what was checked
    if not same:
        return f"Whether it computes the same takes longer to prove: pn.prove({name})."
    sizes = f" for {' = '.join(before.parameters)} = {', '.join(map(str, same))}"
    answer = FORM if form else SAME
    return f"It computes {answer}, checked{sizes if before.parameters else ''}."
