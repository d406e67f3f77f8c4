"""What a text reads: its variables, and what they lead to. Read roughly (tokens.py)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from polynb.tracing.programs.assigned import ASSIGNING, NO_TYPES
from polynb.tracing.programs.tokens import Tokens, closed, is_cast, opened, points


@dataclass(frozen=True)
class TextRead:
    """Tokens that read a variable, or what it leads to."""

    name: str
    first: int
    end: int
    leads: bool


def mentions(tokens: Tokens, first: int, end: int, mine: Container[str]) -> Iterator[TextRead]:
    """What is read between two tokens; `mine` are variables that nobody else has."""
    pointed, casts = _pointed(tokens, first, end), _casts(tokens, first, end)
    for k in (k for k in range(first, end) if k not in casts):
        word, before = tokens[k][0], tokens[k - 1][0] if k else ""
        after = place_end(tokens, k)
        asks = word.isidentifier() and before not in (".", "->", "&") and tokens[k + 1][0] != "("
        if before.isidentifier() and before not in (*NO_TYPES, "sizeof"):
            continue  # it is declared: `int w[3];`
        if not asks or "sizeof" in (t for t, _ in tokens[max(k - 3, 0) : k]):
            continue
        starred = before == "*" and points(tokens, k - 1)
        leads = starred or after > k + 1 or k in pointed
        if tokens[after][0] not in ASSIGNING and (leads or word not in mine):
            yield TextRead(word, k - starred, after, leads)


def place_end(tokens: Tokens, k: int) -> int:
    """Where the place ends that begins at a token: `a[i].x`."""
    while k < len(tokens) and tokens[k][0] in ("*", "("):
        k += 1
    k += 1
    while k < len(tokens):
        if tokens[k][0] == "[":
            k = closed(tokens, k)
        elif tokens[k][0] in (".", "->"):
            k += 2
        else:
            break
    return k


def _casts(tokens: Tokens, first: int, end: int) -> set[int]:
    """The tokens of casts, which name types."""
    ends = [k for k in range(first, end) if tokens[k][0] == ")" and is_cast(tokens, k)]
    return {k for last in ends for k in range(opened(tokens, last), last)}


def _pointed(tokens: Tokens, first: int, end: int) -> set[int]:
    """The tokens of which what they lead to is asked, by more than a `*` or a bracket beside them:
    `*(p + i)`, `*(int *)p`, `((int *)p)[i]`."""
    found: set[int] = set()
    for k in range(first, end):
        if tokens[k][0] == ")" and tokens[k + 1][0] in ("[", "->"):
            found |= {*range(opened(tokens, k), k)}
        j = k + 1
        while points(tokens, k) and tokens[j][0] == "(":
            after = closed(tokens, j)
            found |= {*range(j, after + 1)}
            j = after if is_cast(tokens, after - 1) else k
    return found
