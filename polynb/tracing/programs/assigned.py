"""What a loop's text assigns: to which names, and where else. Read roughly (tokens.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from polynb.tracing.programs.tokens import (
    Tokens,
    closed,
    ends_value,
    is_cast,
    opened,
    points,
    statement,
    words_at,
)

ASSIGNING: Final = frozenset(
    ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--")
)
NO_TYPES: Final = frozenset(("return", "else", "goto", "case", "do", "typedef", "using", "delete"))
KEPT: Final = frozenset(("static", "extern", "thread_local", "_Thread_local"))


@dataclass(frozen=True)
class Assigned:
    """An assignment to a `name` (or a member of what it names), or to memory ("": an element, what
    is pointed to), by the token `at`. `how` is its operator; `&` hands out its address."""

    name: str
    at: int
    how: str


@dataclass(frozen=True)
class Declared:
    """A variable that is made anew: it is known from one token to another."""

    name: str
    first: int
    end: int


def assignments(tokens: Tokens, first: int, end: int) -> Iterator[Assigned]:
    """Those between two tokens."""
    for k in range(first, end):
        word = tokens[k][0]
        if word in ("++", "--"):
            after = not ends_value(tokens, k - 1)
            name = _named(tokens, k + 1) if after else _left(tokens, k - 1, binds=True)
            yield Assigned(name, k, word)
        elif word in ASSIGNING:
            yield Assigned(_left(tokens, k - 1), k, word)
        elif word == "&" and not ends_value(tokens, k - 1):
            if name := _named(tokens, k + 1):
                yield Assigned(name, k, word)
        elif word in ("va_arg", "__builtin_va_arg"):
            yield Assigned(_named(tokens, k + 2), k, ".")
        elif word == "." and _calls(tokens, k):
            yield Assigned(_left(tokens, k - 1), k, word)


def assigned_at(lines: tuple[str, ...], at: tuple[int, int]) -> Assigned | None:
    """The one assignment that begins at a line and a column of a text."""
    tokens, places = words_at(lines)
    ks = places.get(at, range(0))
    found = [*assignments(tokens, ks[0], ks[0] + 1)] if len(ks) == 1 else []
    return found[0] if len(found) == 1 else None


def lent_out(tokens: Tokens, first: int, end: int) -> set[str]:
    """The variables whose addresses are handed out between two tokens."""
    return {a.name for a in assignments(tokens, first, end) if a.how == "&"}


def _calls(tokens: Tokens, k: int) -> bool:
    """Whether a method is called, which may change what it is called of."""
    return k + 2 < len(tokens) and tokens[k + 1][0].isidentifier() and tokens[k + 2][0] == "("


def _left(tokens: Tokens, k: int, *, binds: bool = False) -> str:
    """The variable that an lvalue ends with, whose last token this is; "" for memory. What follows
    `binds` closer than a `*` before it: `*p++`."""
    while k > 1 and tokens[k][0].isidentifier() and tokens[k - 1][0] == ".":
        k -= 2
    word = tokens[k][0]
    if not word.isidentifier() or (k and tokens[k - 1][0] == "->"):
        return ""
    while k > 1 and is_cast(tokens, k - 1):
        k = opened(tokens, k - 1)
    pointed = not binds and k > 0 and points(tokens, k - 1)
    return "" if pointed else word


def _named(tokens: Tokens, k: int) -> str:
    """The variable that an lvalue begins with; "" for memory."""
    while k < len(tokens) and tokens[k][0] == "(":
        k += 1
    if k >= len(tokens) or not (word := tokens[k][0]).isidentifier():
        return ""
    while k + 2 < len(tokens) and tokens[k + 1][0] == ".":
        k += 2
    return "" if k + 1 < len(tokens) and tokens[k + 1][0] in ("[", "->") else word


def declarations(tokens: Tokens, first: int, end: int) -> Iterator[Declared]:
    """The variables that are declared between two tokens, but those that are kept, and names for
    what is elsewhere."""
    for k in range(first, end):
        starts = tokens[k][0] in ("{", "}", ";")
        head = tokens[k][0] == "(" and k > 0 and tokens[k - 1][0] == "for"
        if starts or head:
            until = statement(tokens, k - 1) if head else _block_end(tokens, k + 1, end)
            yield from _declared(tokens, k + 1, min(until, end))


def _declared(tokens: Tokens, k: int, end: int) -> Iterator[Declared]:
    words = []
    while k < end and (tokens[k][0].isidentifier() or tokens[k][0] in ("*", "&", "::")):
        words.append(tokens[k][0])
        k += 1
    names = [w for w in words if w.isidentifier()]
    if len(names) < 2 or names[0] in NO_TYPES or KEPT & {*names} or not words[-1].isidentifier():
        return
    if tokens[k][0] not in ("=", ";", ",", "[", ":") or "&" in words:
        return
    yield Declared(words[-1], k - 1, end)
    while k < end and tokens[k][0] != ";":
        if tokens[k][0] == ",":
            while k + 1 < end and tokens[k + 1][0] == "*":
                k += 1
            if k + 1 < end and tokens[k + 1][0].isidentifier():
                yield Declared(tokens[k + 1][0], k + 1, end)
        k = closed(tokens, k) if tokens[k][0] in ("(", "{", "[") else k + 1


def _block_end(tokens: Tokens, k: int, end: int) -> int:
    """Where the block ends that a token stands in."""
    depth = 0
    while k < end:
        depth += (tokens[k][0] == "{") - (tokens[k][0] == "}")
        if depth < 0:
            return k
        k += 1
    return end
