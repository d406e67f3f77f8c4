"""Where the text of a loop leaves it: `break`, `return`, and what else ends more than an iteration.

A rough reading of C and C++, for a program is not parsed here: it knows comments, literals,
brackets, and the words that begin a statement which `break` belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

TOKEN: Final = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\n|[A-Za-z_]\w*|[(){};]', re.DOTALL
)
OWNERS: Final = ("for", "while", "do", "switch")
"""What a `break` inside belongs to."""
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


def _tokens(lines: Sequence[str], line: int) -> list[tuple[str, int]]:
    """The words and brackets from a line on, each with its line."""
    found = []
    for match in TOKEN.finditer("\n".join(lines[line - 1 :])):
        token = match[0]
        if token[0] not in "/\"'\n":
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
