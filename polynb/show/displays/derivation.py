"""How a Derivation is shown: verdict, before and after, what was decided and why, the steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from polynb.derivation import Derivation, Step, what
from polynb.scop import Scop
from polynb.show.displays.decisions import decisions
from polynb.show.displays.diff import as_text, beside, side_by_side
from polynb.show.displays.registry import begins, report_of
from polynb.show.html import (
    Html,
    code,
    details,
    element,
    next_line,
    page,
    paragraph,
    sentence,
)
from polynb.show.words import lacks, questions
from polynb.words import counted

LONG: Final = 2000  # characters of what is no program


def derivation_html(derivation: Derivation[Any, Any]) -> Html:
    told = report_of(derivation)
    return page(
        paragraph(element("b", told.verdict(derivation))),
        *asked(derivation),
        _both(derivation),
        told.tables(derivation),
        steps_list(counted(len(derivation.steps), "step"), derivation.steps),
        next_line(told.next_line(derivation)),
    )


def below_stepper(derivation: Derivation[Any, Any]) -> Html:
    """What the stepper does not say."""
    told = report_of(derivation)
    return page(*asked(derivation), told.below(derivation), next_line(told.next_line(derivation)))


def derivation_text(derivation: Derivation[Any, Any]) -> str:
    told = report_of(derivation)
    return "\n".join(
        [
            told.verdict(derivation),
            *(f"note: {q}" for q in notes(derivation)),
            "",
            _both_texts(derivation),
            "",
            *told.lines(derivation),
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
    items = [element("li", element("b", str(s)) if begins(s) else str(s)) for s in steps]
    return details(title, element("ol", *items, style="margin:0;padding-left:2.2em"))


def explanation(derivation: Derivation, name: str) -> dict[str, str]:
    """Why an array was removed or kept, with every step about it, as a mime bundle.

    Raises PolynbError if nothing was decided about that name.
    """
    derivation.why(name)  # refuses unknown names
    decision = next(d for d in decisions(derivation) if d.array == name)
    items = [element("li", str(s)) for s in decision.steps]
    outcome = f" is {decision.outcome}. " if decision.outcome else ": "
    shown = page(
        paragraph(element("b", "Why ", code(name), outcome), sentence(decision.why)),
        element("ol", *items, style="margin:0;padding-left:2.2em"),
    )
    numbered = "\n".join(f"{k:3}. {s}" for k, s in enumerate(decision.steps, 1))
    text = f"Why {name}{outcome}{decision.why}\n{numbered}"
    return {"text/plain": text, "text/html": shown}
