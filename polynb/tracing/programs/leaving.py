"""Where the text of a loop leaves it: `break`, `return`, and what else ends more than an iteration.

A rough reading of C and C++, for a program is not parsed here: it knows comments, literals,
brackets, and the words that begin a statement which `break` belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

TOKEN: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\d(?:[\w.]|'\w)*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"|\n|[A-Za-z_]\w*|->|&&|\|\||[<>=!]=|[^\s\w]",
    re.DOTALL,
)
OWNERS: Final = ("for", "while", "do", "switch")
"""What a `break` inside belongs to."""
COMPARISONS: Final = frozenset(("<", ">", "<=", ">=", "!=", "=="))
ENDS: Final = ("return", "goto", "throw", "exit", "_Exit", "abort", "assert", "longjmp")


def left_by(lines: Sequence[str], line: int, which: int = 0) -> tuple[str, int] | None:
    """The word that leaves the `which`-th loop of a line (from 1), and its line; None if none of
    the text does. Macros are not looked into."""
    tokens = _tokens(lines, line)
    heads = [k for k, (t, at) in enumerate(tokens) if at == line and t in OWNERS[:3]]
    if not heads:
        return None
    head = heads[min(which, len(heads) - 1)]
    end = _statement(tokens, head)
    k = head + 1
    while k < end:
        word, at = tokens[k]
        if word in ENDS or word == "break":
            return word, at
        if word in OWNERS:
            inner = _statement(tokens, k)
            for inside, where in tokens[k:inner]:
                if inside in ENDS:
                    return inside, where
            k = inner
        else:
            k += 1
    return None


def decided_by(lines: Sequence[str], line: int, which: int = 0) -> str:
    """What decides whether the `which`-th loop of a line, a `for`, goes on, if that is more than
    how two numbers compare of which one is counted: memory, a call, a second condition; "" if it
    is not more.

    (That a loop changes a number that is compared is not seen here, but as a flow of values.)
    """
    tokens = _tokens(lines, line)
    heads = [k for k, (t, at) in enumerate(tokens) if at == line and t in OWNERS[:3]]
    if not heads:
        return ""
    head = heads[min(which, len(heads) - 1)]
    inside = [t for t, _ in tokens[head + 2 : _closed(tokens, head + 1) - 1]]
    if inside.count(";") != 2:
        return ""  # over a range
    first = inside.index(";")
    second = inside.index(";", first + 1)
    test, step = inside[first + 1 : second], inside[second + 1 :]
    if not COMPARISONS & {*test} or {"&&", "||", "!"} & {*test} or _reads(test):
        return " ".join(test) or "nothing"
    return " ".join(step) if {"->", ","} & {*step} or _reads(step) else ""


def only_counts(lines: Sequence[str], line: int) -> bool:
    """Whether a line has heads of counted `for` loops, and behind them nothing that is assigned: a
    variable that is written there counts a loop, or is what a loop begins with."""
    tokens = _tokens(lines, line)
    heads = [k for k, (t, at) in enumerate(tokens) if at == line and t in OWNERS[:3]]
    if not heads or any(decided_by(lines, line, k) for k in range(len(heads))):
        return False
    end = _closed(tokens, heads[-1] + 1)
    behind = [t for t, at in tokens[end:] if at == line]
    twice = any(a == b and a in ("+", "-") for a, b in pairwise(behind))
    return all(tokens[k][0] == "for" for k in heads) and "=" not in behind and not twice


def _reads(tokens: Sequence[str]) -> bool:
    """Whether an element, what is pointed to, or a call is asked for."""
    pairs = zip(["(", *tokens], tokens, strict=False)
    return any(
        token == "[" or (token == "*" and not _ends_value(before))
        or (token == "(" and before.isidentifier())
        for before, token in pairs
    )  # fmt: skip


def _ends_value(token: str) -> bool:
    return token[0].isalnum() or token[0] == "_" or token in (")", "]")


def _tokens(lines: Sequence[str], line: int) -> list[tuple[str, int]]:
    """The words and brackets from a line on, each with its line."""
    found = []
    for match in TOKEN.finditer("\n".join(lines[line - 1 :])):
        token = match[0]
        if token[:2] not in ("//", "/*") and token != "\n":
            found.append((token, line))
        line += token.count("\n")
    return found


def _statement(tokens: Sequence[tuple[str, int]], k: int) -> int:
    """Where the statement ends that begins at a token."""
    word = tokens[k][0] if k < len(tokens) else ""
    if word == "{":
        return _closed(tokens, k)
    if word in ("for", "while", "switch", "if"):
        end = _statement(tokens, _closed(tokens, k + 1))
        if word == "if" and end < len(tokens) and tokens[end][0] == "else":
            end = _statement(tokens, end + 1)
        return end
    if word == "do":
        k = _statement(tokens, k + 1)  # and its `while (...);`
    while k < len(tokens) and tokens[k][0] != ";":
        k = _closed(tokens, k) if tokens[k][0] in "({" else k + 1
    return k + 1


def _closed(tokens: Sequence[tuple[str, int]], k: int) -> int:
    """What comes after the bracket that closes the one here."""
    depth = 0
    while k < len(tokens):
        depth += (tokens[k][0] in ("(", "{")) - (tokens[k][0] in (")", "}"))
        k += 1
        if not depth:
            break
    return k
