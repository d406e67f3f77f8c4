"""Which functions the calls through pointers of a text may lead to. Read roughly (tokens.py).

A variable whose every mention calls it or assigns to it leads to what it is assigned, in any file
and any order; all else, a parameter or a member, may lead to each function that is named anywhere
other than to be called.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from polynb.tracing.library import library_call
from polynb.tracing.programs.assigned import ASSIGNING, NO_TYPES
from polynb.tracing.programs.macros import TYPED
from polynb.tracing.programs.texts import CONTROLS, ProgramTexts, Text, functions
from polynb.tracing.programs.tokens import (
    Tokens,
    begun,
    closed,
    ends_value,
    opened,
    points,
    statement,
    words_at,
)

MEMBER: Final = (".", "->")
PARTS: Final = (",", "{", "(", "=", ":")
"""What a condition that chooses between functions comes after."""
CALLING: Final = ("qsort", "bsearch", "lfind", "lsearch", "tsearch", "tfind", "twalk")
"""What calls the function that it is given last."""
BESIDE: Final = frozenset((*PARTS, "}", ")", "&", "*", "[", "]", "NULL"))
"""What may stand beside the functions that a variable is assigned."""


@lru_cache(maxsize=1024)
def led(texts: ProgramTexts, text: Text, first: int, end: int, *, plain: bool) -> frozenset[str]:
    """The functions that what is called by pointers between two tokens may lead to. In C++, which
    is not `plain`, what is called by a name is told elsewhere, and members are methods, but for
    those that are declared as `(*f)`."""
    tokens, _ = words_at(text)
    found = frozenset[str]()
    for a, b in _callees(texts, text, first, end, plain):
        named = _functions(texts, text, a, b)
        if named is None and (base := _base(tokens, a, b)):
            named = _values(texts, base)
            if named is None and _is_elsewhere(texts, base):
                named = frozenset(name for t in texts.texts for name in functions(t))
        found |= _pointed(texts) if named is None else named
    return found


def _callees(
    texts: ProgramTexts, text: Text, first: int, end: int, plain: bool
) -> Iterator[tuple[int, int]]:
    """The tokens of what is called and is no function's name, or at least the last of them."""
    tokens, _ = words_at(text)
    for k in range(first + 1, min(end, len(tokens))):
        word, a = tokens[k - 1][0], opened(tokens, k - 1)
        if tokens[k][0] != "(" or not ends_value(tokens, k - 1) or _declares(tokens, k):
            continue
        while word == "]" and tokens[a - 1][0] == "]":
            a = opened(tokens, a - 1)
        a -= word == "]"
        inside = (t for t, _ in tokens[a : k - 1] if t.isidentifier())
        if word in CALLING and tokens[a - 1][0] not in MEMBER:
            yield _last_argument(tokens, k)
        elif tokens[a - 1][0] in MEMBER:
            if plain or word == "]" or _is_pointer(texts, word):
                yield a - 2, k
        elif word.isidentifier():
            known = texts.body(word, text) is not None or library_call(word) is not None
            if plain and not (known or word in CONTROLS or TYPED.fullmatch(word)):
                yield a, k
        elif word == "]":
            if ends_value(tokens, a):  # no `[](int x) { ... }`
                yield a, k
        elif not _declares(tokens, a) and not all(_is_type(texts, t) for t in inside):
            yield (a - 1, k) if ends_value(tokens, a - 1) else (a + 1, k - 1)


def _last_argument(tokens: Tokens, k: int) -> tuple[int, int]:
    """What is given last by a call whose bracket opens at a token."""
    end, j, first = closed(tokens, k) - 1, k + 1, k + 1
    while j < end:
        first = j + 1 if tokens[j][0] == "," else first
        j = closed(tokens, j) if tokens[j][0] in ("(", "[", "{") else j + 1
    return first, end


def _declares(tokens: Tokens, k: int) -> bool:
    """Whether a bracket is of what is declared: `int (*f)(int)`, `char *(*f[2])(int)`."""
    if tokens[k + 1][0] != "*" or tokens[min(closed(tokens, k), len(tokens) - 1)][0] != "(":
        return False
    before = [t for t, _ in tokens[begun(tokens, k) : k]]
    typed = all(t == "*" or (t.isidentifier() and t not in NO_TYPES) for t in before)
    return typed and before[:1] not in ([], ["*"])


@lru_cache(maxsize=1024)
def _is_pointer(texts: ProgramTexts, name: str) -> bool:
    """Whether something of this name is declared as a pointer, `int (*run)(int);`, or as a variable
    of a type that has a name: `Run run;`."""
    return any(
        [t for t, _ in tokens[k - 2 : k]] == ["(", "*"]
        or (tokens[k + 1][0] in (";", "=", "[", "{") and _is_typed(tokens[k - 1][0]))
        for tokens in (words_at(text)[0] for text in texts.texts)
        for k, (word, _) in enumerate(tokens[:-1])
        if word == name
    )


def _is_typed(before: str) -> bool:
    return before.isidentifier() and before not in NO_TYPES


