"""The words of a text in C or C++, its statements and its loops.

A rough reading, for a program is not parsed here: it knows literals, macros, brackets, and the
words that begin a statement which `break` belongs to.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final

from polynb.tracing.programs.macros import TYPED, words

Tokens = Sequence[tuple[str, int]]
"""Words and brackets, each with its line."""
OWNERS: Final = ("for", "while", "do", "switch")
"""What a `break` inside belongs to."""
HEADS: Final = ("if", "for", "while", "switch")
BEFORE: Final = ("return", "else", "do", "case", "goto", "throw", "delete")
"""What a value may follow."""
BREAKS: Final = (";", "{", "}")


def head_of(tokens: Tokens, line: int, which: int = 0) -> int | None:
    """Where the `which`-th loop of a line begins; None where there is none."""
    heads = [k for k, (t, at) in enumerate(tokens) if at == line and t in OWNERS[:3]]
    return heads[min(which, len(heads) - 1)] if heads else None


@lru_cache(maxsize=4096)
def loop_at(text: tuple[str, ...], line: int, which: int = 0) -> int | None:
    """The same among the words of a whole text."""
    return head_of(words_at(text)[0], line, which)


def ends_value(tokens: Tokens, k: int) -> bool:
    """Whether a token ends a value, which an operator may follow: no `else`, nor the bracket of
    `if (x)` or of a cast."""
    word = tokens[k][0] if k >= 0 else "("
    if word != ")":
        return (word[0].isalnum() or word[0] == "_" or word == "]") and word not in BEFORE
    first = opened(tokens, k)
    return not (first and tokens[first - 1][0] in HEADS) and not is_cast(tokens, k)


def is_cast(tokens: Tokens, k: int) -> bool:
    """Whether a cast ends at a token: `(int)`, `(struct s *)`."""
    first = opened(tokens, k)
    inside = [t for t, _ in tokens[first + 1 : k]]
    if tokens[k][0] != ")" or not inside or (first and ends_value(tokens, first - 1)):
        return False
    names = inside[-1] != "*"
    return (
        not names
        or all(TYPED.fullmatch(t) for t in inside)
        or (len(inside) > 1 and all(t.isidentifier() for t in inside))
    )


def points(tokens: Tokens, k: int) -> bool:
    """Whether a `*` asks for what is pointed to. (`(real) * p` is read so: nobody multiplies by one
    name in brackets.)"""
    if tokens[k][0] != "*":
        return False
    if not ends_value(tokens, k - 1):
        return True
    first = opened(tokens, k - 1)
    named = k - first == 3 and tokens[first][0] == "(" and tokens[first + 1][0].isidentifier()
    return named and not (first and ends_value(tokens, first - 1))


def opened(tokens: Tokens, k: int) -> int:
    """The bracket that the one here closes; another token is itself."""
    depth = 0
    while True:
        depth += (tokens[k][0] in ("]", ")")) - (tokens[k][0] in ("[", "("))
        if depth <= 0 or not k:
            return k
        k -= 1


@lru_cache(maxsize=512)
def words_at(
    lines: tuple[str, ...],
) -> tuple[list[tuple[str, int]], dict[tuple[int, int], range]]:
    """The words and brackets of a text, and which of them stand at a line and a column (of bytes,
    from 1): several where a macro does."""
    found, places, before = list[tuple[str, int]](), dict[tuple[int, int], range](), -1
    for (token, line, column), origin in words("\n".join(lines)):
        first = places[line, column].start if origin == before else len(found)
        places[line, column] = range(first, len(found) + 1)
        found.append((token, line))
        before = origin
    return found, places


def words_of(lines: Sequence[str], line: int) -> list[tuple[str, int]]:
    """The words and brackets from a line on, each with its line."""
    tokens, _ = words_at(tuple(lines))
    return tokens[bisect_left(tokens, line, key=itemgetter(1)) :]


def statement(tokens: Tokens, k: int) -> int:
    """Where the statement ends that begins at a token."""
    word = tokens[k][0] if k < len(tokens) else ""
    if word == "{":
        return closed(tokens, k)
    if word in ("for", "while", "switch", "if"):
        end = statement(tokens, closed(tokens, k + 1))
        if word == "if" and end < len(tokens) and tokens[end][0] == "else":
            end = statement(tokens, end + 1)
        return end
    if word == "do":
        k = statement(tokens, k + 1)  # and its `while (...);`
    while k < len(tokens) and tokens[k][0] != ";":
        k = closed(tokens, k) if tokens[k][0] in "({" else k + 1
    return k + 1


def closed(tokens: Tokens, k: int) -> int:
    """What comes after the bracket that closes the one here."""
    squared = k < len(tokens) and tokens[k][0] == "["
    opening, closing, depth = "[" if squared else "({", "]" if squared else ")}", 0
    while k < len(tokens):
        depth += (tokens[k][0] in opening) - (tokens[k][0] in closing)
        k += 1
        if not depth:
            break
    return k


def begun(tokens: Tokens, k: int) -> int:
    """Where the statement (or the part of a head) begins that a token stands in."""
    while k and tokens[k - 1][0] not in BREAKS:
        k -= 1
    return k


def head_end(tokens: Tokens, k: int) -> int:
    """Where what begins a statement at a token ends (`if (x)`, `else`); of others, the end."""
    if tokens[k][0] in ("else", "do"):
        return k + 1
    return closed(tokens, k + 1) if tokens[k][0] in HEADS else len(tokens)


def span(tokens: Tokens, k: int) -> tuple[int, int]:
    """The first and the last line of the statement (or the part of a head) around a token."""
    last = k
    while last + 1 < len(tokens) and tokens[last][0] not in BREAKS:
        last += 1
    return tokens[begun(tokens, k)][1], tokens[last][1]
