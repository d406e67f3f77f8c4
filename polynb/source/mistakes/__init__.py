"""What people write by mistake: tables of what is said, with examples that a test applies.

A row says what is wrong (`says`), why it is (`because`), a way out (`try`) and, where that can be
typed, what takes the place of the characters in question (`fix`), or what another row says that it
is `like`. Words in braces are filled in by the code that finds the mistake; `where` is the regular
expression of one that is found by its form. In an `example` the marks ‹ and › are around what the
error points at.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from polynb.errors import Edit, PolynbError, Span
from polynb.words import counted

Words = dict[str, Any]
"""What the sentences of a row are filled in with, and arguments of `mistake`."""

TABLES = ("scop", "unexpected", "c", "foreign", "isl")
_SAID = ("says", "because", "try", "at")


class _Sentences(Formatter):
    """`{n:argument}` is "1 argument" or "2 arguments", `{word!l}` in small letters."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, int) and format_spec.isalpha() and len(format_spec) > 1:
            return counted(value, format_spec)
        return "" if value is None else str(super().format_field(value, format_spec))

    def convert_field(self, value: object, conversion: str | None) -> object:
        return str(value).lower() if conversion == "l" else super().convert_field(value, conversion)


_filled = _Sentences().format


@cache
def table(name: str) -> Mapping[str, Mapping[str, Any]]:
    """The rows of one table, by their names, in the order in which they are tried."""
    text = files("polynb.source.mistakes").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)
    alike = {key: rows.get(row.get("like"), {}) for key, row in rows.items()}
    return {
        key: {**{k: alike[key][k] for k in _SAID if k in alike[key]}, **row}
        for key, row in rows.items()
    }


def mistake(
    row: str, span: Span | None, /, fix: Sequence[Edit] | None = None, **words: object
) -> PolynbError:
    """The error of a row, `c.loop-start`, at a place. `fix` changes more than what is there."""
    name, _, key = row.partition(".")
    rows = table(name)
    known, words = rows[key], {**rows.get("words", {}), **words}
    said = {k: _filled(known[k], **words) for k in ("says", "because", "try", "fix") if k in known}
    if fix is None:
        fix = [Edit(span, said["fix"])] if span is not None and "fix" in said else ()
    return PolynbError(
        said["says"],
        span=span,
        reason=said.get("because") or None,
        hint=said.get("try") or None,
        fix=fix,
    )
