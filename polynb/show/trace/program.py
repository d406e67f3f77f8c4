"""The text of a program in segments that say what they are part of: a statement, an access;
which of its lines change; and the C of the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final

from polynb import isl
from polynb.codegen.nests import Nests
from polynb.codegen.text import is_scanned, printed_tree
from polynb.errors import PolynbError
from polynb.scop.model import Scop, Statement
from polynb.scop.parsing import parse
from polynb.show.displays.diff import changed
from polynb.show.trace.format import (
    ChangeJson,
    Frame,
    ProgramJson,
    Segment,
    read_id,
    statement_id,
    write_id,
)
from polynb.source.scoplang.printer import print_parts, print_program
from polynb.source.tree import Program, accessed

_Place = tuple[int, int, str, Callable[[str], str]]
"""Where in a text, of which printed statement, and what of it: the id by the statement's name."""


def program_lines(scop: Scop) -> list[list[Segment]]:
    """The printed program. It is parsed again, so that every statement and access has its place
    in the text that is shown (the program may never have had one, or another): part by part, as
    the versions of a program have most parts in common."""
    program = printed_tree(scop)
    head, parts = print_parts(program)
    return _joined(head, [_part_lines(scop, program, part) for part in parts])


class VersionLines:
    """The lines of many versions of one program, whose parts are printed once."""

    def __init__(self) -> None:
        self._nests = Nests()
        self._arrays: dict[int, list[str]] = {}  # by the id of a statement that `_nests` keeps
        self._known: dict[Hashable, list[list[Segment]]] = {}

    def lines(self, scop: Scop) -> list[list[Segment]]:
        """`program_lines(scop)`."""
        program = self._nests.scan(scop) if is_scanned(scop) else None
        if program is None:
            return program_lines(scop)
        head, _ = print_parts(replace(program, body=()))
        common = print_program(replace(program, body=(), declarations=()))
        declared = {d.name: d.extents is not None for d in program.declarations}
        parts = []
        for stmt in program.body:
            if id(stmt) not in self._arrays:
                self._arrays[id(stmt)] = sorted(accessed((stmt,)))
            key = id(stmt), common, *((n, declared.get(n)) for n in self._arrays[id(stmt)])
            if key not in self._known:
                (part,) = print_parts(replace(program, body=(stmt,)))[1]
                self._known[key] = _part_lines(scop, program, part)
            parts.append(self._known[key])
        return _joined(head, parts)


def _joined(head: list[str], parts: list[list[list[Segment]]]) -> list[list[Segment]]:
    lines: list[list[Segment]] = [[[line]] for line in head]
    lines += [[]] if head and parts else []
    lines += [line for part in parts for line in part]
    return lines or [[]]


def _part_lines(scop: Scop, program: Program, part: list[str]) -> list[list[Segment]]:
    """The lines of one of the program's outermost statements."""
    text = "\n".join(part)
    places = _places(_declarations(program, text), text)
    marks = [(a, b, of(_named(name, scop.by_name))) for a, b, name, of in places]
    lines, start = [], 0
    for line in part:
        lines.append(_segments(text, start, start + len(line), marks))
        start += len(line) + 1
    return lines


def _declarations(program: Program, text: str) -> str:
    """The text of the declarations that a part of a program needs, as if it were alone."""
    names = set(re.findall(r"\w+", text))
    needed = tuple(replace(d, role="inout") for d in program.declarations if d.name in names)
    return print_program(replace(program, body=(), declarations=needed))


@lru_cache(maxsize=2048)
def _places(head: str, text: str) -> tuple[_Place, ...]:
    """The stretches of a part of a program that are its statements, their writes and reads."""
    try:
        statements = parse(f"{head}\n{text}", "scop").statements
    except PolynbError:  # a program that does nothing has no text that parses
        return ()
    before = len(head) + 1
    return tuple(place for s in statements for place in _places_of(s, before))


def _places_of(s: Statement, before: int) -> Iterator[_Place]:
    found = [(s.span, statement_id), (s.write.span, write_id)]
    found += [(r.span, partial(read_id, number=k)) for k, r in enumerate(s.reads)]
    for span, of in found:
        if span is not None:
            yield span.start - before, span.end - before, s.name, of


def _named(printed: str, known: Mapping[str, Statement]) -> str:
    """The statement of a printed label: `S_2` is what is printed of S a second time."""
    stem, _, number = printed.rpartition("_")
    return stem if printed not in known and stem in known and number.isdigit() else printed


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


# -- what changes, and the C -----------------------------------------------------------------

BUDGET: Final = 20_000_000  # isl operations for the C of one program: a few seconds


def compare(programs: Sequence[ProgramJson], frames: Iterable[Frame]) -> None:
    """Adds what changes to the frames that show two programs together."""
    texts = ["\n".join("".join(s[0] for s in line) for line in p["lines"]) for p in programs]
    known: dict[tuple[int, int], ChangeJson] = {}
    for frame in frames:
        pair = frame["program"], frame.get("other", frame["program"])
        if pair[0] == pair[1]:
            continue
        if pair not in known:
            removed, added = changed(*(texts[k] for k in pair))
            known[pair] = {"removed": removed, "added": added}
        frame["change"] = known[pair]


@lru_cache(maxsize=32)
def code(scop: Scop) -> ProgramJson | None:
    """The C of a program, as it is read; None where there is none, or not in a few seconds."""
    try:
        with isl.budget(BUDGET):
            text = scop.to_c()
    except PolynbError:
        return None
    return {"title": "C", "lines": [[[line]] for line in text.strip("\n").split("\n")]}
