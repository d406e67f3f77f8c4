"""Reductions in whole programs, where an instruction's text is the line that it stands in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from polynb.folding import Folded
from polynb.tracing.feedback.bands import CarriedDependence
from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.overapproximation import FlowDependence
from polynb.tracing.feedback.reductions import accumulated, names_apart
from polynb.tracing.library import library_call
from polynb.tracing.model import Instruction

ASSIGNING: Final = re.compile(r"(?<![=<>!])(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--")
HEADS: Final = re.compile(r"\b(?:for|while|if|switch)\s*(?=\()")
CALLED: Final = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


def gathered_by_line(
    node: LoopNode,
    carried: Sequence[CarriedDependence],
    flow: Sequence[FlowDependence],
    executed: Mapping[str, Folded],
) -> tuple[str, ...]:
    """The variables or cells of a reduction, if a loop carries nothing else: a line adds to each
    (or multiplies ...), and no other line in the loop reads it. () else."""
    inside = {i.name: i for i in node.inside}
    found: dict[tuple[str, int], tuple[str, str]] = {}
    for c in carried:
        source, target = inside[c.source], inside[c.target]
        if not c.exact or source.state or _at(source) != _at(target):
            return ()
        place = gathered_in(source.text)
        if place is None or not _same_cell(source, target, executed):
            return ()
        if found.setdefault(_at(source), (place, source.name)) != (place, source.name):
            return ()  # the line hands on something else as well
    asked = (f for f in flow if f.source in inside and f.target in inside)
    if any(_at(inside[f.source]) in found and _at(inside[f.target]) not in found for f in asked):
        return ()
    return tuple(place for place, _ in found.values())


def gathered_in(line: str) -> str | None:
    """What a line gathers in, if that is all that it assigns, and if nothing else that it says
    reads that, nor calls what keeps a state."""
    heads, rest = _without_heads(line)
    written = [s for s in re.split(r"(?<=;)|[{}]", rest) if ASSIGNING.search(s)]
    if len(written) != 1 or not written[0].rstrip().endswith(";"):
        return None
    statement = re.sub(r"^\s*(?:else\b)?\s*", "", written[0]).rstrip().removesuffix(";")
    place = accumulated(statement) if not statement.startswith("return") else None
    if place is None or len(ASSIGNING.findall(statement)) != 1:
        return None
    if any(_keeps(name) for name in CALLED.findall(rest)):
        return None
    apart = names_apart(place, heads) and names_apart(place, rest.replace(written[0], " ", 1))
    return place if apart else None


def _keeps(name: str) -> bool:
    """Whether a function of the library does more than read what it is given."""
    call = library_call(name)
    return call is not None and not (
        replace(call, touched=()).pure and not any(t.writes for t in call.touched)
    )


def _without_heads(line: str) -> tuple[str, str]:
    """The heads of loops and conditions in a line, and the rest."""
    heads = ""
    while found := HEADS.search(line):
        k, depth = found.end(), 0
        while k < len(line):
            depth += (line[k] == "(") - (line[k] == ")")
            k += 1
            if not depth:
                break
        heads, line = f"{heads} {line[found.end() : k]}", line[: found.start()] + line[k:]
    return heads, line


def _same_cell(source: Instruction, target: Instruction, executed: Mapping[str, Folded]) -> bool:
    """Whether what is read is the cell that is written in the same iteration, too, and not one
    that had been written elsewhere: `p[i] += q[i]`, whose `q` is `p - 1`."""
    if source.outputs != ("address",) or target.outputs != ("address",):
        return True
    read, wrote = (
        {(p.anchor, p.labels) for p in executed[i.name].pieces} for i in (target, source)
    )
    return read == wrote


def _at(i: Instruction) -> tuple[str, int]:
    return i.file, i.line
