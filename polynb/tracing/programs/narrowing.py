"""Whether a variable holds all of what it is given, as far as the types in a text are read.

The largest of some numbers is only gathered in a variable that keeps each of them: an `unsigned
char` that is given 300 has 44, and goes on with that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from polynb.tracing.programs.cutting import NUMBER, QUALIFIERS, REAL, first_of_list
from polynb.tracing.programs.keeping import every_function
from polynb.tracing.programs.tokens import BEFORE, BREAKS, Tokens, closed, points, words_at

Words = frozenset[str]
"""A type, by its words, or the name that it has; none of one that is not known."""
SIZES: Final = {
    **dict.fromkeys(("bool", "_Bool"), 0),
    **dict.fromkeys(("char", "int8_t", "uint8_t"), 1),
    **dict.fromkeys(("short", "int16_t", "uint16_t"), 2),
    **dict.fromkeys(("int", "signed", "unsigned", "int32_t", "uint32_t"), 4),
    **dict.fromkeys(("long", "int64_t", "uint64_t", "size_t", "ssize_t", "ptrdiff_t"), 8),
    **dict.fromkeys(("intptr_t", "uintptr_t", "intmax_t", "uintmax_t"), 8),
}
"""In bytes; 0 of a truth."""
UNSIGNED: Final = re.compile(r"unsigned|_Bool|bool|uint\w+_t|uintptr_t|uintmax_t|size_t")
INT: Final = frozenset(("int",))
DOUBLE: Final = frozenset(("double",))
STORED: Final = frozenset(("static", "extern", "register", "volatile", "const", "_Atomic"))


def narrows(lines: Sequence[str], line: int, place: str, value: str) -> bool:
    """Whether the place that a line assigns to may not hold all of a value. (Floats that are
    rounded keep their order.)"""
    text = tuple(lines)
    target, given = _types(text, line, place), _types(text, line, value)
    return len(target) != 1 or not all(_holds(target[0], x) for x in given)


def _holds(target: Words, value: Words) -> bool:
    if target & REAL:
        return True
    if not (target & SIZES.keys() and value & SIZES.keys()):
        return bool(target) and target == value
    if value & REAL:
        return False
    less = _unsigned(value) and not _unsigned(target)
    signed = _unsigned(target) and not _unsigned(value)
    return not signed and _size(value) <= _size(target) - less


def _size(words: Words) -> int:
    found = [SIZES[w] for w in words if w in SIZES]
    return max(found) if max(found) > SIZES["int"] else min(found)


def _unsigned(words: Words) -> bool:
    return any(UNSIGNED.fullmatch(w) for w in words)


def _types(lines: tuple[str, ...], line: int, expression: str) -> list[Words]:
    """Those of what an expression names, but in its brackets; what is computed is an `int`, too."""
    inner = [*words_at((expression,))[0], ("", 0)]
    found, k, computes = list[Words](), 0, False
    while k < len(inner) - 1:
        word = inner[k][0]
        if word.isidentifier():
            k = _behind(inner, k)
            found += [] if inner[k][0] in (".", "->") else [_type(lines, line, word)]
        elif NUMBER.fullmatch(word) and word != ".":
            found, k = [*found, DOUBLE], k + 1
        else:
            computes = computes or not (word in ("(", ")", ".", "->") or points(inner, k))
            k += 1
    return found + [INT] * computes


def _behind(tokens: Tokens, k: int) -> int:
    """What comes after a name, its subscripts and arguments."""
    k += 1
    while tokens[k][0] in ("[", "("):
        k = closed(tokens, k)
    return k


@lru_cache(maxsize=1024)
def _type(lines: tuple[str, ...], line: int, name: str) -> Words:
    """That of a variable, or of what a function gives, where it was declared last."""
    if name in SIZES or name in REAL:
        return frozenset((name,))
    tokens, _ = words_at(lines)
    for k in _named(lines, line, name):
        j = k - 1
        while j > 0 and tokens[j][0] in QUALIFIERS:
            j -= 1
        if found := _words_before(tokens, j, named=j == k - 1 or tokens[j - 1][0] in BREAKS):
            return found
    return frozenset()


def _named(lines: tuple[str, ...], line: int, name: str) -> Iterator[int]:
    """Where a name stands up to a line, the last one first, but in other functions."""
    tokens, _ = words_at(lines)
    others = []
    for _, first, end in every_function(lines):
        while first and tokens[first - 1][0] not in (";", "}"):
            first -= 1
        if not tokens[first][1] <= line <= tokens[end - 1][1]:
            others.append(range(first, end))
    for k in range(len(tokens) - 1, 0, -1):
        if tokens[k][0] == name and tokens[k][1] <= line and tokens[k - 1][0] not in (".", "->"):
            called = k + 1 < len(tokens) and tokens[k + 1][0] == "("
            if called or not any(k in other for other in others):
                yield k


def _words_before(tokens: Tokens, j: int, *, named: bool) -> Words:
    """The words of a type that end at a token, or begin the list that goes on there; also one that
    is `named`."""
    if tokens[j][0] == ",":
        j = first_of_list(tokens, j)
        while tokens[j][0] in STORED:
            j += 1
        found = takewhile(_is_basic, (t for t, _ in tokens[j:]))
        one = tokens[j][0].isidentifier() and tokens[j + 1][0].isidentifier()
        return frozenset(found) or frozenset([tokens[j][0]] * one)
    if tokens[j][0] == ">":
        first = j
        while first and tokens[first][0] not in ("<", *BREAKS):
            first -= 1
        return frozenset(t for t, _ in tokens[first:j] if _is_basic(t))
    found = takewhile(_is_basic, (tokens[k][0] for k in range(j, -1, -1)))
    one = named and tokens[j][0].isidentifier() and tokens[j][0] not in BEFORE
    return frozenset(found) or frozenset([tokens[j][0]] * one)


def _is_basic(word: str) -> bool:
    return word in SIZES or word in REAL
