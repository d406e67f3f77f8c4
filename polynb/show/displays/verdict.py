"""How a Verdict of `pn.check` is shown: legal or not, with a witness for each reason, and pictures
of the first conflicts: live ranges that overlap, on time lines and in the iteration space."""

from __future__ import annotations

from typing import Final

from polynb.isl import BudgetExhausted, budget
from polynb.legality import Verdict
from polynb.show.displays.display import Display
from polynb.show.displays.naming import variable_of
from polynb.show.draw.collision import JudgedMove
from polynb.show.draw.verdict_pictures import ConflictPicture, conflict_pictures
from polynb.show.html import (
    Html,
    code,
    columns,
    element,
    image,
    join,
    next_line,
    paragraph,
    table,
)

BUDGET: Final = 2_000_000


def display(verdict: Verdict) -> Display:
    """Legal or not, with the witnesses; a page leads to what would mend it."""
    mendable = not verdict and verdict.asked is not None
    parts = (
        paragraph(element("b", "legal" if verdict else "illegal"), _because(verdict)),
        _conflicts(verdict),
        conflicts_html(verdict),
        _ignored(verdict),
        next_line(f"{variable_of(verdict) or '_'}.repairs") if mendable else "",
    )
    return Display(str(verdict), parts)


def _because(verdict: Verdict) -> str:
    if not verdict:
        return ": some instances would read or leave behind other values."
    return str(verdict).removeprefix("legal")


def _conflicts(verdict: Verdict) -> str:
    if not verdict.conflicts:
        return ""
    rows = [(c.kind, code(c.array), str(c)) for c in verdict.conflicts]
    return table("Conflicts", ("kind", "array", "witness"), rows, wrap=(2,))


def _ignored(verdict: Verdict) -> str:
    if not verdict.ignored:
        return ""
    rows = [(v.edge.flow_name, f"{v.edge.source} → {v.edge.target}", code(v.edge.array), str(v))
            for v in verdict.ignored]  # fmt: skip
    heads = ("false dependence", "edges", "array", "witness")
    return table("Ignored", heads, rows, wrap=(3,))


def conflicts_html(verdict: Verdict | JudgedMove, most: int = 3, *, told: bool = False) -> Html:
    """Both pictures of each of the first conflicts, side by side where there is room; if they are
    to be `told`, in a sentence as well."""
    try:
        with budget(BUDGET):
            found = conflict_pictures(verdict, most)
    except BudgetExhausted:
        return paragraph("The live ranges are too complex to draw.", muted=True)
    return join([x for c in found for x in _shown(c, told)])


def _shown(c: ConflictPicture, told: bool) -> list[Html]:
    pictures = columns(*(image(str(p.svg), p.alt, p.svg.width) for p in c.parts))
    return [paragraph(c.sentence), pictures] if told else [pictures]
