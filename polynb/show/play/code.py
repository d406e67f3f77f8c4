"""The text of a program with handles: each line belongs to a loop or a statement that a move can
be about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polynb.moves import NamedLoop, named_loops
from polynb.moves.loops import unique_name
from polynb.scop.model import Scop
from polynb.show.trace.format import Segment, statement_id
from polynb.show.trace.program import program_lines


@dataclass(frozen=True, eq=False)
class Handle:
    """A loop (`loop` is it) or a statement, by the name that moves call it."""

    id: str
    name: str
    loop: NamedLoop | None = None

    @property
    def label(self) -> str:
        return f"loop {self.name}" if self.loop else f"statement {self.name}"


@dataclass(frozen=True, eq=False)
class CodeLine:
    """A line of the text in segments (`program_lines`), and the handle it belongs to, if any."""

    segments: list[Segment]
    handle: str | None

    @property
    def text(self) -> str:
        return "".join(s[0] for s in self.segments)


def handles(scop: Scop) -> tuple[Handle, ...]:
    """Those of a program: its loops, then its statements."""
    every = named_loops(scop)
    loops = [Handle(loop_id(n := unique_name(x, every)), n, x) for x in every]
    return (*loops, *(Handle(statement_id(s.name), s.name) for s in scop.statements))


def loop_id(name: str) -> str:
    """The id of the handle of a loop."""
    return f"l:{name}"


def code_lines(scop: Scop, known: Sequence[Handle]) -> list[CodeLine]:
    """The printed loops, without what is declared before them."""
    lines = [list(line) for line in program_lines(scop)]
    while lines and not _opens(_text(lines[0])) and _statement(lines[0]) is None:
        lines.pop(0)
    loops = [h for h in known if h.loop is not None]
    found: list[CodeLine] = []
    opened: list[Handle | None] = []
    seen: dict[tuple[str, str], int] = {}
    for k, line in enumerate(lines):
        text = _text(line).strip()
        if text.startswith("for "):
            around = next((h for h in reversed(opened) if h is not None), None)
            handle = _loop(text.split()[1], set(_within(lines[k:])), around, loops, seen)
            opened.append(handle)
            found.append(CodeLine(line, None if handle is None else handle.id))
        elif text == "done":
            handle = opened.pop() if opened else None
            found.append(CodeLine(line, None if handle is None else handle.id))
        else:
            found.append(CodeLine(line, _statement(line)))
    return found


def _loop(
    name: str,
    inside: set[str],
    around: Handle | None,
    loops: Sequence[Handle],
    seen: dict[tuple[str, str], int],
) -> Handle | None:
    """The loop that a `for` is of: directly or further in the one around it, with its statements;
    of several the one with its name. (The text may have a loop in several pieces.)"""
    fits = [h for h in loops if h.loop is not None and inside <= set(h.loop.statements)]
    if around is not None and around.loop is not None:
        outer = around.loop
        fits = [h for h in fits if h.loop is not None and outer.is_around(h.loop)]
    called = [h for h in fits if h.loop is not None and h.loop.name == name]
    if not called:
        return fits[0] if fits else None
    key = around.id if around else "", name
    seen[key] = seen.get(key, -1) + 1
    same = [h for h in called if h.loop is not None and _level(h) == _level(called[0])]
    return same[min(seen[key], len(same) - 1)]


def _level(handle: Handle) -> tuple[int, int]:
    assert handle.loop is not None
    return len(handle.loop.above), handle.loop.member


def _within(lines: Sequence[list[Segment]]) -> Iterator[str]:
    """The statements of a loop whose text begins here."""
    depth = 0
    for line in lines:
        text = _text(line).strip()
        depth += text.startswith("for ")
        depth -= text == "done"
        if not depth:
            return
        found = _statement(line)
        if found is not None:
            yield found.removeprefix(statement_id(""))


def _statement(line: Sequence[Segment]) -> str | None:
    """The id of the statement that a line is a part of."""
    ids = [i for s in line if len(s) > 1 for i in s[1].split()]
    return next((i for i in ids if i.startswith(statement_id(""))), None)


def _text(line: Sequence[Segment]) -> str:
    return "".join(s[0] for s in line)


def _opens(text: str) -> bool:
    return text.strip().startswith(("for ", "if ", "let "))
