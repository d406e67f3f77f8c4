"""The papers' terms, and what they mean there: `glossary.json`, which the stepper has too, and
`glossary_folding.json`: the rows are [term, forms, means, source]."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

FILES: Final = ("glossary.json", "glossary_folding.json")


@dataclass(frozen=True)
class Definition:
    """What a term means, and where its paper says so. `forms` are the regular expressions of how it
    is written, within a sentence."""

    term: str
    forms: tuple[str, ...]
    means: str
    source: str

    @property
    def told(self) -> str:
        return f"{self.means} ({self.source})"


@cache
def definitions() -> tuple[Definition, ...]:
    """All terms, read once."""
    texts = (files(__package__).joinpath(n).read_text(encoding="utf-8") for n in FILES)
    rows = [row for text in texts for row in json.loads(text)]
    return tuple(Definition(term, tuple(forms), *said) for term, forms, *said in rows)


@cache
def _forms() -> tuple[re.Pattern[str], dict[str, Definition]]:
    """One pattern, longer forms before the shorter ones that they begin with, a group for each; and
    the term of each group."""
    found = sorted(((f, t) for t in definitions() for f in t.forms), key=lambda x: -len(x[0]))
    groups = {f"g{k}": t for k, (_, t) in enumerate(found)}
    parts = (f"(?P<g{k}>{_begun(form)})" for k, (form, _) in enumerate(found))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w-])"), groups


def _begun(form: str) -> str:
    """A form that may stand at the beginning of a sentence."""
    first = form[0]
    return f"[{first}{first.upper()}]{form[1:]}" if first.islower() and first.isascii() else form


def in_terms(text: str, known: set[str]) -> Iterator[tuple[str, Definition | None]]:
    """A text in pieces, those that are terms with what they mean: each the first time it occurs.
    `known` are the terms that were explained before; it grows."""
    pattern, groups = _forms()
    start = 0
    for m in pattern.finditer(text):
        term = groups[m.lastgroup or ""]
        if term.term in known:
            continue
        known.add(term.term)
        yield text[start : m.start()], None
        yield m[0], term
        start = m.end()
    yield text[start:], None
