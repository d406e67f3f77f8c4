"""Algorithm 1 (TACO'19) as the text that the stepper shows, and the lines that a step is of.

Lines have the paper's numbers. They stand in the order in which they have to be done: the
dimensions of completed loops come before the point is inserted, as in Figure 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polynb.folding.steps import (
    Absorbed,
    Created,
    Determined,
    FoldingStep,
    GivenUp,
    Promoted,
    Retired,
)
from polynb.show.trace.format import ProgramJson

TITLE: Final = "Algorithm 1, in the order of Figure 5"
GIVE_UP: Final = "5.2.4"  # the section of the one line that has no number
LINES: Final = (
    ("7", "while True:"),
    ("9", "    point = wait_next_point()"),
    ("", "    # first the dimensions of the loops that are complete, from the inside outwards"),
    ("15", "    for d in process_dims(point), d > 1:"),
    ("17", "        for p in absorbers[d-1]:"),
    ("18", "            p.move(absorbers[d-1], to_be_absorbed[d])"),
    ("20", "        for abso in absorbers[d]:"),
    ("24", "            to_be_abs = to_be_absorbed[d][corner + v]"),
    ("26", "            if has_compat_label and has_compat_geometry:"),
    ("28", "                update_geometry(abso, to_be_abs, d)"),
    ("29", "                update_label(abso, to_be_abs)"),
    ("34", "            else: abso.move(absorbers[d], to_be_absorbed[d+1])"),
    ("37", "        not_abs.move(to_be_absorbed[d], absorbers[d])"),
    (GIVE_UP, "    if more than 4D + 1 live: give up"),
    ("", "    # then the point itself, along d = 1 (lines 17 to 37)"),
    ("13", "    absorbers[0].insert(new Polyhedron(point))"),
    ("39", "flush_pending_polyhedra()"),
)
"""The paper's number of each line ("" of a remark), and its text."""


def program() -> ProgramJson:
    """The lines, each with an id of its own."""
    width = max(len(n) for n, _ in LINES)
    shown = [
        [[f"{n:>{width}} "], [text, line_id(n)]] if n else [[f"{'':{width}} {text}"]]
        for n, text in LINES
    ]
    return {"title": TITLE, "lines": shown}


def line_id(number: str) -> str:
    """What marks a line of the algorithm: an id as those of statements are."""
    return f"s:line {number}".replace(" ", "-")


def marks(step: FoldingStep) -> list[str]:
    """The lines that a step is what they do."""
    return [line_id(n) for n in _lines(step)]


def _lines(step: FoldingStep) -> Sequence[str]:
    match step:
        case Created():
            return ("13",)
        case Absorbed():
            return ("24", "26", "28")
        case Determined():
            return ("29",)
        case Promoted(completed=True):
            return ("18",)
        case Promoted():
            return ("34",)
        case GivenUp():
            return (GIVE_UP,)
        case Retired():
            return ("39",)
    raise AssertionError(f"an unknown step: {step}")
