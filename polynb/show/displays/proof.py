"""How the Proof of `pn.prove` is shown: its answer, what was compared, and where programs part."""

from __future__ import annotations

from polynb.proofs.answers import Proof
from polynb.run.verdicts import DIFFERENT, FORM, Difference
from polynb.show.displays.naming import variable_of
from polynb.show.html import Html, element, join, next_line, page, paragraph, program


def proof_text(proof: Proof) -> str:
    return f"{proof}\nnext: {_next(proof)}"


def proof_html(proof: Proof) -> Html:
    return page(
        paragraph(element("b", proof.answer), _because(proof)),
        join(()) if proof.difference is None else _difference(proof.difference),
        next_line(_next(proof)),
    )


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


def _difference(found: Difference) -> Html:
    first, *rest = str(found).splitlines()
    said = paragraph(f"{first}{':' if rest else '.'}")
    return join([said, program([line.strip() for line in rest])] if rest else [said])


def _next(proof: Proof) -> str:
    """Its steps, where it is about programs."""
    if proof.programs is None:
        return "pn.prove(before, after)"
    name = variable_of(proof)
    return f"%step {name}" if name else "_.step()"
