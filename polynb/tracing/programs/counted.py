"""Elements that are written where counters of loops say, whatever the data are: `b[(i + 3) % 12]`,
`x[i]` in steps that a loop around sets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from polynb.tracing.programs.assigned import Assigned, assigned_at, assignments, lent_out
from polynb.tracing.programs.counting import head_around
from polynb.tracing.programs.mentions import place_of
from polynb.tracing.programs.texts import function_at, own_names
from polynb.tracing.programs.tokens import Tokens, ends_value, loop_at, points, statement, words_at

COMPUTED: Final = re.compile(r"\w+|[-+*/%()&|^]|<<|>>")


@lru_cache(maxsize=4096)
def goes_by_counters(lines: tuple[str, ...], at: tuple[int, int], line: int, which: int) -> str:
    """The variable of which an element is written at a line and a column, where in all iterations
    of a loop nothing but numbers, counters and what the loop does not change says which element;
    "" for none."""
    tokens, _ = words_at(lines)
    found, head = assigned_at(lines, at), loop_at(lines, line, which)
    if head is None or found is None or not ends_value(tokens, found.at - 1):
        return ""
    place = place_of(tokens, found.at)
    inside = [*_subscripts(place)]
    if found.name or not inside or not _computes(inside):
        return ""
    first, last = function_at(lines, line)
    every = [*assignments(tokens, head, statement(tokens, head))]
    lent = lent_out(tokens, first, last)
    fixed = own_names(tokens, first, last) - lent - {a.name for a in every}
    left, done = [(name, found.at) for name in _names(inside)], set[tuple[str, int]]()
    while left:
        name, k = left.pop()
        if name in fixed or (name, k) in done:
            continue
        done.add((name, k))
        mine = [a for a in every if a.name == name]
        if not mine or name in lent or not all(_counts(tokens, a, k) for a in mine):
            return ""
        for a in mine:
            words = _given(tokens, a.at)
            if not _computes(words):
                return ""
            left += [(n, a.at) for n in _names(words)]
    return place[0]


def _subscripts(place: tuple[str, ...]) -> Iterator[str]:
    """The words in the brackets of a place; a bracket in them is told as one."""
    depth = 0
    for word in place[1:]:
        depth -= word == "]"
        if depth:
            yield word
        depth += word == "["
        if word == "->":
            yield word


def _computes(words: list[str]) -> bool:
    """Whether an expression is made of variables and numbers alone."""
    called = any(a.isidentifier() and b == "(" for a, b in pairwise(words))
    led = any(points([("(", 0), *((w, 0) for w in words)], k + 1) for k in range(len(words)))
    return not called and not led and all(COMPUTED.fullmatch(word) for word in words)


def _names(words: list[str]) -> Iterator[str]:
    return (word for word in words if word.isidentifier())


def _counts(tokens: Tokens, a: Assigned, k: int) -> bool:
    """Whether an assignment stands in the head of a `for` in which a token stands, too."""
    head = head_around(tokens, a.at)
    return a.how not in ("&", ".") and head is not None and head < k < statement(tokens, head)


def _given(tokens: Tokens, at: int) -> list[str]:
    """What is assigned, or added: the words up to where that ends."""
    words, depth = list[str](), 0
    for word, _ in tokens[at + 1 :]:
        depth += (word in "([") - (word in ")]")
        if depth < 0 or (word in (",", ";") and not depth):
            break
        words.append(word)
    return words if tokens[at][0] not in ("++", "--") else []
