"""Reads in a program's text that a run did not do, which may find what a loop left.

A trace shows what was read after a loop. `if (verbose) printf("%d", last);` does not run, but would
read `last`. Of a variable that all functions have, or that an array or a record is, it cannot be
said where it is read next. So each read counts that stands anywhere and did not run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache

from polynb.tracing.programs.assigned import declarations
from polynb.tracing.programs.frames import subscripts_of
from polynb.tracing.programs.mentions import TextRead, mentions
from polynb.tracing.programs.seen import SeenAt, arms_of, left_out_of, reads_seen
from polynb.tracing.programs.texts import Text, every_function
from polynb.tracing.programs.tokens import (
    Tokens,
    begun,
    ends_value,
    head_end,
    span,
    words_at,
)
from polynb.tracing.records import Unread


def unread(
    text: Text,
    seen: Mapping[str, SeenAt],
    variables: Container[str],
    pointers: Container[str],
    named: Container[str],
) -> Iterator[Unread]:
    """Those of a file's text; `seen` is what was seen of each function that ran, others are called
    if they are `named`. Of the `variables` that all functions have, those that may lead elsewhere
    are `pointers`."""
    tokens, _ = words_at(text)
    deep = _subscripts(tokens)
    for name, first, end in every_function(text):
        own, arrays = owned(text)[name], _arrays(tokens, first, end)
        every = mentions(tokens, first, end, own)
        read = [m for m in every if m.leads or m.name in variables or m.name in own]
        given = tokens[first][1] if name == "main" else -1  # what main is given is elsewhere
        way = seen.get(name)
        if way is None and name not in named:
            continue
        hidden = own.keys() if way is not None and not way.columns else set()
        asked = [m for m in read if m.name not in hidden or (m.leads and m.name not in arrays)]
        taken = reads_seen(text, first, end, way, asked)
        for m in asked:
            if own.get(m.name, 0) != given and not taken(m):
                array = m.name in (arrays if m.name in own else variables)
                leads = not array or (m.name not in own and m.name in pointers)
                yield from _found(tokens, m, name, own, leads, bool(deep.get(m.name)))
        arms, perhaps = arms_of(text, first, end), left_out_of(text, first, end)
        for k in _addresses(tokens, first, end, deep):
            ran = k not in perhaps or (k not in arms and _ran(tokens, k, way))
            value = tokens[k][0] in own and tokens[k][0] not in arrays and tokens[k - 1][0] != "&"
            if way is None or not (ran or value):
                mine = own.get(tokens[k][0])
                yield Unread(tokens[k][0], tokens[k][1], name if mine else "", mine or 0)


def _ran(tokens: Tokens, k: int, way: SeenAt | None) -> bool:
    """Whether anything was seen of the statement around a token, but what decides on it; on one
    line with that, it is not known."""
    start = after = begun(tokens, k)
    while after <= k:
        start, after = after, head_end(tokens, after)
    if way is None or (start != begun(tokens, k) and tokens[start - 1][1] == tokens[start][1]):
        return False
    low, high = tokens[start][1], span(tokens, k)[1]
    return any(low <= line <= high for line in way.lines)


def _found(
    tokens: Tokens, m: TextRead, function: str, own: Mapping[str, int], leads: bool, array: bool
) -> Iterator[Unread]:
    """What a read may find: the variable, or what it `leads` to; an `array` is not read where it is
    named alone."""
    line = tokens[m.first][1]
    if not _direct(tokens, m) or (m.leads and leads):
        yield Unread("", line)
    if _direct(tokens, m) and (m.leads or not array):
        local = m.name in own
        yield Unread(m.name, line, function if local else "", own.get(m.name, 0))


def _direct(tokens: Tokens, m: TextRead) -> bool:
    """Whether a read is in a variable, and not only where that leads: `x`, `x[i].y`."""
    words = {t for t, _ in tokens[m.first : m.end]}
    led = tokens[m.end][0] == ")" and tokens[m.end + 1][0] in ("[", "->", ".")
    return tokens[m.first][0] == m.name and not led and "->" not in words


def _arrays(tokens: Tokens, first: int, end: int) -> set[str]:
    """The variables of a function that are arrays, wherever it declares one of that name."""
    made = [(d.name, tokens[d.first + 1][0] == "[") for d in declarations(tokens, first, end)]
    return {name for name, array in made if array} - {name for name, array in made if not array}


def lent(texts: Iterable[Text]) -> frozenset[str]:
    """The variables that pointers may lead to, as the texts say: their addresses are taken, or they
    are arrays that are named without their subscripts."""
    every = [words_at(text)[0] for text in texts]
    return frozenset(t[k][0] for t in every for k in _addresses(t, 0, len(t), _subscripts(t)))


def named(texts: Iterable[Text]) -> frozenset[str]:
    """The words that stand there more than once, as what is called does."""
    count = Counter(word for text in texts for word, _ in words_at(text)[0])
    return frozenset(word for word, times in count.items() if times > 1)


def _addresses(tokens: Tokens, first: int, end: int, deep: Mapping[str, int]) -> Iterator[int]:
    """The variables, as tokens, of which addresses are made between two others."""
    for k in range(first, end - 1):
        word = tokens[k][0]
        if word == "&" and not ends_value(tokens, k - 1):
            while tokens[k + 1][0] == "(":
                k += 1
            yield k + 1
        elif word.isidentifier() and subscripts_of(tokens, k) < deep.get(word, 0):
            asked = "sizeof" in (t for t, _ in tokens[max(k - 2, 0) : k])
            yield from () if asked else (_root(tokens, k),)


def _root(tokens: Tokens, k: int) -> int:
    """The variable that a member belongs to."""
    while k > 1 and tokens[k - 1][0] == ".":
        k -= 2
        while k and tokens[k][0] == "]":
            k -= 1
            while k and tokens[k + 1][0] != "[":
                k -= 1
    return k


def _subscripts(tokens: Tokens) -> Mapping[str, int]:
    """With how many subscripts a name is seen at most."""
    found: dict[str, int] = {}
    for k, (word, _) in enumerate(tokens):
        if word.isidentifier() and k + 1 < len(tokens) and tokens[k + 1][0] == "[":
            found[word] = max(found.get(word, 0), subscripts_of(tokens, k))
    return found


@lru_cache(maxsize=64)
def owned(text: Text) -> Mapping[str, Mapping[str, int]]:
    """Of each function of a text: its variables, but those that are kept, with the first line in
    which one is declared; its parameters with that of its body."""
    tokens, _ = words_at(text)
    found: dict[str, dict[str, int]] = {}
    for name, first, end in every_function(text):
        mine = found.setdefault(name, {})
        k = first - 1
        while k and tokens[k][0] != name:
            k -= 1
        for j in range(k + 1, first):
            if tokens[j][0].isidentifier():
                mine[tokens[j][0]] = tokens[first][1]
        for d in declarations(tokens, first, end):
            mine.setdefault(d.name, tokens[d.first][1])
    return found
