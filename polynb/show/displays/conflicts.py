"""How conflicts are shown: live ranges that overlap, on time lines and in the iteration space."""

from __future__ import annotations

from typing import Final

from polynb.isl import BudgetExhausted, budget
from polynb.legality import Verdict
from polynb.show.draw.collision import JudgedMove
from polynb.show.draw.verdict_pictures import ConflictPicture, conflict_pictures
from polynb.show.html import Html, columns, image, join, paragraph

BUDGET: Final = 2_000_000


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
