"""The words of a text in C or C++, its statements and its loops.

A rough reading, for a program is not parsed here: it knows comments, literals, brackets, and the
words that begin a statement which `break` belongs to.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final

Tokens = Sequence[tuple[str, int]]
"""Words and brackets, each with its line."""
TOKEN: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\d(?:[\w.]|'\w)*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"|\n|[A-Za-z_]\w*|->|&&|\|\||<<=|>>=|\+\+|--|[-+*/%&|^<>=!]=|[^\s\w]",
    re.DOTALL,
)
OWNERS: Final = ("for", "while", "do", "switch")
"""What a `break` inside belongs to."""
BREAKS: Final = (";", "{", "}")


def head_of(tokens: Tokens, line: int, which: int = 0) -> int | None:
    """Where the `which`-th loop of a line begins; None where there is none."""
    heads = [k for k, (t, at) in enumerate(tokens) if at == line and t in OWNERS[:3]]
    return heads[min(which, len(heads) - 1)] if heads else None


@lru_cache(maxsize=4096)
def loop_at(text: tuple[str, ...], line: int, which: int = 0) -> int | None:
    """The same among the words of a whole text."""
    return head_of(words_at(text)[0], line, which)


def ends_value(token: str) -> bool:
    return (token[0].isalnum() or token[0] == "_" or token in (")", "]")) and token != "return"


@lru_cache(maxsize=512)
def words_at(lines: tuple[str, ...]) -> tuple[list[tuple[str, int]], dict[tuple[int, int], int]]:
    """The words and brackets of a text, and which of them stands at a line and a column (of bytes,
    from 1)."""
    text, found, places = "\n".join(lines), list[tuple[str, int]](), dict[tuple[int, int], int]()
    line = 1
    for match in TOKEN.finditer(text):
        token = match[0]
        if token[:2] not in ("//", "/*") and token != "\n":
            start = text.rfind("\n", 0, match.start()) + 1
            column = len(text[start : match.start()].encode()) + 1
            places[line, column] = len(found)
            found.append((token, line))
        line += token.count("\n")
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


def span(tokens: Tokens, k: int) -> tuple[int, int]:
    """The first and the last line of the statement (or the part of a head) around a token."""
    last = k
    while last + 1 < len(tokens) and tokens[last][0] not in BREAKS:
        last += 1
    return tokens[begun(tokens, k)][1], tokens[last][1]
