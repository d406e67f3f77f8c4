"""What a compiler says about instrumented text, as an error at a place of the person's text."""

from __future__ import annotations

import re

from polynb.errors import PolynbError, Source, Span
from polynb.tracing.instrument.text import NAME


def complaint(error: PolynbError, source: Source) -> PolynbError:
    """The error for text that the compiler refused; the compiler's own where it names no line of
    the person's text."""
    said = re.match(rf"{NAME}:(\d+):\d+: (?:fatal )?error: (.*)", error.reason or "")
    if said is None:
        return error
    return PolynbError(
        f"this is no C that can be compiled: {said[2]}",
        span=_place(source, int(said[1]), re.search(r"[‘'](\w+)[’']", said[2])),
        reason="the C compiler says so",
        hint="declarations of all that is used, and the #include of what the library has",
    )


def _place(source: Source, line: int, word: re.Match[str] | None) -> Span:
    """The line without its margins; only the word in it, where there is one."""
    starts = [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", source.text))]
    start = starts[min(line, len(starts)) - 1]
    text = source.line(line)
    found = re.search(rf"\b{word[1]}\b", text) if word else None
    found = found or re.search(r"\S.*\S|\S", text)
    first, last = found.span() if found else (0, len(text))
    return Span(source, start + first, start + last)
