"""How the kinds of dependences look: a colour, a dash and a head each, so that no reader depends
on colour alone. The colours were checked for contrast and under three kinds of colour blindness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb.show.draw.svg import BLUE, BROWN, INK, VIOLET


@dataclass(frozen=True)
class Kind:
    """`dash` is SVG's; `head` is "filled" or "open" (a triangle), or "diamond"."""

    name: str
    meaning: str
    colour: str
    dash: str | None
    width: float
    head: str


KINDS: Final = {
    "raw": Kind("RAW", "written, then read", BLUE, None, 1.5, "filled"),
    "war": Kind("WAR", "read, then overwritten", BROWN, "5 3", 1.5, "open"),
    "waw": Kind("WAW", "written, then overwritten", VIOLET, "0.1 4", 2.0, "diamond"),
    "rar": Kind("RAR", "read, then read", INK, "2 2", 1.2, "open"),
    "map": Kind("map", "related", BLUE, None, 1.3, "filled"),
}

EVIDENCE: Final = {
    "condition": Kind("live range", "must be local", BLUE, None, 3.2, "filled"),
    "conditioned": Kind("order", "only next to stretched live ranges", VIOLET, "7 3 1 3", 1.4,
                        "filled"),
    "violated": Kind("violated", "turned around", "#B3261E", "2 2", 2.2, "filled"),
}  # fmt: skip
"""What steps show besides, in pictures."""

ANSWERS: Final = {
    "right": Kind("right", "as it should be", INK, None, 1.2, "filled"),
    "missing": Kind("missing", "should be there", BLUE, "5 3", 1.8, "open"),
    "wrong": Kind(
        "wrong", "should not be there", EVIDENCE["violated"].colour, "2 2", 2.0, "filled"
    ),
}
"""An answer to an exercise, beside what is right."""

RANGES: Final = {
    "first": Kind("live range", "is overwritten", KINDS["raw"].colour, None, 2.4, "filled"),
    "second": Kind("live range", "by this", EVIDENCE["violated"].colour, "6 3", 2.4, "filled"),
}
"""Two live ranges of one cell that a new order makes overlap."""
