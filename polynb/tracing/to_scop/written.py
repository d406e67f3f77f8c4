"""What the traced text says at an instruction's place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from polynb.errors import Span
from polynb.tracing.feedback.accumulating import variable_of
from polynb.tracing.model import Folding
from polynb.tracing.records import CallSite, Instruction

ASSIGNED: Final = re.compile(r"(\w+)\s*=\s*(?:\([\w\s*]+\)\s*)?$")
CUT: Final = "…"
LONGEST: Final = 2000
"""Characters of a text that is looked for."""


@dataclass(frozen=True)
class Register:
    """A variable in a calling context."""

    name: str
    place: tuple[CallSite, ...]


def source_of(folding: Folding, i: Instruction) -> str:
    """The text that an instruction stands in."""
    return folding.sources.get(i.file, folding.source).text


def place_in(folding: Folding, i: Instruction) -> int | None:
    """Where an instruction stands in its source, None where that is not known."""
    return _offset(source_of(folding, i), i.line, i.column)


def span_of(folding: Folding, i: Instruction) -> Span | None:
    """Its text in its source."""
    source = folding.sources.get(i.file, folding.source)
    start = place_in(folding, i)
    if start is None:
        return None
    return Span(source, start, min(start + len(i.text), len(source.text)))


def _offset(text: str, line: int, column: int) -> int | None:
    lines = text.split("\n")
    if not column or not 0 < line <= len(lines):
        return None
    return sum(len(x) + 1 for x in lines[: line - 1]) + column - 1


def whole_text(folding: Folding, i: Instruction) -> str:
    """The instruction's text, not cut: up to the end of its statement, where it was."""
    return statement_text(folding, i) if i.text.endswith(CUT) else i.text


def statement_text(folding: Folding, i: Instruction) -> str:
    """From an instruction's place to the end of its statement; of a store, that is usually the
    assignment. The instruction's own text where its place is not known."""
    start = place_in(folding, i)
    if start is None:
        return i.text
    rest = source_of(folding, i)[start : start + LONGEST]
    depth = 0
    for k, c in enumerate(rest):
        depth += (c in "([{") - (c in ")]}")
        if depth < 0 or (c == ";" and depth == 0):
            return rest[:k]
    return i.text


def register_of(folding: Folding, i: Instruction) -> Register | None:
    """The variable that gets the value of an operation, of a load (`t = A[i]`), or of the call
    that returns it (`t = max(t, x)`)."""
    named = None if i.kind == "load" else variable_of(i)
    if named is not None:
        return Register(named, i.place)
    text = source_of(folding, i)
    places = [(i.line, i.column, i.place)] if i.kind == "load" else []
    places += [(c.line, c.column, i.place[:-1]) for c in i.place[-1:]]
    for line, column, place in places:
        start = _offset(text, line, column)
        if start is not None:
            found = ASSIGNED.search(text[text.rfind(";", 0, start) + 1 : start])
            if found is not None:
                return Register(found[1], place)
    return None
