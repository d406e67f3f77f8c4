"""Texts of expressions that are put together only when they are wanted.

The operands of a large expression are parts of its text and of each other's; as ropes they share
what they have in common, so that all of them together take the space of one.
"""

from __future__ import annotations

from typing import NamedTuple

from polynb.source.operators import PRIMARY

SHORT = 60  # characters: up to that many are put together at once

Rope = str | tuple["Rope", ...]


class Piece(NamedTuple):
    """A text as a rope, its length, its first character, and how tightly its outermost operator
    binds."""

    rope: Rope
    width: int
    first: str
    level: int

    @property
    def text(self) -> str:
        found: list[str] = []
        stack = [self.rope]
        while stack:
            rope = stack.pop()
            if isinstance(rope, str):
                found.append(rope)
            else:
                stack.extend(reversed(rope))
        return "".join(found)

    def at_least(self, level: int) -> Piece:
        return self if self.level >= level else joined(PRIMARY, "(", self, ")")


def joined(level: int, *parts: str | Piece) -> Piece:
    """The texts one behind the other; short ones are put together at once."""
    pieces = [Piece(p, len(p), p[:1], level) if isinstance(p, str) else p for p in parts]
    width = sum(p.width for p in pieces)
    rope: Rope = tuple(p.rope for p in pieces)
    if width <= SHORT:
        rope = "".join(p.text for p in pieces)
    return Piece(rope, width, pieces[0].first, level)
