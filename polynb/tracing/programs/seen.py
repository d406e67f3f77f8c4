"""Which of the reads that stand in a function's text were seen in a run."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from polynb.tracing.programs.assigned import assignments, declarations
from polynb.tracing.programs.frames import subscripts_of
from polynb.tracing.programs.mentions import TextRead, place_of
from polynb.tracing.programs.texts import every_function, function_at, own_names
from polynb.tracing.programs.tokens import closed, span as span_of, statement, words_at

JUMPS: Final = frozenset(("return", "break", "continue", "goto"))


@dataclass(frozen=True)
class SeenAt:
    """What was seen of a function's text in one context: how many `stores` and `loads` by line, and
    at which columns (where variables in registers are seen, too; none else); and the `lines` of all
    that ran, and calls led from."""

    stores: dict[int, set[int]] = field(default_factory=dict)
    loads: dict[int, set[int]] = field(default_factory=dict)
    columns: set[tuple[int, int]] = field(default_factory=set)
    lines: set[int] = field(default_factory=set)


@lru_cache(maxsize=32)
def _columns(text: tuple[str, ...]) -> Mapping[int, int]:
    """Of each token, but those out of macros."""
    places = words_at(text)[1].items()
    return {ks.start: column for (_, column), ks in places if len(ks) == 1}


@lru_cache(maxsize=1024)
def arms_of(text: tuple[str, ...], first: int, end: int) -> Set[int]:
    """The tokens that an operator may leave out."""
    tokens, _ = words_at(text)
    found: set[int] = set()
    for k in range(first, end):
        if tokens[k][0] in ("?", "&&", "||"):
            j = k
            while j < end and tokens[j][0] not in (";", "{", "}", ")"):
                j = closed(tokens, j) if tokens[j][0] == "(" else j + 1
            found |= {*range(k, j)}
    return found


@lru_cache(maxsize=1024)
def left_out_of(text: tuple[str, ...], first: int, end: int) -> Set[int]:
    """The tokens that a branch or an operator may leave out."""
    tokens, _ = words_at(text)
    found = {*arms_of(text, first, end)}
    for k in range(first, end):
        if tokens[k][0] in ("if", "switch"):
            body, last = closed(tokens, k + 1), statement(tokens, k)
            jumps = any(tokens[j][0] in JUMPS for j in range(body, last))
            found |= {*range(body, end if jumps else last)}
    return found


def reads_seen(
    text: tuple[str, ...], first: int, end: int, seen: SeenAt | None, read: Sequence[TextRead]
) -> Callable[[TextRead], bool]:
    """Tells of each read whether it was seen; they are those between two tokens. Without what was
    `seen`, none was."""
    tokens, _ = words_at(text)
    columns, conditional = _columns(text), left_out_of(text, first, end)

    def taken(m: TextRead) -> bool:
        if seen is None:
            return False
        told = [(tokens[k][1], columns[k]) for k in range(m.first, m.end) if k in columns]
        if seen.columns and told:
            return any(x in seen.columns for x in told)
        if seen.columns or m.first not in conditional:
            return m.first not in conditional
        low, high = span_of(tokens, m.first)
        asked = sum(low <= tokens[x.first][1] <= high for x in read)
        asked += _read_again(text, low, high)
        return sum(len(seen.loads.get(n, ())) for n in range(low, high + 1)) >= asked

    return taken


@lru_cache(maxsize=4096)
def _read_again(text: tuple[str, ...], low: int, high: int) -> int:
    """How many loads lines do beside those that their text mentions as reads: of what is added to,
    and, twice, of the pointers that lead there."""
    tokens, _ = words_at(text)
    mine, count = own_names(tokens, *function_at(text, low)), 0
    for k in (k for k, (_, at) in enumerate(tokens) if low <= at <= high):
        for a in assignments(tokens, k, k + 1):
            if a.how not in ("=", "&", ".") and a.name not in mine:
                count += 1 + 2 * _led(text, place_of(tokens, k), mine)
    return count


def _led(text: tuple[str, ...], place: tuple[str, ...], mine: Container[str]) -> int:
    """How many pointers in memory lead to a place, as far as its name was declared."""
    if not place:
        return 1  # `*p`
    depth = levels = 0
    for word in place:
        levels += word == "->" or (word == "[" and not depth)
        depth += (word == "[") - (word == "]")
    known = _dimensions(text).get(place[0], 0) or int(place[0] in mine)
    return max(levels - known, 0)


@lru_cache(maxsize=64)
def _dimensions(text: tuple[str, ...]) -> Mapping[str, int]:
    """Of each name that is declared: of how many dimensions an array of it is, at least."""
    tokens, _ = words_at(text)
    found, begins = dict[str, int](), -1  # as behind another function
    for first, end in (*((f, e) for _, f, e in every_function(text)), (len(tokens), len(tokens))):
        outside = declarations(tokens, begins, min(first, len(tokens)))
        for d in (*outside, *declarations(tokens, first, end)):
            deep = subscripts_of(tokens, d.first)
            found[d.name] = min(found.get(d.name, deep), deep)
        begins = end - 1
    return found
