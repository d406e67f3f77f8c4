"""How the Proof of `pn.prove` is shown: its answer, what was compared, and where programs part."""

from __future__ import annotations

from polynb.proofs.answers import Proof
from polynb.run.verdicts import DIFFERENT, FORM, Difference
from polynb.show.displays.display import Display
from polynb.show.displays.naming import step_line
from polynb.show.html import Html, element, join, paragraph, program


def display(proof: Proof) -> Display:
    """The answer and why, then the difference that was seen, if one was."""
    answer = paragraph(element("b", proof.answer), _because(proof))
    difference = "" if proof.difference is None else _difference(proof.difference)
    return Display(str(proof), (answer, difference), (_next(proof),))


def _because(proof: Proof) -> str:
    if proof.scope:
        return (
            f": {proof.scope}. Both programs leave the same in every cell that either writes, but "
            "for those of temporaries."
        )
    if proof.answer == DIFFERENT:
        return ": the programs do not leave the same."
    if proof.answer == FORM:
        return ": what is left is computed in another way, and no bits were seen to differ."
    return f": {proof.reason}."


def _difference(difference: Difference) -> Html:
    first, *rest = str(difference).splitlines()
    headline = paragraph(f"{first}{':' if rest else '.'}")
    return join([headline, program([line.strip() for line in rest])] if rest else [headline])


def _next(proof: Proof) -> str:
    """Its steps, where it is about programs."""
    return "pn.prove(before, after)" if proof.programs is None else step_line(proof)
