"""How a Derivation is shown: verdict, before and after, the arrays and why, the steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polynb.derivation import Derivation, Step
from polynb.propagation.steps import ArrayChosen
from polynb.show.decisions import Decision, decisions, verdict
from polynb.show.diff import as_text, side_by_side
from polynb.show.html import (
    Html,
    code,
    details,
    element,
    next_line,
    page,
    paragraph,
    sentence,
    table,
)
from polynb.show.naming import variable_of
from polynb.show.sizes import bench_arguments
from polynb.show.words import counted

SIGNS: Final = {"removed": "− removed", "kept": "= kept", "kept in part": "± kept in part"}


def derivation_html(derivation: Derivation) -> Html:
    decided = decisions(derivation)
    return page(
        paragraph(element("b", verdict(derivation))),
        side_by_side(titles(derivation), str(derivation.before), str(derivation.result)),
        decisions_table(decided),
        steps_list(counted(len(derivation.steps), "step"), derivation.steps),
        next_line(next_of(derivation)),
    )


def derivation_text(derivation: Derivation) -> str:
    decided = decisions(derivation)
    width = max((len(d.array) for d in decided), default=0)
    return "\n".join(
        [
            verdict(derivation),
            "",
            as_text(str(derivation.before), str(derivation.result)),
            "",
            *(f"{d.array:{width}}  {d.outcome}: {d.why}" for d in decided),
            f"next: {next_of(derivation)}",
        ]
    )


def titles(derivation: Derivation) -> tuple[str, str]:
    before, after = derivation.before, derivation.result
    return (
        f"before: {counted(len(before.statements), 'statement')}",
        f"after {derivation.name}: {counted(len(after.statements), 'statement')}",
    )


def decisions_table(decided: Sequence[Decision]) -> Html:
    if not decided:
        return paragraph("No array carries a value from one statement to another.")
    rows = [(code(d.array), SIGNS.get(d.outcome, d.outcome), sentence(d.why)) for d in decided]
    return table("Arrays, and why", ("array", "outcome", "why"), rows, wrap=(2,))


def steps_list(title: str, steps: Sequence[Step]) -> Html:
    """The steps as a numbered list of sentences, folded; the choice of an array in bold."""
    items = [
        element("li", element("b", str(s)) if isinstance(s, ArrayChosen) else str(s)) for s in steps
    ]
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


def next_of(derivation: Derivation) -> str:
    """A way on: to time it; if nothing was done, to allow more, or to see why not."""
    name, before = variable_of(derivation), variable_of(derivation.before)
    decided = decisions(derivation)
    if str(derivation.before) == str(derivation.result) and decided:
        temp = [d.array for d in decided if f"--temp {d.array}" in d.why]
        if temp and before:
            return f"%propagate {before} --temp {','.join(temp)}"
        return f'print({name or "_"}.why("{decided[0].array}"))'
    values = bench_arguments(derivation.before)
    if name is None and before is not None:
        return f"fast = %propagate {before}"
    return f"%bench {name or '_'} {values}".strip()
