"""The text of a program in segments that say what they are part of: a statement, an access."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from polynb.errors import PolynbError, Span
from polynb.scop import Scop, Statement
from polynb.scop.parsing import parse
from polynb.show.trace.format import Segment


def statement_id(name: str) -> str:
    return f"s:{name}"


def read_id(statement: str, number: int) -> str:
    return f"a:{statement}:{number}"


def write_id(statement: str) -> str:
    return f"a:{statement}:w"


def program_lines(scop: Scop) -> list[list[Segment]]:
    """The printed program. It is parsed again, so that every statement and access has its place
    in the text that is shown (the program may never have had one, or another)."""
    text = str(scop).strip("\n")
    try:
        statements = parse(text, "scop").statements
    except PolynbError:  # a program that does nothing has no text that parses
        statements = ()
    known = scop.by_name
    marks = [m for s in statements for m in _marks(s, _named(s.name, known))]
    lines, start = [], 0
    for line in text.split("\n"):
        end = start + len(line)
        lines.append(_segments(text, start, end, marks))
        start = end + 1
    return lines


def _named(printed: str, known: Mapping[str, Statement]) -> str:
    """The statement of a printed label: `S_2` is what is printed of S a second time."""
    stem, _, number = printed.rpartition("_")
    return stem if printed not in known and stem in known and number.isdigit() else printed


def _marks(s: Statement, name: str) -> list[tuple[int, int, str]]:
    """The stretches of the text that are the statement, its write and its reads."""
    found = [_stretch(s.span, statement_id(name)), _stretch(s.write.span, write_id(name))]
    found += [_stretch(r.span, read_id(name, k)) for k, r in enumerate(s.reads)]
    return [m for m in found if m is not None]


def _stretch(span: Span | None, key: str) -> tuple[int, int, str] | None:
    return None if span is None else (span.start, span.end, key)


def _segments(text: str, start: int, end: int, marks: list[tuple[int, int, str]]) -> list[Segment]:
    """One line, cut wherever a mark begins or ends."""
    inside = [m for m in marks if m[0] < end and m[1] > start]
    cuts = sorted({start, end, *(c for m in inside for c in m[:2] if start < c < end)})
    line = []
    for a, b in pairwise(cuts):
        around = sorted((m for m in inside if m[0] <= a and b <= m[1]), key=lambda m: m[0] - m[1])
        ids = " ".join(m[2] for m in around)
        line.append([text[a:b], ids] if ids else [text[a:b]])
    return line
