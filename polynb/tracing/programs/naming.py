"""Loops of blocks -> loops of the text: where they stand, and what their iterators are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from polynb.tracing.programs.forest import BlockLoop
from polynb.tracing.programs.keeping import ASM, DEFINED
from polynb.tracing.programs.leaving import counted_by, decided_by, is_and, left_by
from polynb.tracing.programs.stepped import stepped_by
from polynb.tracing.programs.symbols import CodePlace, own
from polynb.tracing.programs.tokens import head_of, loop_at, statement, words_of
from polynb.tracing.records import LoopOf
from polynb.words import listed

KEYWORD: Final = re.compile(r"\b(for|while|do)\b")
COUNTED: Final = re.compile(r"\bfor\s*\(\s*(?:[\w:<>,\s*&]+?[\s*&])?(\w+)\s*(?:=|\{)")
RANGED: Final = re.compile(r"\bfor\s*\([^;()]*?(\w+)\s*:[^:]")
INCLUDED: Final = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
COMMENT: Final = re.compile(r"/\*.*?(\*/|$)|//.*")
ABOVE: Final = 3  # lines over its first block that a loop's keyword may stand


def lines_of(file: str) -> tuple[str, ...]:
    """The lines of a text, and behind them the macros of the headers that it includes; none where
    it is not there any more."""
    own = _written_in(file)
    headers = tuple(h for h in with_headers([file]) if h != file) if own else ()
    return _with_macros(own, tuple(_written_in(h) for h in headers)) if headers else own


def _written_in(file: str) -> tuple[str, ...]:
    try:
        return _lines_of(file, Path(file).stat().st_mtime_ns)
    except OSError:
        return ()


@lru_cache(maxsize=256)
def _lines_of(file: str, changed: int) -> tuple[str, ...]:
    return tuple(Path(file).read_text(errors="replace").splitlines())


@lru_cache(maxsize=256)
def _with_macros(own: tuple[str, ...], headers: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    found = (m[0].split("\n") for h in headers for m in DEFINED.finditer("\n".join(h)))
    return (*own, *(line for macro in found for line in macro))


def line_text(place: CodePlace) -> str:
    """The line of a place, without comments and the space around it."""
    lines = lines_of(place.file)
    text = lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    return COMMENT.sub(" ", text).strip()


def loops_of(
    loops: Sequence[BlockLoop], places: Mapping[int, Sequence[CodePlace]]
) -> tuple[LoopOf, ...]:
    """The loops by name, in the same order. Loops of one line take its keywords from the left."""
    where = [_head(own(places[loop.header])) for loop in loops]
    order_of = {k: (where[k].file, where[k].line, *order(loops[k])) for k in range(len(loops))}
    ordered = sorted(order_of, key=lambda k: order_of[k])
    lines: dict[tuple[str, int], list[int]] = {}
    for k in ordered:
        lines.setdefault((where[k].file, where[k].line), []).append(k)
    taken: set[str] = set()
    iterators, names, unsure, counted, stepped = {}, {}, {}, {}, {}
    for k in ordered:
        which = lines[where[k].file, where[k].line].index(k)
        iterators[k] = iterator_of(line_text(where[k]), which)
        unsure[k] = _unsure(loops[k], iterators[k], where[k], which, places)
        counted[k] = counted_by(lines_of(where[k].file), where[k].line, which)
        stepped[k] = stepped_by(lines_of(where[k].file), where[k].line, which)
        names[k] = unique(f"c{iterators[k] or 'w'}", taken)
    return tuple(
        LoopOf(
            names[k], iterators[k], place.function, place.line,
            names.get(loops[k].parent), file=place.file,
            unsure=unsure[k], counted=counted[k], stepped=stepped[k],
        )
        for k, place in enumerate(where)
    )  # fmt: skip


def order(loop: BlockLoop) -> tuple[int, int]:
    """How loops of one line follow each other."""
    return loop.depth, loop.header


def hidden_in(lines: Sequence[str], line: int, which: int) -> str:
    """What of a loop's text no hook tells, in words."""
    tokens = words_of(lines, line)
    head = head_of(tokens, line, which)
    inside = tokens[head : statement(tokens, head)] if head is not None else []
    return "what `asm` does is not seen" if ASM & {t for t, _ in inside} else ""


def _unsure(
    loop: BlockLoop,
    iterator: str,
    head: CodePlace,
    which: int,
    places: Mapping[int, Sequence[CodePlace]],
) -> str:
    """Why a loop may end by what its iterations find: its text leaves it, its test is not that of a
    counted `for`, or it was left from several places."""
    lines = lines_of(head.file)
    if (left := left_by(lines, head.line, which)) is not None:
        return f"`{left[0]}` (line {left[1]}) may leave it"
    if not iterator and head_of(words_of(lines, head.line), head.line, which) is None:
        return "what ends it is not seen"
    if test := decided_by(lines, head.line, which):
        return f"`{test}` decides whether it goes on"
    if len(loop.exits) > 1:
        at = sorted({own(places[at]).line for at in loop.exits})
        if at == [head.line] and is_and(lines, head.line, which):
            return ""
        where = f"line{'s' * (len(at) > 1)} {listed(map(str, at))}"
        return f"it was left at {len(loop.exits)} places ({where})"
    return ""


def unique(name: str, taken: set[str]) -> str:
    """The name, with a number from the second one on; it is taken from then on."""
    name = re.sub(r"\W+", "_", name)
    found, k = name, 1
    while found in taken:
        k += 1
        found = f"{name}{k}"
    taken.add(found)
    return found


def _head(place: CodePlace) -> CodePlace:
    """The line of a loop's keyword: that of its first block, or one a little above."""
    lines = lines_of(place.file)
    for line in range(place.line, max(0, place.line - 1 - ABOVE), -1):
        if loop_at(lines, line) is not None:
            return CodePlace(place.function, place.file, line)
    return place


def iterator_of(text: str, which: int) -> str:
    """The iterator of the `which`-th loop of a line, "" where it has none."""
    keywords = list(KEYWORD.finditer(text))
    if not keywords:
        return ""
    at = keywords[min(which, len(keywords) - 1)].start()
    match = COUNTED.match(text, at) or RANGED.match(text, at)
    return match[1] if match else ""


def texts(files: Iterable[str]) -> dict[str, str]:
    """The texts of files that can be read."""
    return {f: "\n".join(lines) + "\n" for f in files if (lines := _written_in(f))}


def with_headers(files: Iterable[str]) -> list[str]:
    """Files, and those that they include from where they are: of functions that were inlined the
    program says nothing where they did not run."""
    found, left = dict[str, None](), [*files]
    while left:
        file = left.pop(0)
        if file not in found:
            found[file] = None
            names = (m[1] for line in _written_in(file) if (m := INCLUDED.match(line)))
            left += (str(Path(file).parent / name) for name in names)
    return [*found]


def short(function: str) -> str:
    """`Grid<int>::row(int)` -> `row`."""
    while (plain := re.sub(r"<[^<>]*>", "", function)) != function:
        function = plain
    return function.partition("(")[0].rpartition("::")[2].split()[-1]
