"""Loops that carry only what an associative operation gathers: sums, counts, products, extremes.

Such a loop is not parallel as it stands; but its iterations may be gathered in parts, as OpenMP's
`reduction` does it (of floats, with other roundings). It is one where all that it carries leads
from `s += ...` to itself, and nothing inside reads `s` otherwise, within an iteration or later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.tracing.feedback.bands import CarriedDependence, at_depth
from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.overapproximation import FlowDependence
from polynb.tracing.model import Instruction

UPDATE: Final = re.compile(r"(?P<place>[^=<>!]+?) (?:\+|-|\*|\||&|\^)= (?P<rest>[^=].*)")
STEP: Final = re.compile(r"(?:\+\+|--)(?P<a>[^+-]+)|(?P<b>[^+-]+)(?:\+\+|--)")
WRITTEN: Final = re.compile(
    r"(?P<place>[^=<>!]+?) = (?P=place) (?P<op>[+*|&^-]) (?P<rest>[^=<>?]+)"
)
EXTREME: Final = re.compile(
    r"(?P<place>[^=<>!]+?) = (?:"
    r"\(?(?P<a>[^?]+?) [<>]=? (?P<b>[^?]+?)\)? \? (?P<c>.+) : (?P<d>.+)"
    r"|f(?:max|min)f?\((?P<e>[^,]+), (?P<f>[^,]+)\))"
)
ASKED: Final = re.compile(r"(.+?) [<>]=? (.+)")
ADDING: Final = ("+", "-")
SPACED: Final = re.compile(
    r"\s*((?:<<|>>|[-+*/%&|^])=|[=<>!]=|[=?:,]|<(?![<=])|(?<![->])>(?![>=])"
    r"|(?<=[\w)\]])\s*(?:[+*|&^]|-(?!>)))\s*"
)


@isl.guarded
def gathered(
    node: LoopNode, carried: Sequence[CarriedDependence], flow: Sequence[FlowDependence]
) -> tuple[str, ...]:
    """What a loop gathers, if that is all that it carries; () if it is not."""
    inside = {i.name: i for i in node.inside}
    look = _Loop(inside, [f for f in flow if not at_depth(f.relation, node.depth).is_empty()])
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

    def gathers(self, source: Instruction, target: Instruction) -> str | None:
        """The place that a carried dependence gathers in; None if it is of another kind."""
        if target.kind == "condition":
            return self._asked(source, target)
        if source is target:
            place = accumulated(source.text)
            return place if place and self._takers(source) <= {source.name} else None
        if source.kind != "store" or target.kind != "load" or source.text != target.text:
            return None
        if (source.statement, source.place) != (target.statement, target.place):
            return None
        updates = [self.inside[n] for n in self._takers(target)]
        if len(updates) != 1 or accumulated(updates[0].text) != source.text:
            return None
        if self._takers(updates[0]) != {source.name} or self._takers(source) != {target.name}:
            return None
        return source.text

    def _asked(self, source: Instruction, asked: Instruction) -> str | None:
        """`if (a[i] > most) most = a[i];`"""
        sides = ASKED.fullmatch(asked.text)
        if sides is None or source.text not in sides.groups():
            return None
        if asked.name not in (name for name, _ in source.under):
            return None
        other = sides[2] if sides[1] == source.text else sides[1]
        within = self._takers(source) == {asked.name} and re.fullmatch(r"\w+", other)
        return other if within else None

    def _takers(self, i: Instruction) -> set[str]:
        return {f.target for f in self.flow if f.source == i.name}


def accumulated(text: str) -> str | None:
    """The place that an assignment gathers in (`s` of `s += a[i]`), whose new value is made of the
    old one by an associative operation, and of what does not know it."""
    text = _spaced(text)
    if found := STEP.fullmatch(text):
        return found["a"] or found["b"]
    if found := UPDATE.fullmatch(text):
        return found["place"] if names_apart(found["place"], found["rest"]) else None
    if found := WRITTEN.fullmatch(text):
        alone = found["op"] in ADDING or re.fullmatch(r"[\w.\[\]]+", found["rest"])
        bitwise = re.search(r"[|&^]|<<|>>", found["rest"])
        apart = alone and not bitwise and names_apart(found["place"], found["rest"])
        return found["place"] if apart else None
    if found := EXTREME.fullmatch(text):
        place, sides = found["place"], {found["e"] or found["a"], found["f"] or found["b"]}
        results = sides if found["e"] else {found["c"], found["d"]}
        apart = all(s == place or names_apart(place, s) for s in sides)
        return place if place in sides and sides == results and apart else None
    return None


def _spaced(statement: str) -> str:
    """With a space on both sides of an operator that takes two."""
    found = SPACED.sub(lambda m: f" {m[1].strip()} ", statement).replace(" , ", ", ")
    return re.sub(r" ([-+]) \1 ?", r"\1\1", found).strip()


def names_apart(place: str, rest: str) -> bool:
    """Whether an expression does not name what is gathered, nor is cut."""
    name = re.match(r"[\s*(&]*(\w+)", place)
    return name is not None and "…" not in rest and not re.search(rf"\b{name[1]}\b", rest)
