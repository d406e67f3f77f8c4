"""Text -> syntax tree, whatever language it is in."""

from __future__ import annotations

import re
from typing import Literal

from polynb.errors import PolynbError, Source, Span, refuse_halves
from polynb.source.foreign import recognised
from polynb.source.mistakes import mistake
from polynb.source.scoplang.comments import COMMENT
from polynb.source.tree import Program

LANGUAGES = ("auto", "scop", "c")

# What only one of the languages has. `for i =`, `input A` and the like are no C, `{`, `for (`
# and `#` no SCoP language.
_SCOP = re.compile(
    r"(?:^|;)\s*(?:param|assume|input|output|inout|temp|define|let)\s+[A-Za-z_]"
    r"|\bfor\s+[A-Za-z_]\w*\s*="
    r"|\b(?:then|fi|done)\b(?!\s*[\[=;,)])",
    re.MULTILINE,
)
_C = re.compile(
    r"^\s*#\s*\w|[{}]|\bfor\s*\(|\bwhile\s*\(|\+\+|--\s*[;)]|[-+*/%&|^]=(?!=)"
    r"|\b(?:int|long|short|char|unsigned|signed|void|const|static|return|restrict)\b",
    re.MULTILINE,
)


def parse_program(text: str | Source, language: str = "auto", name: str = "kernel") -> Program:
    """The syntax tree of a program in the SCoP language ("scop") or in C ("c").

    `name` is the program's name where the text does not have one. Raises PolynbError, with a
    caret into the text, for anything that is no program, and for a language of another name.
    """
    if language not in LANGUAGES:
        raise mistake("scop.language", None, language=language, languages=", ".join(LANGUAGES))
    source = text if isinstance(text, Source) else Source(text)
    refuse_halves(source)
    if not COMMENT.sub(" ", source.text).strip():
        raise mistake("scop.empty", Span(source, 0, 0))
    found = detect(source.text) if language == "auto" else language
    try:
        return _read(source, found, name)
    except PolynbError as error:
        raise recognised(source, found) or error from None


def _read(source: Source, language: str, name: str) -> Program:
    if language == "c":
        from polynb.source.c.parser import parse_c

        return parse_c(source, name)
    from polynb.source.scoplang.parser import parse_scop

    return parse_scop(source, name)


def detect(text: str) -> Literal["scop", "c"]:
    """Which of the two languages a text is in: that of the first thing that the other has not."""
    code = COMMENT.sub(lambda m: " " if "\n" not in m.group() else "\n", text)
    scop, c = _SCOP.search(code), _C.search(code)
    if c is None:
        return "scop"
    return "scop" if scop is not None and scop.start() <= c.start() else "c"
