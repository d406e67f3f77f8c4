"""The types of names and numbers, as far as a text says. Read roughly (tokens.py): by the words of
a declaration, so that a pointer, an array or a function is of the type that it leads to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import Final

from polynb.tracing.programs.texts import Text, every_function, start_of
from polynb.tracing.programs.tokens import BEFORE, BREAKS, Tokens, opened, statement, words_at

Words = frozenset[str]
"""A type, by its words, or the name that it has; none of one that is not known."""
REAL: Final = frozenset(("float", "double"))
SIZES: Final = {
    **dict.fromkeys(("bool", "_Bool"), 0),
    **dict.fromkeys(("char", "int8_t", "uint8_t"), 1),
    **dict.fromkeys(("short", "int16_t", "uint16_t"), 2),
    **dict.fromkeys(("int", "signed", "unsigned", "int32_t", "uint32_t"), 4),
    **dict.fromkeys(("long", "int64_t", "uint64_t", "size_t", "ssize_t", "ptrdiff_t"), 8),
    **dict.fromkeys(("intptr_t", "uintptr_t", "intmax_t", "uintmax_t"), 8),
}
"""In bytes, of whole numbers; 0 of a truth."""
BASIC: Final = frozenset((*REAL, *SIZES))
QUALIFIERS: Final = frozenset(
    ("*", "&", "const", "restrict", "__restrict", "__restrict__", "volatile")
)
STORED: Final = frozenset(("static", "extern", "register", "volatile", "const", "_Atomic"))
ARGUMENT: Final = re.compile(r"\w+|[,:*>&]")
"""What stands between the `<` and the last `>` of `vector<double>`."""
NUMBER: Final = re.compile(r"(?!0[xX])(?:\d*\.\d*(?:[eE].*)?|\d+[eE].*)[fFlL]?")


def is_fraction(tokens: Tokens, k: int) -> bool:
    """Whether a number with a point or an exponent begins at a token; `.5` are two tokens."""
    if tokens[k][0] == ".":
        return k + 1 < len(tokens) and tokens[k + 1][0][:1].isdigit()
    return NUMBER.fullmatch(tokens[k][0]) is not None


def declared(text: Text, line: int, name: str) -> Words:
    """The type of a variable, or of what a function gives, where it was declared last up to a line;
    the word of a type, or what is no name, is itself."""
    return _declaration(text, line, name)[0]


def is_real(text: Text, line: int, name: str) -> bool:
    """Whether a variable is a float itself, and leads to none."""
    found, leads = _declaration(text, line, name)
    return bool(found & REAL) and not leads and name not in REAL


@lru_cache(maxsize=4096)
def _declaration(text: Text, line: int, name: str) -> tuple[Words, bool]:
    """The type of a name, and whether it is of a pointer."""
    if name in BASIC or not name.isidentifier():
        return frozenset((name,)), False
    tokens, _ = words_at(text)
    for k in _named(text, line, name):
        j = k - 1
        while j > 0 and tokens[j][0] in QUALIFIERS:
            j -= 1
        if found := _words_before(tokens, j, named=j == k - 1 or tokens[j - 1][0] in BREAKS):
            found = _typedefs(text).get(min(found), found)
            return found, any(t == "*" for t, _ in tokens[j + 1 : k])
    return frozenset(), False


@lru_cache(maxsize=64)
def _typedefs(text: Text) -> dict[str, Words]:
    """The basic types that have other names, too: `typedef double real;`."""
    tokens, _ = words_at(text)
    found = dict[str, Words]()
    for k in (k for k, (word, _) in enumerate(tokens) if word == "typedef"):
        inside = [t for t, _ in tokens[k + 1 : statement(tokens, k)]]
        basic = frozenset(takewhile(BASIC.__contains__, inside))
        if basic and not {"*", "("} & {*inside}:
            found |= {t: basic for t in inside if t.isidentifier() and t not in BASIC}
    return found


def _named(text: Text, line: int, name: str) -> Iterator[int]:
    """Where a name stands up to a line, the last one first, but in other functions."""
    tokens, _ = words_at(text)
    every = [(start_of(tokens, first), end) for _, first, end in every_function(text)]
    others = [range(a, b) for a, b in every if not tokens[a][1] <= line <= tokens[b - 1][1]]
    for k in range(len(tokens) - 1, 0, -1):
        if tokens[k][0] == name and tokens[k][1] <= line and tokens[k - 1][0] not in (".", "->"):
            called = k + 1 < len(tokens) and tokens[k + 1][0] == "("
            if called or not any(k in other for other in others):
                yield k


def _words_before(tokens: Tokens, j: int, *, named: bool) -> Words:
    """The words of a type that end at a token, or begin the list that goes on there; also one that
    is `named`."""
    found: Iterable[str]
    if tokens[j][0] == ",":
        j = _first_of_list(tokens, j)
        while tokens[j][0] in STORED:
            j += 1
        found = takewhile(BASIC.__contains__, (t for t, _ in tokens[j:]))
        named = tokens[j][0].isidentifier() and tokens[j + 1][0].isidentifier()
    elif tokens[j][0] == ">":
        first = j
        while first and ARGUMENT.fullmatch(tokens[first][0]):
            first -= 1
        found = BASIC.intersection(t for t, _ in tokens[first:j] if tokens[first][0] == "<")
    else:
        found = takewhile(BASIC.__contains__, (tokens[k][0] for k in range(j, -1, -1)))
    one = named and tokens[j][0].isidentifier() and tokens[j][0] not in BEFORE
    return frozenset(found) or frozenset([tokens[j][0]] * one)


def _first_of_list(tokens: Tokens, k: int) -> int:
    """Where the list begins that a comma stands in."""
    while k > 0 and tokens[k - 1][0] not in (";", "{", "(") and (before := _before(tokens, k)) < k:
        k = before
    return k


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
