"""Reductions in whole programs, where an instruction's text is the line that it stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from polynb.tracing.feedback.bands import CarriedDependence
from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.overapproximation import FlowDependence
from polynb.tracing.feedback.reductions import names_apart
from polynb.tracing.model import Instruction

PLACE: Final = r"\w[\w.]*(?:->\w+|\[[^\]]*\])*"
GATHERING: Final = re.compile(
    rf"(?P<into>{PLACE})\s*[-+*&|^]=(?!=)|^[^=]*?(?P<counted>{PLACE})\s*(\+\+|--)\s*;?$"
    rf"|(?P<same>{PLACE})\s*=\s*(?P=same)\s*[-+*&|^](?![&|])"
)


def gathered_by_line(
    node: LoopNode, carried: Sequence[CarriedDependence], flow: Sequence[FlowDependence]
) -> tuple[str, ...]:
    """The variables or cells of a reduction, if a loop carries nothing else: a line adds to each
    (or multiplies ...), and no other line in the loop reads it. () else."""
    inside = {i.name: i for i in node.inside}
    found: dict[tuple[str, int], str] = {}
    for c in carried:
        source, target = inside[c.source], inside[c.target]
        if not c.exact or source.state or _at(source) != _at(target):
            return ()
        if (match := GATHERING.search(source.text)) is None:
            return ()
        place = match["into"] or match["counted"] or match["same"]
        if not names_apart(place, source.text[match.end() :]):
            return ()
        found[_at(source)] = place
    asked = (f for f in flow if f.source in inside and f.target in inside)
    if any(_at(inside[f.source]) in found and _at(inside[f.target]) not in found for f in asked):
        return ()
    return tuple(found.values())


def _at(i: Instruction) -> tuple[str, int]:
    return i.file, i.line
