"""How a Derivation is shown: verdict, before and after, what was decided and why, the steps."""

from __future__ import annotations

from collections.abc import Sequence

from polynb.derivation import Derivation, Step
from polynb.show.displays.decisions import decisions
from polynb.show.displays.diff import as_text, side_by_side
from polynb.show.displays.reports import report_of
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
from polynb.show.trace.steps import begins
from polynb.words import counted


def derivation_html(derivation: Derivation) -> Html:
    told = report_of(derivation)
    return page(
        paragraph(element("b", told.verdict(derivation))),
        side_by_side(titles(derivation), str(derivation.before), str(derivation.result)),
        told.tables(derivation),
        steps_list(counted(len(derivation.steps), "step"), derivation.steps),
        next_line(told.next_line(derivation)),
    )


def below_stepper(derivation: Derivation) -> Html:
    """What the stepper does not say."""
    told = report_of(derivation)
    return page(told.below(derivation), next_line(told.next_line(derivation)))


def derivation_text(derivation: Derivation) -> str:
    told = report_of(derivation)
    return "\n".join(
        [
            told.verdict(derivation),
            "",
            as_text(str(derivation.before), str(derivation.result)),
            "",
            *told.lines(derivation),
            f"next: {told.next_line(derivation)}",
        ]
    )


def titles(derivation: Derivation) -> tuple[str, str]:
    before, after = derivation.before, derivation.result
    return (
        f"before: {counted(len(before.statements), 'statement')}",
        f"after {derivation.name}: {counted(len(after.statements), 'statement')}",
    )


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
