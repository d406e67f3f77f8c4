"""How a Derivation is shown: verdict, before and after, what was decided and why, the steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from polynb import isl
from polynb.derivation import Derivation, Step, original, what
from polynb.errors import PolynbError
from polynb.scop import Scop
from polynb.show.displays.diff import as_text, beside, side_by_side
from polynb.show.displays.naming import variable_of
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
from polynb.show.words import lacks, questions, unmarked
from polynb.words import counted

LONG: Final = 2000  # characters of what is no program


def derivation_html(derivation: Derivation[Any, Any]) -> Html:
    told = report_of(derivation)
    return page(
        paragraph(element("b", sentence(told.verdict(derivation)))),
        *asked(derivation),
        _both(derivation),
        told.tables(derivation),
        steps_list(counted(len(derivation.steps), "step"), derivation.steps),
        *same(derivation),
        next_line(told.next_line(derivation)),
    )


def below_stepper(derivation: Derivation[Any, Any]) -> Html:
    """What the stepper does not say: it asks what there is to ask, beside its verdict."""
    told = report_of(derivation)
    needed = [paragraph("⚠ ", sentence(text)) for text in lacks(derivation)]
    below = told.below(derivation), *same(derivation)
    return page(*needed, *below, next_line(told.next_line(derivation)))


def same(derivation: Derivation[Any, Any]) -> list[Html]:
    """Whether it computes what the program did."""
    said = sameness(derivation)
    return [paragraph(said)] if said else []


def derivation_text(derivation: Derivation[Any, Any]) -> str:
    told = report_of(derivation)
    return "\n".join(
        [
            unmarked(told.verdict(derivation)),
            *(f"note: {q}" for q in notes(derivation)),
            "",
            _both_texts(derivation),
            "",
            *map(unmarked, told.lines(derivation)),
            *filter(None, [sameness(derivation)]),
            f"next: {told.next_line(derivation)}",
        ]
    )


def notes(derivation: Derivation[Any, Any]) -> list[str]:
    """What is asked about the program that it starts from, and what a kernel of that needs."""
    return [*questions(derivation), *lacks(derivation)]


def asked(derivation: Derivation[Any, Any]) -> list[Html]:
    return [paragraph("⚠ ", sentence(q)) for q in notes(derivation)]


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
    return (
        f"before: {_size(derivation.before)}",
        f"after {derivation.name}: {_size(derivation.result)}",
    )


def _size(x: object) -> str:
    return counted(len(x.statements), "statement") if isinstance(x, Scop) else what(x)


def steps_list(title: str, steps: Sequence[Step]) -> Html:
    """The steps as a numbered list of sentences, folded; those that begin something in bold."""
    known: set[str] = set()
    said = [(s, sentence(str(s), known)) for s in steps]
    items = [element("li", element("b", text) if begins(s) else text) for s, text in said]
    return details(title, element("ol", *items, style="margin:0;padding-left:2.2em"))


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
