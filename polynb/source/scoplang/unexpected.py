"""A token that the grammar does not allow where it stands, and what is around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polynb.errors import Edit, Source, Span
from polynb.source.names import RESERVED

if TYPE_CHECKING:
    from lark import Token

CLOSED_BY = {"FOR": "done", "IF": "fi"}
_CLOSES = ("DONE", "FI")
_BEFORE_A_STATEMENT = ("SEMICOLON", "DO", "DONE", "THEN", "ELSE", "FI")
# What may go on at a place: the first of these that does is what is missing there.
_WANTED = {
    "TO": "`to`",
    "DO": "`do`",
    "SEMICOLON": "`;`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "EQUAL": "`=`",
    "COLON": "`:`",
    "THEN": "`then` or a statement",
    "LPAR": "`(`",
    "FI": "`fi`",
    "$END": "the end of the text",
}


@dataclass(frozen=True, eq=False)
class Unexpected:
    """A token where the grammar allows only others: `accepts`. `before` and `following` are the
    tokens around it."""

    source: Source
    before: list[Token]
    found: Token
    following: list[Token]
    accepts: frozenset[str]

    # -- what a row of the table may ask ---------------------------------------------------

    @property
    def previous(self) -> Token | None:
        return self.before[-1] if self.before else None

    @property
    def after(self) -> Token | None:
        return self.following[0] if self.following else None

    @property
    def statement(self) -> Token | None:
        """The first word since the last `;`, or the last word after which a statement begins."""
        return next(iter(self.words()), None)

    @property
    def alone(self) -> Token | None:
        """The word of a statement that has no other one yet."""
        words = self.words()
        return words[0] if len(words) == 1 else None

    @property
    def block(self) -> Token | None:
        """The `for` or `if` that is not closed yet."""
        stack: list[Token] = []
        for t in self.before:
            if t.type in CLOSED_BY:
                stack.append(t)
            elif t.type in _CLOSES and stack:
                stack.pop()
        return stack[-1] if stack else None

    @property
    def in_line(self) -> bool:
        """Whether the token stands in the line of the one before."""
        previous = self.previous
        return previous is not None and self.line_of(self.found) == self.line_of(previous)

    @property
    def continued(self) -> bool:
        """Whether it does and is no keyword: then it rather is wrong itself than something before
        it missing."""
        return not self.at_end and str(self.found) not in RESERVED and self.in_line

    @property
    def glued(self) -> bool:
        return self.previous is not None and self.previous.end_pos == self.found.start_pos

    def fits(self, when: Mapping[str, str | list[str]]) -> bool:
        """Whether a row of the table is about this place."""
        return all(
            self._holds(key, {wanted} if isinstance(wanted, str) else set(wanted))
            for key, wanted in when.items()
        )

    def _holds(self, key: str, wanted: set[str]) -> bool:
        match key:
            case "accepts":
                return wanted <= self.accepts
            case "rejects":
                return wanted.isdisjoint(self.accepts)
            case "only":
                return wanted == self.accepts
            case "closed":
                return not any(map(self._is_open, wanted))
            case "is":
                return all(getattr(self, flag) for flag in wanted)
        token = getattr(self, key)
        return token is not None and not wanted.isdisjoint((str(token), token.type))

    def _is_open(self, opening: str) -> bool:
        words = [str(t) for t in self.before]
        return words.count(opening) > words.count({"(": ")", "[": "]"}[opening])

    # -- what a row may say ----------------------------------------------------------------

    @property
    def at_end(self) -> bool:
        return str(self.found.type) == "$END"

    @property
    def wanted(self) -> str:
        return next((w for t, w in _WANTED.items() if t in self.accepts), "something else")

    def said(self) -> dict[str, object]:
        """The words that a row may use."""
        shown = "the end of the text" if self.at_end else f"`{self.found}`"
        return {
            "found": self.found,
            "previous": self.previous,
            "after": self.after,
            "block": self.block,
            "line": self.line_of(self.block) if self.block is not None else None,
            "wanted": self.wanted,
            "shown": shown,
            "before": "" if self.at_end else f" before {shown}",
            "behind": "" if self.previous is None else f" after `{self.previous}`",
        }

    # -- places and parts of the text --------------------------------------------------------

    def place(self, at: str) -> Span:
        """Where a row is shown: at the `found` or the `previous` token, or `behind` that one; at
        the end of the text always there."""
        if at == "behind" or (at == "found" and self.at_end):
            end = 0 if self.previous is None else self.previous.end_pos
            return Span(self.source, end, end)
        return self.span(self.found if at == "found" else self.before[-1])

    def span(self, first: Token, last: Token | None = None) -> Span:
        return Span(self.source, first.start_pos, (last or first).end_pos)

    def text(self, first: Token, last: Token) -> str:
        return self.source.text[first.start_pos : last.end_pos]

    def line_of(self, token: Token) -> int:
        return self.source.position(token.start_pos)[0]

    def words(self) -> list[Token]:
        """The tokens of the statement so far."""
        before = [k for k, t in enumerate(self.before) if t.type in _BEFORE_A_STATEMENT]
        return self.before[before[-1] + 1 :] if before else self.before

    def rest(self) -> list[Token]:
        """The tokens after this one, up to the next `;`."""
        ends = (k for k, t in enumerate(self.following) if t.type == "SEMICOLON")
        return self.following[: next(ends, len(self.following))]

    def instead(self, text: str, last: Token | None = None) -> list[Edit]:
        """This token, or all up to another one, replaced."""
        return [Edit(self.span(self.found, last), text)]

    def inserted(self, text: str) -> list[Edit]:
        """Something behind the token before."""
        return [Edit(self.place("behind"), text)]
