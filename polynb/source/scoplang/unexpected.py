"""A token that the grammar does not allow where it stands, and what is around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polynb.errors import Edit, Source, Span
from polynb.source.names import RESERVED

if TYPE_CHECKING:
    from lark import Token

CLOSED_BY = {"FOR": "done", "IF": "fi"}
CLOSES = {"DONE": "FOR", "FI": "IF"}
BEFORE_A_STATEMENT = ("SEMICOLON", "DO", "DONE", "THEN", "ELSE", "FI")


@dataclass(frozen=True, eq=False)
class Unexpected:
    """A token where the grammar allows only others: `accepts`. `before` and `following` are the
    tokens around it."""

    source: Source
    before: list[Token]
    found: Token
    following: list[Token]
    accepts: frozenset[str]

    @property
    def previous(self) -> Token | None:
        return self.before[-1] if self.before else None

    @property
    def after(self) -> Token | None:
        return self.following[0] if self.following else None

    @property
    def at_end(self) -> bool:
        return str(self.found.type) == "$END"

    @property
    def shown(self) -> str:
        return "the end of the text" if self.at_end else f"`{self.found}`"

    def here(self) -> Span:
        """The token, or the place behind the last one at the end of the text."""
        return self.behind() if self.at_end else span_of(self.source, self.found)

    def behind(self) -> Span:
        """The place right behind the token before."""
        end = 0 if self.previous is None else self.previous.end_pos
        return Span(self.source, end, end)

    def open_block(self) -> Token | None:
        """The `for` or `if` that is not closed yet."""
        stack: list[Token] = []
        for t in self.before:
            if t.type in CLOSED_BY:
                stack.append(t)
            elif t.type in CLOSES and stack:
                stack.pop()
        return stack[-1] if stack else None

    def continues(self) -> bool:
        """Whether the token stands in the line of the one before and is no keyword: then it
        rather is wrong itself than something before it missing."""
        if self.at_end or self.previous is None or str(self.found) in RESERVED:
            return False
        return line_of(self.source, self.found) == line_of(self.source, self.previous)

    def is_open(self, opening: str) -> bool:
        closing = {"(": ")", "[": "]"}[opening]
        words = [str(t) for t in self.before]
        return words.count(opening) > words.count(closing)

    def statement(self) -> list[Token]:
        """The tokens since the last `;`, or the last word after which a statement begins."""
        words = self.before
        for k in range(len(words) - 1, -1, -1):
            if words[k].type in BEFORE_A_STATEMENT:
                return words[k + 1 :]
        return words

    def word_of_statement(self) -> str:
        """The first word since the last `;`."""
        words = self.statement()
        return str(words[0]) if words else ""

    def only_word(self) -> Token | None:
        """The word of a statement that has no other one yet."""
        words = self.statement()
        return words[0] if len(words) == 1 else None

    def rest_of_statement(self) -> list[Token]:
        """The tokens after this one, up to the next `;`."""
        found = []
        for t in self.following:
            if t.type == "SEMICOLON":
                break
            found.append(t)
        return found

    # -- changes of the text ---------------------------------------------------------------

    def instead(self, text: str, last: Token | None = None) -> list[Edit]:
        """This token, or all up to another one, replaced."""
        return [Edit(span_of(self.source, self.found, last), text)]

    def inserted(self, text: str) -> list[Edit]:
        """Something behind the token before."""
        return [Edit(self.behind(), text)]


def span_of(source: Source, first: Token, last: Token | None = None) -> Span:
    return Span(source, first.start_pos, (last or first).end_pos)


def line_of(source: Source, token: Token) -> int:
    return source.position(token.start_pos)[0]
