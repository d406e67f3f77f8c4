"""Folding by hand: the label function of a stream, as far as it has come (TACO'19, section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from polynb.arguments import named, shown
from polynb.errors import PolynbError, Source, Span
from polynb.folding import fold
from polynb.labs.findings import Finding, Outcome
from polynb.scop.witness import Instance, Witness

Point = tuple[int, ...]
Entries = tuple[tuple[Point, int], ...]
Known = int | str
"""A coefficient: a number, or one of the two signs."""
TOP: Final = "⊤"
BOTTOM: Final = "⊥"
SPELLED: Final = {"⊤": TOP, "t": TOP, "top": TOP, "⊥": BOTTOM, "?": BOTTOM, "bottom": BOTTOM}
_ENTRY: Final = re.compile(r"\((\d+(?:, \d+)*)\): (\d+)")
_TERM: Final = re.compile(
    r"\s*(?P<sign>[-+−])?\s*(?P<known>\d{1,18}(?!\d)|⊤|⊥|\?|[Tt]op\b|[Bb]ottom\b"
    r"|[Tt](?=\s*[*·]?\s*[a-z]))?\s*[*·]?\s*(?P<name>[A-Za-z_]\w*)?"
    r"(?:\s*[*·]\s*(?P<behind>[-−]?\d{1,18}(?!\d)|⊤|⊥|\?|[Tt]op\b|[Bb]ottom\b|[Tt]\b))?"
)


def known_of(entries: Entries) -> tuple[tuple[Known, ...], int]:
    """What folding knows of labels, of which the first polyhedron has all points: ⊥ along a
    dimension that has not moved yet, ⊤ where the labels do not agree."""
    points, labels = [list(p) for p, _ in entries], [x for _, x in entries]
    (piece,) = fold(points, labels).pieces
    function = piece.labels[0]
    moved = [len({p[d] for p in points}) > 1 for d in range(len(points[0]))]
    return tuple(
        BOTTOM if not m else c if isinstance(c, int) else TOP
        for c, m in zip(function.coefficients, moved, strict=True)
    ), function.constant


@dataclass(frozen=True)
class LabelTask:
    """The label function of a stream, `(0, 0): 5   (0, 1): 8`, after its first entries: `moments`
    are how many, by name; the one with the name "" is the only one. Half of the points are
    for coefficients that are right, in functions of this stream: those whose constant is."""

    program: str
    dimensions: tuple[str, ...]
    moments: Mapping[str, int]

    @cached_property
    def entries(self) -> Entries:
        """The points of the stream with their labels."""
        found = _ENTRY.findall(self.program)
        return tuple((tuple(map(int, at.split(","))), int(label)) for at, label in found)

    @property
    def form(self) -> str:
        terms = " + ".join(f"…{d}" for d in self.dimensions)
        one = f'a label function: "{terms} + …", with numbers, ⊤ (or T) and ⊥ (or ?)'
        if "" in self.moments:
            return one
        inside = ", ".join(f'"{name}": ...' for name in self.moments)
        return f"{{{inside}}}, each {one}"

    def judge(self, answer: object) -> Outcome:
        given = {"": answer} if "" in self.moments else named(
            "the answer", answer, self.moments, what="value")  # fmt: skip
        findings: list[Finding] = []
        right = 0
        for name, until in self.moments.items():
            at = f"{name}: " if name else ""
            text = given.get(name)
            if text is None or text is ... or text == "":
                findings.append(Finding(f"{at}no answer yet"))
                continue
            function = function_of(text, self.dimensions)
            wrong = list(self._wrong(function, self.entries[:until]))
            findings += [Finding(f"{at}{f.text}", f.witness) for f in wrong]
            if function[1] == self.entries[0][1]:
                right += len(self.dimensions) + 1 - len(wrong)
        of = len(self.moments) * (len(self.dimensions) + 1)
        return Outcome(Fraction(right, 2 * of) if findings else Fraction(1), tuple(findings))

    def _wrong(
        self, function: tuple[tuple[Known, ...], int], entries: Entries
    ) -> Iterator[Finding]:
        """What is wrong with each coefficient, and with the constant."""
        coefficients, constant = known_of(entries)
        for d, (is_, said) in enumerate(zip(coefficients, function[0], strict=True)):
            if is_ != said:
                yield self._coefficient(d, is_, said, dict(entries))
        if function[1] != constant:
            point, label = entries[0]
            yield Finding(
                f"the first point, {point_text(point)}, has the label {label}",
                Witness({}, {"at": Instance("P", point)}),
            )

    def _coefficient(self, d: int, is_: Known, said: Known, labels: Mapping[Point, int]) -> Finding:
        along = f"along {self.dimensions[d]}"
        if is_ == BOTTOM:
            return Finding(f"{along}, no two points are known yet")
        pairs = [(p, q) for p in labels if (q := moved(p, d)) in labels]
        if isinstance(said, int):
            p, q = next((p, q) for p, q in pairs if labels[q] - labels[p] != said)
            text = f"{along}, from {point_text(p)} to {point_text(q)}, the label goes from "
            ends = {"from": Instance("P", p), "to": Instance("P", q)}
            return Finding(f"{text}{labels[p]} to {labels[q]}", Witness({}, ends))
        if said == BOTTOM:
            p, q = pairs[0]
            ends = {"from": Instance("P", p), "to": Instance("P", q)}
            text = f"{along}, {point_text(p)} and {point_text(q)} are known"
            return Finding(text, Witness({}, ends))
        return Finding(f"{along}, all steps agree: more is known than ⊤")


def moved(point: Point, d: int) -> Point:
    """The next point along a dimension."""
    return (*point[:d], point[d] + 1, *point[d + 1 :])


def point_text(point: Point) -> str:
    """A point as students write it, `(0, 1)`."""
    return f"({', '.join(map(str, point))})"


def function_of(text: object, dimensions: tuple[str, ...]) -> tuple[tuple[Known, ...], int]:
    """`2cj + ⊤ck + 5` as its coefficients and its constant; a dimension that is not named has 0.
    Raises PolynbError, at the place."""
    hint = " + ".join(f"1{d}" for d in dimensions) + " + 5"
    if not isinstance(text, str):
        raise PolynbError(f"a label function is a text, not {shown(text)}", hint=hint)
    source, at = Source(text, "answer"), 0
    found: dict[str, Known] = {}
    while text[at:].strip():
        term = _TERM.match(text, at)
        assert term is not None
        part = Span(source, at, max(term.end(), at + 1))
        if term.end() == at or not (term["known"] or term["name"]) or (at and not term["sign"]):
            raise PolynbError("this is no term of a label function", span=part, hint=hint)
        name = term["name"] or ""
        if name and name not in dimensions:
            raise PolynbError(f"there is no dimension {name}", span=part, hint=hint)
        if name in found:
            raise PolynbError(f"{name or 'the constant'} stands here twice", span=part, hint=hint)
        if term["behind"] and (term["known"] or not name):
            raise PolynbError("a term has one coefficient", span=part, hint=hint)
        text_of = (term["known"] or term["behind"] or "1").replace("−", "-")
        known = SPELLED.get(text_of.lower()) or int(text_of)
        minus = term["sign"] in ("-", "−") and isinstance(known, int)
        found[name] = -known if minus and isinstance(known, int) else known
        at = term.end()
    constant = found.pop("", 0)
    if not isinstance(constant, int):
        raise PolynbError("the constant is the label of the first point: a number", hint=hint)
    return tuple(found.get(d, 0) for d in dimensions), constant
