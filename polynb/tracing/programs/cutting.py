"""What a line's text adds to a variable that does not keep all of it: halves to a whole number,
anything to a truth. Gathered in parts, it comes to something else."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final

from polynb.tracing.programs.assigned import assignments
from polynb.tracing.programs.tokens import BEFORE, BREAKS, Tokens, closed, opened, words_at

NUMBER: Final = re.compile(r"(?!0[xX])(?:\d*\.\d*(?:[eE].*)?|\d+[eE].*)[fFlL]?")
REAL: Final = frozenset(("float", "double"))
TRUTH: Final = frozenset(("bool", "_Bool"))
ASKING: Final = frozenset(("<", ">", "<=", ">=", "==", "!=", "&&", "||"))
QUALIFIERS: Final = frozenset(("*", "&", "const", "restrict", "__restrict", "volatile"))


def cuts(lines: Sequence[str], line: int) -> bool:
    """Whether a value that is assigned in a line is cut, as far as its text says."""
    tokens, _ = words_at(tuple(lines))
    here = [k for k, (_, at) in enumerate(tokens) if at == line]
    if not here:
        return False
    return any(
        _cut(tokens, a.at, a.how)
        for a in assignments(tokens, here[0], here[-1] + 1)
        if a.how in ("=", "+=", "-=", "*=")
    )


def _cut(tokens: Tokens, at: int, how: str) -> bool:
    target = _target(tokens, at - 1)
    if how in ("+=", "-=") and _declared(tokens, at, target, TRUTH):
        return True
    first, end = at + 1, at + 1
    while end < len(tokens) and tokens[end][0] not in (*BREAKS, ","):
        end = closed(tokens, end) if tokens[end][0] in ("(", "[") else end + 1
    while tokens[first][0] == "(" and closed(tokens, first) == end:
        first, end = first + 1, end - 1
    return (
        not _asks(tokens, first, end)
        and any(_is_real(tokens, k) for k in range(first, end))
        and not _declared(tokens, at, target, REAL)
    )


def _asks(tokens: Tokens, first: int, end: int) -> bool:
    """Whether a value is that of a comparison."""
    found = False
    while first < end:
        found |= tokens[first][0] in ASKING
        if tokens[first][0] == "?":
            return False
        first = closed(tokens, first) if tokens[first][0] in ("(", "[") else first + 1
    return found


def _is_real(tokens: Tokens, k: int) -> bool:
    word = tokens[k][0]
    number = NUMBER.fullmatch(word) and word != "."
    return bool(number) or (word.isidentifier() and _declared(tokens, k, word, REAL))


def _target(tokens: Tokens, k: int) -> str:
    """What an lvalue names where it ends: `a` of `a[i]`, `n` of `p->n`, `p` of `(*p)`."""
    while k > 0 and tokens[k][0] == "]":
        k = opened(tokens, k) - 1
    return tokens[k - 1][0] if tokens[k][0] == ")" else tokens[k][0]


def _declared(tokens: Tokens, before: int, name: str, types: Set[str]) -> bool:
    """Whether a name is one of such a type (an array of it, a pointer to it) where it was declared
    last, as far as is seen."""
    for k in range(before - 1, 0, -1):
        if tokens[k][0] != name or tokens[k - 1][0] in (".", "->"):
            continue
        j = k - 1
        while j > 0 and tokens[j][0] in QUALIFIERS:
            j -= 1
        if tokens[j][0] in types or (tokens[j][0] == "," and _list(tokens, j, types)):
            return True
        if j == k - 1 and tokens[j][0].isidentifier() and tokens[j][0] not in BEFORE:
            return False
    return False


def _before(tokens: Tokens, k: int) -> int:
    """Where the token before one begins, or what is in brackets, or initial values in braces; the
    token itself where a block ends."""
    if tokens[k - 1][0] != "}":
        return opened(tokens, k - 1)
    j, depth = k - 1, 1
    while j > 0 and depth:
        j -= 1
        depth += (tokens[j][0] == "}") - (tokens[j][0] == "{")
    return j if j > 0 and tokens[j - 1][0] == "=" else k


def _list(tokens: Tokens, k: int, types: Set[str]) -> bool:
    """Whether a list that a comma stands in declares such variables: `double x, y`."""
    k = first_of_list(tokens, k)
    while tokens[k][0] in ("static", "const", "register", "extern", "volatile", "long"):
        k += 1
    return tokens[k][0] in types


def first_of_list(tokens: Tokens, k: int) -> int:
    """Where the list begins that a comma stands in."""
    while k > 0 and tokens[k - 1][0] not in (";", "{", "(") and (before := _before(tokens, k)) < k:
        k = before
    return k