@lru_cache(maxsize=1024)
def _is_elsewhere(texts: ProgramTexts, name: str) -> bool:
    """Whether a variable is `extern`, and no text gives it a value: a file without functions, which
    is not read, may."""
    declared, given = False, False
    for text in texts.texts:
        tokens, _ = words_at(text)
        for k in (k for k, (word, _) in enumerate(tokens) if word == name):
            if "extern" in (t for t, _ in tokens[begun(tokens, k) : k]):
                declared = True
            elif not texts.around(text, k).name:
                given = given or "=" in (t for t, _ in tokens[k : statement(tokens, k)])
    return declared and not given


@lru_cache(maxsize=1024)
def _is_type(texts: ProgramTexts, name: str) -> bool:
    """Whether variables are declared with it: `(real)(x)` calls nothing."""
    return bool(TYPED.fullmatch(name)) or any(
        word == name and tokens[k + 1][0].isidentifier()
        for tokens in (words_at(text)[0] for text in texts.texts)
        for k, (word, _) in enumerate(tokens[:-1])
    )


def _base(tokens: Tokens, a: int, b: int) -> str:
    """The variable that `f`, `*f`, `f[i]` are about; "" for others."""
    while a < b and tokens[a][0] == "*":
        a += 1
    name, a = tokens[a][0], a + 1
    while a < b and tokens[a][0] == "[":
        a = closed(tokens, a)
    return name if a == b and name.isidentifier() else ""


def _functions(texts: ProgramTexts, text: Text, first: int, end: int) -> frozenset[str] | None:
    """The functions that an expression may be; None where there is more in it than their names, and
    conditions that choose one."""
    tokens, part = words_at(text)[0], list[str]()
    for k in range(first, end):
        word, after = tokens[k][0], tokens[k + 1][0]
        if word == "?":
            while part and part[-1] not in PARTS:
                part.pop()
        else:
            part.append(f"{word}()" if word.isidentifier() and after == "(" else word)
    names = frozenset(w for w in part if w not in BESIDE and not w.isdigit())
    known = (texts.body(n, text) is not None or library_call(n) is not None for n in names)
    return names if all(known) else None


@lru_cache(maxsize=1024)
def _values(texts: ProgramTexts, name: str) -> frozenset[str] | None:
    """The functions that the variables of a name may lead to; None for any."""
    found = frozenset[str]()
    for text in texts.texts:
        tokens, _ = words_at(text)
        for k, (word, _) in enumerate(tokens):
            if word == name and tokens[k - 1][0] not in MEMBER:
                if (named := _given(texts, text, k)) is None:
                    return None
                found |= named
    return found


def _given(texts: ProgramTexts, text: Text, k: int) -> frozenset[str] | None:
    """The functions that a mention of a variable assigns to it: none where it is called, or made
    without a value; None for any."""
    tokens, _ = words_at(text)
    a, j = k, k + 1
    while j < len(tokens) - 1 and tokens[j][0] == "[":
        j = closed(tokens, j)
    while tokens[a - 1][0] == "*" and tokens[a - 2][0] == "(" and tokens[j][0] == ")":
        a, j = a - 2, j + 1
    word = tokens[a - 1][0]
    if word == "&" or "extern" in (t for t, _ in tokens[begun(tokens, a) : a]):
        return None
    called = j
    while j < len(tokens) - 1 and tokens[j][0] == "(":
        j = closed(tokens, j)
    after = tokens[min(j, len(tokens) - 1)][0]
    typed = a < k and (word == "*" or (word.isidentifier() and word not in NO_TYPES))
    if after == "=" and (typed or called == j or a < k):  # what a call gives is not assigned to
        end = j + 1
        while end < len(tokens) - 1 and tokens[end][0] not in (";", ",", ")", "}"):
            end = closed(tokens, end) if tokens[end][0] in ("(", "{", "[") else end + 1
        return _functions(texts, text, j + 1, end)
    named = word.isidentifier() and word not in NO_TYPES  # `int f(int)` may be a parameter
    harmless = after == ";" if typed else called < j and (after == ";" or not named)
    return frozenset() if harmless else None


@lru_cache(maxsize=64)
def _pointed(texts: ProgramTexts) -> frozenset[str]:
    """All functions that are named other than to be called."""
    found = set[str]()
    for text in texts.texts:
        tokens, _ = words_at(text)
        for k, (word, _) in enumerate(tokens[:-1]):
            named = tokens[k + 1][0] != "(" and tokens[k - 1][0] not in MEMBER
            if named and word.isidentifier() and texts.body(word, text) is not None:
                found.add(word)
    return frozenset(found | _of_library(texts))


def _of_library(texts: ProgramTexts) -> set[str]:
    """Those of the library, but for names that the program has variables of."""
    found, variables = set[str](), set[str]()
    for text in texts.texts:
        tokens, _ = words_at(text)
        for k, (word, _) in enumerate(tokens[:-1]):
            if tokens[k - 1][0] in MEMBER or library_call(word) is None:
                continue
            before, after = tokens[k - 1][0], tokens[k + 1][0]
            typed = before.isidentifier() and before not in NO_TYPES
            starred = before == "*" and not points(tokens, k - 1)
            if typed or (starred and after in ("=", ";", ",", ")", "[")) or after in ASSIGNING:
                variables.add(word)
            elif after != "(":
                found.add(word)
    return found - variables
