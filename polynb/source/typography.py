"""Characters that a PDF or a word processor puts into programs, and what they stand for."""

from __future__ import annotations

import re
import unicodedata

from polynb.errors import Edit, Source, Span
from polynb.source.mistakes import mistake

_STANDS_FOR = {
    **dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{NON-BREAKING HYPHEN}", "-"),
    **dict.fromkeys("\N{FIGURE DASH}\N{HORIZONTAL BAR}", "-"),
    "\N{SOFT HYPHEN}": "",
    "≤": "<=",
    "⩽": "<=",
    "≥": ">=",
    "⩾": ">=",
    "≠": "!=",
    "≡": "==",
    **dict.fromkeys("×·∗⋅•", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    "∧": "&&",
    "∨": "||",
    "¬": "!",
    **dict.fromkeys("←≔", "="),
    **dict.fromkeys("“”„‟«»‘‚‛`´", ""),
    **dict.fromkeys("′’", "_"),
    "″": "__",
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    **dict.fromkeys("\u2028\u2029\x85", "\n"),
}
_FOREIGN = re.compile(r"[^\x00-\x7f]")


def check_characters(source: Source, code: str) -> None:
    """Raises PolynbError at the first character outside ASCII, with the corrected line where it
    is known what was meant. `code` is the text with its comments blanked out."""
    found = _FOREIGN.search(code)
    if found is None:
        return
    character, span = found.group(), Span(source, found.start(), found.end())
    name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
    shown = character if character.isprintable() and not character.isspace() else name
    if _plain(character) is None:
        raise mistake("scop.character", span, shown=shown)
    corrected, line = _corrected_line(source, code, found.start())
    row, words = "scop.typographic", {"name": name, "corrected": corrected, "shown": shown}
    if shown == name:
        row = "scop.invisible"
    raise mistake(row, span, fix=[Edit(line, corrected)], **words)


def _corrected_line(source: Source, code: str, offset: int) -> tuple[str, Span]:
    """The line around an offset, with what its typographic characters stand for, and its place."""
    start = max(code.rfind("\n", 0, offset), code.rfind("\r", 0, offset)) + 1
    ends = [k for k in (code.find("\n", offset), code.find("\r", offset)) if k >= 0]
    end = min(ends, default=len(code))
    fixed, quotes = "", "‘" in code[start:end]
    for k in range(start, end):
        meant = None if code[k].isascii() else _plain(code[k])
        if quotes and code[k] == "’":  # not a prime
            meant = ""
        fixed += source.text[k] if meant is None else meant
    return fixed.replace("\n", " ").strip(), Span(source, start, end)


def _plain(character: str) -> str | None:
    """The ASCII text that a character stands for, None if there is none."""
    if character in _STANDS_FOR:
        return _STANDS_FOR[character]
    if unicodedata.category(character) == "Zs":
        return " "
    code = ord(character)
    if 0xFB00 <= code <= 0xFB06 or 0xFF01 <= code <= 0xFF5E:  # ligatures, full width
        return unicodedata.normalize("NFKC", character)
    return None
