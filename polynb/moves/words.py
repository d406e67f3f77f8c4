"""The arguments of moves: how each is checked in a call, and read in a line of a script.

The fields of a move are annotated with these types, and everything else follows from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

from polynb import isl
from polynb.arguments import count, integer, integers, objects, text
from polynb.errors import PolynbError, Span
from polynb.scop.isl_text import union_map

LOOP: Final = re.compile(r"(?:\w+\.)?[A-Za-z_]\w*(?::\d+)?")
NUMBER: Final = re.compile(r"-?\d+")
SUM: Final = re.compile(r"-?[\w*]+(?:[-+][\w*]+)*|-")
MORE: Final = re.compile(r"[-+]|[-+]?[\w*]+(?:[-+][\w*]+)*[-+]?")
SIZES: Final = 2, 2**31 - 1
COUNTS: Final = 1, 64
AMOUNTS: Final = -(2**63), 2**63 - 1
"""The least and the largest number: of tiles and strips, of iterations, of distances."""
SCHEDULE: Final = "{ S[i, j] -> [j, i] }"


@dataclass(frozen=True, eq=False)
class ScriptWord:
    """A word of a line, and where an error about it points."""

    text: str
    span: Span


@dataclass(eq=False)
class Cursor:
    """The words of a line, read from left to right; the first is what the move is called."""

    usage: str
    example: str
    words: tuple[ScriptWord, ...]
    line: Span
    at: int = 1

    @property
    def name(self) -> str:
        return self.usage.partition(" ")[0]

    @property
    def next(self) -> ScriptWord | None:
        return self.words[self.at] if self.at < len(self.words) else None

    def follows(self, word: str) -> bool:
        return self.next is not None and self.next.text == word

    def missing(self, what: str, span: Span | None = None) -> PolynbError:
        """The error for what should be here: at the next word, or behind the line."""
        behind = Span(self.line.source, self.line.end, self.line.end)
        here = self.next.span if self.next else behind
        return PolynbError(
            f"{self.name} takes {what} here",
            span=span or here,
            reason=f"it is written `{self.usage}`",
            hint=f"`{self.example}`",
        )

    def take(self, what: str, pattern: re.Pattern[str]) -> str:
        word = self.next
        if word is None or pattern.fullmatch(word.text) is None:
            raise self.missing(what)
        self.at += 1
        return word.text

    def keyword(self, word: str) -> bool:
        """Whether it is next; it is read then."""
        found = self.follows(word)
        self.at += found
        return found

    def need(self, word: str) -> None:
        if not self.keyword(word):
            raise self.missing(f"`{word}`")

    def loop(self) -> str:
        return self.take("the name of a loop", LOOP)

    def number(self, within: tuple[int, int]) -> int:
        start = self.at
        return self.checked(int(self.take("a number", NUMBER)), within, start)

    def checked(self, number: int, within: tuple[int, int], start: int) -> int:
        """A number, written from this word on, that has to be within bounds."""
        least, most = within
        if least <= number <= most:
            return number
        bound = f"least {least:,}" if number < least else f"most {most:,}"
        span = self.words[start].span.to(self.words[self.at - 1].span)
        raise self.missing(f"a number of at {bound}", span)

    def amount(self) -> int | str:
        """A number, or a sum with parameters."""
        start = self.at
        said = self.take("a number", SUM)
        while said[-1] in "+-" or (self.next is not None and self.next.text[0] in "+-"):
            said += self.take("a number", MORE)
        return self.checked(int(said), AMOUNTS, start) if NUMBER.fullmatch(said) else said

    def amounts(self) -> int | str | tuple[int | str, ...]:
        numbers = [self.amount()]
        while self.keyword(","):
            numbers.append(self.amount())
        return numbers[0] if len(numbers) == 1 else tuple(numbers)

    def loops(self) -> tuple[str, ...]:
        found = [self.loop()]
        while self.next is not None and not self.follows("by"):
            self.keyword(",")
            found.append(self.loop())
        return tuple(found)

    def sizes(self) -> int | tuple[int, ...]:
        found = [self.number(SIZES)]
        while self.next is not None:
            self.keyword(",")
            found.append(self.number(SIZES))
        return found[0] if len(found) == 1 else tuple(found)

    def rest(self) -> str:
        """What is written behind the first word, as it is."""
        self.at = len(self.words)
        said = self.line.text[len(self.words[0].text) :].strip()
        if not said:
            raise self.missing("a schedule", self.words[0].span)
        return said

    def end(self) -> None:
        if self.next is not None:
            raise PolynbError(
                f"{self.name} takes nothing more here",
                span=self.next.span.to(self.words[-1].span),
                reason=f"it is written `{self.usage}`",
                hint=f"`{self.example}`",
            )


@dataclass(frozen=True)
class MoveArgument:
    """An argument: checked, by its name, in a call, and read where a line has it."""

    check: Callable[[str, Any], object]
    read: Callable[[Cursor], object]


def _loops(name: str, value: Sequence[object]) -> tuple[str, ...]:
    return tuple(text(name, x) for x in value)


def _sizes(name: str, value: object) -> int | tuple[int, ...]:
    check = integers if isinstance(value, tuple | list) else count
    return check(name, value, least=2)


def _amounts(name: str, value: object) -> int | str | tuple[int | str, ...]:
    if isinstance(value, int | str):
        return value
    return objects(name, value, int | str, "distances", "by=[1, 0], say")


def _times(name: str, value: object) -> str:
    return value if isinstance(value, str) else str(union_map("schedule", value, SCHEDULE))


Amount = int | str
LoopName = Annotated[str, MoveArgument(text, Cursor.loop)]
StatementName = Annotated[str, MoveArgument(text, lambda c: c.take("a statement", LOOP))]
Temporary = Annotated[str, MoveArgument(text, lambda c: c.take("the name of a temporary", LOOP))]
Count = Annotated[int, MoveArgument(count, lambda c: c.number(COUNTS))]
Size = Annotated[int, MoveArgument(partial(count, least=2), lambda c: c.number(SIZES))]
Factor = Annotated[int, MoveArgument(integer, lambda c: c.number(AMOUNTS))]
Loops = Annotated[tuple[str, ...], MoveArgument(_loops, Cursor.loops)]
Sizes = Annotated[int | Sequence[int], MoveArgument(_sizes, Cursor.sizes)]
Amounts = Annotated[Amount | Sequence[Amount], MoveArgument(_amounts, Cursor.amounts)]
Times = Annotated[str | isl.UnionMap, MoveArgument(_times, Cursor.rest)]
