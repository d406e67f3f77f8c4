"""Which of the reads that stand in a function's text were seen in a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from polynb.tracing.programs.mentions import TextRead
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
        return sum(len(seen.loads.get(n, ())) for n in range(low, high + 1)) >= asked

    return taken
