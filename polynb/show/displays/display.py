"""What a notebook is given to show of an object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polynb.show.html import Html, next_line, page


@dataclass(frozen=True)
class Display:
    """An object as plain text, as the parts of a page, and as the lines to type next, which end
    both."""

    text: str
    parts: Sequence[str]
    next: Sequence[str] = ()

    @property
    def plain(self) -> str:
        return "\n".join([self.text, *(f"next: {line}" for line in self.next)])

    @property
    def html(self) -> Html:
        return page(*self.parts, *map(next_line, self.next))
