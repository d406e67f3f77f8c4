"""What went wrong, where, and what would work: the one error family of polynb.

Every error a person can cause is a `PolynbError` that points into the text they wrote.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

TAB = 4
_HALF = re.compile("[\ud800-\udfff]")  # of a character beyond the first 65,536, alone
LONGEST = 100  # characters of a line, and of a name, that an error shows
ENOUGH = 4000  # characters of all that an error says of one thing


@dataclass(frozen=True, eq=False)
class Source:
    """A text somebody wrote. `name` is what an error calls it ("cell", a file's name)."""

    text: str = field(repr=False)
    name: str = "program"

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based (line, column) of a character offset; CRLF, CR and LF all end a line."""
        lines = self.text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return len(lines), len(lines[-1]) + 1

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its line end ("" past the last line)."""
        lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return lines[number - 1] if number <= len(lines) else ""


@dataclass(frozen=True, eq=False)
class Span:
    """The characters `start <= k < end` of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    def to(self, other: Span | None) -> Span:
        """From the start of this span to the end of another of the same source."""
        return self if other is None else Span(self.source, self.start, other.end)

    def excerpt(self) -> str:
        """The line with carets under the span, aligned under tabs and wide characters; of a long
        line only what is near the span. JupyterLab's extension finds the span by it (place.ts)."""
        line, column = self.source.position(self.start)
        text = self.source.line(line)
        length = min(max(self.end - self.start, 1), max(len(text) - column + 1, 1))
        text, column = _window(text, column, length)
        before, marked = text[: column - 1], text[column - 1 : column - 1 + length]
        gutter = f"{line:4} | "
        shown = _shown(text)
        pad = " " * _width(_shown(before))
        carets = "^" * max(_width(_shown(before + marked)) - len(pad), 1)
        return f"{gutter}{shown}\n{' ' * (len(gutter) - 2)}| {pad}{carets}"


@dataclass(frozen=True, eq=False)
class Edit:
    """A change of a text: `text` takes the place of the span's characters."""

    span: Span
    text: str


def edited(edits: Sequence[Edit]) -> str:
    """The text of a source with all changes made, which do not overlap."""
    text = edits[0].span.source.text
    for e in sorted(edits, key=lambda e: e.span.start, reverse=True):
        text = text[: e.span.start] + e.text + text[e.span.end :]
    return text


class PolynbError(Exception):
    """Something a person can mend: what is wrong, where, why, and a way out.

    `fix` is the way out as changes of the text, where `hint` says what to type and not only what
    to do: with all of them made, the text no longer has this error. `argument` is the name of the
    keyword that is at fault, if one is and that is known; `steps` holds the derivation steps taken
    before the failure, if there were any.
    """

    def __init__(
        self,
        message: str,
        *,
        span: Span | None = None,
        reason: str | None = None,
        hint: str | None = None,
        fix: Sequence[Edit] = (),
        argument: str | None = None,
        steps: tuple[Any, ...] = (),
    ) -> None:
        self.message = shortened(message)
        super().__init__(self.message)
        self.span = span
        self.reason = reason and shortened(reason)
        self.hint = hint and shortened(hint)
        self.fix = tuple(fix)
        self.argument = argument
        self.steps = steps

    def __reduce__(self) -> tuple[Any, ...]:
        kept = ("message", "span", "reason", "hint", "fix", "argument", "steps")
        return type(self)._restore, ({k: getattr(self, k) for k in kept},)

    @classmethod
    def _restore(cls, fields: dict[str, Any]) -> PolynbError:
        error = cls.__new__(cls)
        Exception.__init__(error, fields["message"])
        error.__dict__.update(fields)
        return error

    def __str__(self) -> str:
        head = self.message
        if self.span is not None:
            span = self.span
            head = f"{span.source.name}, line {span.line}, column {span.column}: {head}"
        parts = [head]
        if self.span is not None:
            parts.append(self.span.excerpt())
        if self.reason:
            parts.append(f"because: {self.reason}")
        if self.hint:
            parts.append(f"try: {self.hint}")
        return "\n".join(parts)

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows instead of a traceback (IPython's protocol)."""
        return [f"{type(self).__name__}: {self}"]


class Missing(PolynbError):
    """What was asked for needs something that is not on this machine, as its message says."""


def shortened(text: str) -> str:
    """A text as a person can read it: names and numbers that go on and on are cut."""
    text = _HALF.sub("\ufffd", text)
    text = re.sub(rf"\w{{{LONGEST + 1},}}", lambda m: f"{m[0][: LONGEST // 2]}…", text)
    return text if len(text) <= ENOUGH else f"{text[:ENOUGH]}…"


def refuse_halves(source: Source) -> None:
    """Raise PolynbError for half of a character, which no file, and not isl, can take."""
    if found := _HALF.search(source.text):
        raise PolynbError(
            f"the {source.name} has half of a character, U+{ord(found[0]):04X}",
            span=Span(source, *found.span()),
            reason="two of these make one character, and there is one alone",
            hint="leave it out",
        )


@contextmanager
def about(argument: str) -> Iterator[None]:
    """What goes wrong in it is the fault of this keyword, unless another one is known to be."""
    try:
        yield
    except PolynbError as error:
        error.argument = error.argument or argument
        raise


def _window(text: str, column: int, length: int) -> tuple[str, int]:
    """A long line cut to the surroundings of a place, with dots where it was cut, and the place's
    column in what is left."""
    if len(text) <= LONGEST:
        return text, column
    first = max(0, min(column - 1 - LONGEST // 3, len(text) - LONGEST))
    last = min(len(text), max(first + LONGEST, column - 1 + min(length, LONGEST)))
    left, right = "…" if first else "", "…" if last < len(text) else ""
    return left + text[first:last] + right, column - first + len(left)


def _shown(text: str) -> str:
    return _HALF.sub("\ufffd", text).expandtabs(TAB)


def _width(text: str) -> int:
    """The number of terminal cells a text fills."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)
