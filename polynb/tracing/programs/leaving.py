"""Where the text of a loop leaves it: `break`, `return`, and what else ends more than an iteration.

A rough reading of C and C++, for a program is not parsed here: it knows comments, literals,
brackets, and the words that begin a statement which `break` belongs to.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final

TOKEN: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\d(?:[\w.]|'\w)*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"|\n|[A-Za-z_]\w*|->|&&|\|\||<<=|>>=|\+\+|--|[-+*/%&|^<>=!]=|[^\s\w]",
    re.DOTALL,
)
OWNERS: Final = ("for", "while", "do", "switch")
"""What a `break` inside belongs to."""
COMPARISONS: Final = frozenset(("<", ">", "<=", ">=", "!=", "=="))
COUNTING: Final = re.compile(
    r"(?:(?:\w+ (?:\+\+|--)|(?:\+\+|--) \w+|\w+ [-+]= \d+)(?: , (?!$)|$))+"
)
"""Several variables that are counted beside each other."""
ENDS: Final = ("return", "goto", "throw", "exit", "_Exit", "abort", "assert", "longjmp")


def left_by(lines: Sequence[str], line: int, which: int = 0) -> tuple[str, int] | None:
    """The word that leaves the `which`-th loop of a line (from 1), and its line; None if none of
    the text does. Macros are not looked into."""
    tokens = words_of(lines, line)
    if (head := head_of(tokens, line, which)) is None:
        return None
    end = statement(tokens, head)
    k = head + 1
    while k < end:
        word, at = tokens[k]
        if word in ENDS or word == "break":
            return word, at
        if word in OWNERS:
            inner = statement(tokens, k)
            for inside, where in tokens[k:inner]:
                if inside in ENDS:
                    return inside, where
            k = inner
        else:
            k += 1
    return None


def decided_by(lines: Sequence[str], line: int, which: int = 0) -> str:
    """What decides whether the `which`-th loop of a line goes on, if that is more than how two
    numbers compare (of which a `for` counts one): memory, a call, a second condition; "" if it is
    not more.

    (That a loop changes a number that is compared is not seen here, but as a flow of values.)
    """
    tokens = words_of(lines, line)
    if (head := head_of(tokens, line, which)) is None:
        return ""
    if tokens[head][0] != "for":
        return _asked(tokens, head)
    inside = [t for t, _ in tokens[head + 2 : closed(tokens, head + 1) - 1]]
    if inside.count(";") != 2:
        return ""  # over a range
    first = inside.index(";")
    second = inside.index(";", first + 1)
    test, step = inside[first + 1 : second], inside[second + 1 :]
    if _finds(test):
        return " ".join(test) or "nothing"
    several = "," in step and not COUNTING.fullmatch(" ".join(step))
    return " ".join(step) if several or "->" in step or _reads(step) else ""


def _asked(tokens: Sequence[tuple[str, int]], head: int) -> str:
    """The same of a `while`, or a `do`."""
    k = head if tokens[head][0] == "while" else statement(tokens, head + 1)
    test = [t for t, _ in tokens[k + 2 : closed(tokens, k + 1) - 1]]
    return (" ".join(test) or "nothing") if _finds(test) else ""


def _finds(test: Sequence[str]) -> bool:
    """Whether a test is more than how two numbers compare."""
    changing = {"&&", "||", "!", "++", "--", "="} & {*test}
    return bool(not COMPARISONS & {*test} or changing or _reads(test))


def head_of(tokens: Sequence[tuple[str, int]], line: int, which: int = 0) -> int | None:
    """Where the `which`-th loop of a line begins; None where there is none."""
    heads = [k for k, (t, at) in enumerate(tokens) if at == line and t in OWNERS[:3]]
    return heads[min(which, len(heads) - 1)] if heads else None


@lru_cache(maxsize=4096)
def loop_at(text: tuple[str, ...], line: int, which: int = 0) -> int | None:
    """The same among the words of a whole text."""
    return head_of(words_at(text)[0], line, which)


def _reads(tokens: Sequence[str]) -> bool:
    """Whether an element, what is pointed to, or a call is asked for."""
    pairs = zip(["(", *tokens], tokens, strict=False)
    return any(
        token == "[" or (token == "*" and not ends_value(before))
        or (token == "(" and before.isidentifier())
        for before, token in pairs
    )  # fmt: skip


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


def statement(tokens: Sequence[tuple[str, int]], k: int) -> int:
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


def closed(tokens: Sequence[tuple[str, int]], k: int) -> int:
    """What comes after the bracket that closes the one here."""
    depth = 0
    while k < len(tokens):
        depth += (tokens[k][0] in ("(", "{")) - (tokens[k][0] in (")", "}"))
        k += 1
        if not depth:
            break
    return k
