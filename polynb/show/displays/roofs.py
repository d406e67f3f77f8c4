"""How a Roofline is shown: what limits each kernel, the picture, and the figures."""

from __future__ import annotations

from polynb.show.displays.display import Display
from polynb.show.displays.naming import variable_of
from polynb.show.draw.roofs import picture
from polynb.show.html import element, image, paragraph, table
from polynb.tuning.roofs import Roofline


def display(found: Roofline) -> Display:
    """The verdicts, the picture, the table, and what was counted."""
    drawn = picture(found)
    rows = found.table
    parts = (
        *(paragraph(element("b", f"{p}.")) for p in found.kernels),
        image(str(drawn.svg), drawn.alt, drawn.svg.width),
        table(
            "What each kernel does, and how fast", rows[0], rows[1:], right=range(1, len(rows[0]))
        ),
        *(paragraph(f"{note}.", muted=True) for note in found.notes),
    )
    return Display(str(found), parts, (f"{variable_of(found) or '_'}.timing",))
