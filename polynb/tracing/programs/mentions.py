"""What a text reads: its variables, and what they lead to. Read roughly (tokens.py)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Final

from polynb.tracing.programs.assigned import ASSIGNING, NO_TYPES
from polynb.tracing.programs.tokens import Tokens, closed, is_cast, opened, points

TYPES: Final = frozenset(
    ("int", "float", "double", "long", "short", "char", "bool", "unsigned", "signed", "_Bool")
)


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
    asked = _asked(tokens, first, end)
    for k in (k for k in range(first, end) if k not in casts):
        word, before = tokens[k][0], tokens[k - 1][0] if k else ""
        after = place_end(tokens, k)
        asks = word.isidentifier() and before not in (".", "->", "&") and tokens[k + 1][0] != "("
        if before.isidentifier() and before not in (*NO_TYPES, "sizeof"):
            continue  # it is declared: `int w[3];`
        if not asks or "sizeof" in (t for t, _ in tokens[max(k - 3, 0) : k + 1]):
            continue
        if word in TYPES:
            continue
        starred = before == "*" and points(tokens, k - 1)
        leads = starred or after > k + 1 or k in pointed
        if tokens[after][0] not in ASSIGNING and (leads or word not in mine):
            yield TextRead(word, *asked.get(k, (k - starred, after)), leads)


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


def place_of(tokens: Tokens, at: int) -> tuple[str, ...]:
    """The words of the element that an assignment writes: `a [ i ] . x`; none of what is pointed
    to."""
    k = at - 1
    while True:
        if tokens[k][0] == "]":
            k = opened(tokens, k) - 1
        elif tokens[k][0].isidentifier() and tokens[k - 1][0] in (".", "->"):
            k -= 2
        else:
            break
    if not tokens[k][0].isidentifier() or tokens[k - 1][0] == "*" or is_cast(tokens, k - 1):
        return ()
    return tuple(t for t, _ in tokens[k:at])


def _asked(tokens: Tokens, first: int, end: int) -> dict[int, tuple[int, int]]:
    """Of the tokens in the brackets behind a `*`: from where to where it is asked what they point
    to; where nothing there is left out, that runs if any of it does."""
    found: dict[int, tuple[int, int]] = {}
    for k in range(first, end):
        last = k + 1
        while points(tokens, k) and tokens[last][0] == "(":
            last = closed(tokens, last)
            if not is_cast(tokens, last - 1):
                break
        inside = {t for t, _ in tokens[k + 1 : last + 1]}
        if last > k + 1 and not inside & {"?", "&&", "||"}:
            found |= {j: (k, last + tokens[last][0].isidentifier()) for j in range(k, last + 1)}
    return found


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
