"""Pieces of the pages' texts."""

from __future__ import annotations

from collections.abc import Iterable


def heading(text: str, line: str) -> str:
    """Of reStructuredText."""
    return f"{text}\n{line * len(text)}\n\n"


def listed(pages: Iterable[str]) -> str:
    """What a page has below it."""
    return ".. toctree::\n   :hidden:\n\n" + "".join(f"   {p}\n" for p in pages)
