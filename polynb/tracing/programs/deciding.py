"""The conditions that decide, as a text says, whether what stands at a place in it runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from polynb.tracing.programs.assigned import assignments
from polynb.tracing.programs.keeping import from_numbers
from polynb.tracing.programs.texts import CONTROLS, function_at
from polynb.tracing.programs.tokens import OWNERS, Tokens, closed, points, statement, words_at

Asked = tuple[int, int, int, str]
"""Where a statement begins, or an operator stands; from where to where its condition is written;
and how the way is called that it decides on."""
JUMPING: Final = frozenset(("continue", "break", "return", "goto"))
LABELS: Final = ("case", "default")
OPERATORS: Final = ("?", "&&", "||")


@dataclass(frozen=True)
class TextCondition:
    """A condition, in words, and where it is asked (`line`, `at` a token). It `finds` out what it
    asks where it reads an element, or calls; else it compares variables of these `names`."""

    text: str
    line: int
    at: int
    finds: bool
    names: frozenset[str]


@lru_cache(maxsize=4096)
def deciding(lines: tuple[str, ...], k: int) -> tuple[TextCondition, ...]:
    """Those of a function's text that decide on what stands at a token, outermost first."""
    tokens, _ = words_at(lines)
    first, _ = function_at(lines, tokens[k][1])
    known = from_numbers(lines, *function_at(lines, tokens[k][1]))
    found = [*_around(tokens, first, k), *_operators(tokens, k)]
    return tuple(_read(tokens, known, *where) for where in sorted(found))


def _read(
    tokens: Tokens, known: frozenset[str], at: int, first: int, end: int, arm: str
) -> TextCondition:
    finds, names = asked(tokens, first, end)
    text = "".join(_spaced(tokens, k) for k in range(first, end)).strip()
    return TextCondition(arm.format(text), tokens[at][1], at, finds, names - known)


def _spaced(tokens: Tokens, k: int) -> str:
    """A word as it is mostly written."""
    word, before = tokens[k][0], tokens[k - 1][0]
    close = word in (")", "]", "[", ".", "->", ",", ";") or before in ("(", "[", ".", "->", "!")
    called = word == "(" and before.isidentifier()
    return word if close or called else f" {word}"


def asked(tokens: Tokens, first: int, end: int) -> tuple[bool, frozenset[str]]:
    """Whether an expression reads an element, what is pointed to, or calls; and its variables."""
    finds, names = False, set[str]()
    for k in range(first, end):
        word, before = tokens[k][0], tokens[k - 1][0]
        called = word == "(" and before.isidentifier() and before not in CONTROLS
        finds = finds or called or points(tokens, k) or word in ("[", "->")
        if word.isidentifier() and before not in (".", "->"):
            names.add(word)
    return finds, frozenset(names)


def _around(tokens: Tokens, first: int, k: int) -> Iterator[Asked]:
    """The conditions of statements."""
    within = 0  # a loop or switch that ends before: what jumps in it stays in it
    for j in range(first, k):
        word = tokens[j][0]
        if word not in ("if", *OWNERS):
            continue
        end = statement(tokens, j)
        inside = closed(tokens, j + 1)
        if end > k:
            if k >= inside or word == "for":
                yield from _of(tokens, j, k)
        elif word in OWNERS:
            within = max(within, end)
        elif any(tokens[x][0] in JUMPING for x in range(inside, end)):
            far = any(tokens[x][0] in ("return", "goto") for x in range(inside, end))
            if j >= within or far:
                yield j, j + 2, inside - 1, "not ({})"


def _of(tokens: Tokens, j: int, k: int) -> Iterator[Asked]:
    """The condition of a statement that a token stands in."""
    inside = closed(tokens, j + 1)
    match tokens[j][0]:
        case "if":
            other = k >= statement(tokens, inside)
            yield j, j + 2, inside - 1, "not ({})" if other else "{}"
        case "switch":
            chosen = max(x for x in range(j, k + 1) if x == j or tokens[x][0] in LABELS)
            label = " ".join(t for t, _ in tokens[chosen : chosen + 2])
            yield j, j + 2, inside - 1, f"{label.replace('{', '{{')} of {{}}"
        case "while":
            yield j, j + 2, inside - 1, "{}"
        case "for":
            parts = [x for x in range(j + 2, inside) if tokens[x][0] == ";"]
            if len(parts) == 2 and k > parts[1]:
                yield j, j + 2, parts[1], "{}"


def _operators(tokens: Tokens, k: int) -> Iterator[Asked]:
    """The operators in its own statement that may leave a token out."""
    j, depth = k - 1, 0
    while j >= 0 and tokens[j][0] not in (";", "{", "}"):
        depth += (tokens[j][0] == "(") - (tokens[j][0] == ")")
        if tokens[j][0] in OPERATORS and depth >= 0:
            first = j
            while first and tokens[first - 1][0] not in (";", "{", "}", "=", ","):
                first -= 1
            yield j, first, j, "{}"
        j -= 1


def changed_in(tokens: Tokens, first: int, end: int) -> frozenset[str]:
    """The variables that are assigned between two tokens."""
    return frozenset(a.name for a in assignments(tokens, first, end) if a.name)
