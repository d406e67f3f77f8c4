"""Loops that carry only what an associative operation gathers: sums, counts, products, extremes.

Such a loop is not parallel as it stands; but its iterations may be gathered in parts, as OpenMP's
`reduction` does it (of floats, with other roundings). It is one where all that it carries leads
from `s += ...` to itself, and nothing inside reads `s` otherwise, within an iteration or later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.folding import Folded
from polynb.tracing.feedback.accumulating import (
    ASKED,
    accumulated,
    base_of,
    extreme,
    extreme_in,
    gathered_in,
)
from polynb.tracing.feedback.bands import CarriedDependence, at_depth
from polynb.tracing.feedback.cells import in_one_cell
from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.overapproximation import FlowDependence
from polynb.tracing.model import Folding
from polynb.tracing.programs.narrowing import narrows
from polynb.tracing.records import Instruction

POINTER: Final = 8
"""Bytes of a variable that may lead elsewhere."""


@isl.guarded
def gathered(
    node: LoopNode,
    carried: Sequence[CarriedDependence],
    flow: Sequence[FlowDependence],
    lines: Sequence[str] = (),
) -> tuple[str, ...]:
    """What a loop gathers, if that is all that it carries; () if it is not. `lines` are those of
    the text."""
    inside = {i.name: i for i in node.inside}
    look = _Loop(
        inside, [f for f in flow if not at_depth(f.relation, node.depth).is_empty()], lines
    )
    found = []
    for c in carried:
        place = None if c.unknown or c.state else look.gathers(inside[c.source], inside[c.target])
        if place is None:
            return ()
        found.append(place)
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, eq=False)
class _Loop:
    """The instructions of a loop by name, and what flows within one iteration of those around."""

    inside: dict[str, Instruction]
    flow: Sequence[FlowDependence]
    lines: Sequence[str]

    def gathers(self, source: Instruction, target: Instruction) -> str | None:
        """The place that a carried dependence gathers in; None if it is of another kind."""
        if source.cut:
            return None
        if target.kind == "condition":
            return self._asked(source, target)
        if source is target:
            place = self._place(source)
            return place if place and self._takers(source) <= {source.name} else None
        if source.kind != "store" or target.kind != "load" or source.text != target.text:
            return None
        if self._extreme(source, target):
            return source.text
        if (source.statement, source.place) != (target.statement, target.place):
            return None
        updates = [self.inside[n] for n in self._takers(target)]
        if len(updates) != 1 or updates[0].cut or self._place(updates[0]) != source.text:
            return None
        if self._takers(updates[0]) != {source.name} or self._takers(source) != {target.name}:
            return None
        return source.text

    def _place(self, i: Instruction) -> str | None:
        """What an assignment gathers in, if that holds all that it is given."""
        found = extreme(i.text)
        cut = found is not None and narrows(self.lines, i.line, *found)
        return None if cut else accumulated(i.text)

    def _asked(self, source: Instruction, asked: Instruction) -> str | None:
        """`if (a[i] > most) most = a[i];`"""
        sides = ASKED.fullmatch(asked.text)
        if sides is None or source.text not in sides.groups():
            return None
        if asked.name not in (name for name, _ in source.under) or self._more(source, asked):
            return None
        other = sides[2] if sides[1] == source.text else sides[1]
        within = self._takers(source) == {asked.name} and re.fullmatch(r"\w+", other)
        kept = within and not narrows(self.lines, source.line, other, source.text)
        return other if kept else None

    def _extreme(self, source: Instruction, target: Instruction) -> bool:
        """`if (a[i] > *most) *most = a[i];`: what is stored is what was compared."""
        takers = self._takers(target)
        asked = self.inside[next(iter(takers))] if len(takers) == 1 else None
        sides = ASKED.fullmatch(asked.text) if asked is not None else None
        if asked is None or sides is None or source.text not in sides.groups():
            return False
        if asked.name not in (n for n, _ in source.under) or self._more(source, asked):
            return False
        other = sides[2] if sides[1] == source.text else sides[1]
        given = self._givers(source) - {*source.placed}
        same = all(self.inside[n].text == other for n in given if n in self.inside)
        same = same or (self._says(source, other) and given == self._givers(asked) - {target.name})
        kept = bool(given) and same and not narrows(self.lines, source.line, source.text, other)
        return kept and self._takers(source) == {target.name}

    def _says(self, store: Instruction, name: str) -> bool:
        """Whether a store's line gives its place the value of a variable: a parameter, say, whose
        value is told of where it was loaded."""
        line = self.lines[store.line - 1] if store.line <= len(self.lines) else ""
        says = rf"(?<![\w*]){re.escape(store.text)}\s*=\s*{re.escape(name)}\s*;"
        return re.fullmatch(r"\w+", name) is not None and re.search(says, line) is not None

    def _givers(self, i: Instruction) -> set[str]:
        return {f.source for f in self.flow if f.target == i.name}

    def _more(self, source: Instruction, asked: Instruction) -> bool:
        """Whether something else comes of a condition than what is stored: `most = a[i]; where =
        i;`. (A load is also what gives a register its value.)"""
        made = self._made_of(source)
        under = (i for i in self.inside.values() if asked.name in (name for name, _ in i.under))
        return any(i.name not in made for i in under)

    def _made_of(self, i: Instruction) -> set[str]:
        """An instruction, and those that its value and its place are made of."""
        found, left = {i.name}, [i]
        while left:
            one = left.pop()
            for name in (self._givers(one) | {*one.placed}) - found:
                found.add(name)
                left += [self.inside[name]] if name in self.inside else []
        return found

    def _takers(self, i: Instruction) -> set[str]:
        return {f.target for f in self.flow if f.source == i.name}


# -- whole programs, where an instruction's text is the line that it stands in -----------------


def gathered_by_line(
    node: LoopNode,
    carried: Sequence[CarriedDependence],
    flow: Sequence[FlowDependence],
    folding: Folding,
) -> tuple[str, ...]:
    """The variables or cells of a reduction, if a loop carries nothing else: a line adds to each
    (or multiplies ...), and no other line in the loop reads it. () else."""
    inside = {i.name: i for i in node.inside}
    found: dict[tuple[str, int], tuple[str, str]] = {}
    for c in carried:
        source, target = inside[c.source], inside[c.target]
        if not c.sure or c.unknown or source.state or source.cut or _at(source) != _at(target):
            return ()
        place = gathered_in(source.text)
        if place is None or not _same_cell(source, target, folding.executed):
            return ()
        if _cut(source, folding) or not _goes_to(place, source, folding):
            return ()
        if found.setdefault(_at(source), (place, source.name)) != (place, source.name):
            return ()  # the line hands on something else as well
    asked = (f for f in flow if f.source in inside and f.target in inside)
    if any(_at(inside[f.source]) in found and _at(inside[f.source]) != _at(inside[f.target])
           for f in asked):  # fmt: skip
        return ()
    places = {at: place for at, (place, _) in found.items()}
    if any(_decided(i, node.depth, places) for i in inside.values()):
        return ()
    return tuple(places.values())


def _cut(source: Instruction, folding: Folding) -> bool:
    """Whether the place of an extreme may not hold all of what it is given."""
    lines, found = folding.sources[source.file].text.split("\n"), extreme_in(source.text)
    return found is not None and narrows(lines, source.line, *found)


def _goes_to(place: str, source: Instruction, folding: Folding) -> bool:
    """Whether it may be what a line gathers in that is handed on, and not what else the line
    writes: `o[i] += atomic_fetch_add(&t, i)`."""
    name, variable = base_of(place), base_of(source.variable)
    if variable:
        return variable == name
    direct = re.fullmatch(r"[\w.]+", place) is not None
    own = [b for b in folding.blocks if b.name == name and (direct or b.size != POINTER)]
    ats = [p.at_anchor for p in folding.executed[source.name].pieces]
    return not own or all(any(at in b for b in own) for at in ats)


def _decided(i: Instruction, depth: int, places: Mapping[tuple[str, int], str]) -> bool:
    """Whether it runs as a condition in another line says, which asks for what that gathers: how
    often it does, `else n++`, depends on the order."""
    asked = [re.sub(r"\s", "", c) for c, within in i.under if within > depth]
    others = [re.sub(r"\s", "", place) for at, place in places.items() if at != _at(i)]
    return any(re.search(rf"(?<!\w){re.escape(p)}(?!\w)", c) for p in others for c in asked)


def _same_cell(source: Instruction, target: Instruction, executed: Mapping[str, Folded]) -> bool:
    """Whether what is read is the cell that is written in the same iteration, too, and not one
    that had been written elsewhere, `p[i] += q[i]`, whose `q` is `p - 1`, or in part: words that
    overlap."""
    if source.outputs != ("address",) or target.outputs != ("address",):
        return True
    steps = (x for p in executed[source.name].pieces for x in p.labels[0].coefficients)
    if any(isinstance(x, int) and 0 < abs(x) < source.size for x in steps):
        return False
    read, wrote = (
        {(p.anchor, p.labels) for p in executed[i.name].pieces} for i in (target, source)
    )
    runs = [executed[i.name] for i in (target, source)]
    one = all(in_one_cell(f, 0) for f in runs)
    return read == wrote or (one and runs[0].pieces[0].at_anchor == runs[1].pieces[0].at_anchor)


def _at(i: Instruction) -> tuple[str, int]:
    return i.file, i.line
