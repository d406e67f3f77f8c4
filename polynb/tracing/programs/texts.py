"""The texts of a program's files, and the functions in them. Read roughly (tokens.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from polynb.tracing.programs.assigned import declarations
from polynb.tracing.programs.tokens import Tokens, closed, words_at

Text = tuple[str, ...]
CONTROLS: Final = frozenset(("if", "for", "while", "switch", "return", "sizeof", "catch"))
METHOD: Final = frozenset(("const", "noexcept", "override", "final", "mutable"))
LONGEST: Final = 200
"""Tokens between the parameters of a function and its body."""


@dataclass(frozen=True)
class FunctionText:
    """What a function of a text does: from its token `first` to `end`."""

    name: str
    text: Text
    first: int
    end: int


@dataclass(frozen=True, eq=False)
class ProgramTexts:
    """The lines of each file."""

    files: Mapping[str, Text]

    @property
    def texts(self) -> tuple[Text, ...]:
        return tuple(self.files.values())

    @cached_property
    def _by_name(self) -> dict[str, Text]:
        found: dict[str, Text] = {}
        for text in self.texts:
            for name in functions(text):
                found.setdefault(name, text)
        return found

    def body(self, name: str, text: Text) -> FunctionText | None:
        """The function that a text means by a name: its own, or one of another file."""
        where = text if name in functions(text) else self._by_name.get(name)
        return None if where is None else FunctionText(name, where, *functions(where)[name])

    def around(self, text: Text, k: int) -> FunctionText:
        """The function that a token stands in."""
        found = functions(text).items()
        name, (first, end) = next(((n, at) for n, at in found if at[0] <= k < at[1]), ("", (0, 0)))
        return FunctionText(name, text, first, end)

    def called(self, text: Text, first: int, end: int) -> Iterator[tuple[int, FunctionText]]:
        """The functions that are called between two tokens, and by which token."""
        tokens, _ = words_at(text)
        for k in range(first, min(end, len(tokens) - 1)):
            if tokens[k + 1][0] == "(" and (body := self.body(tokens[k][0], text)) is not None:
                yield k, body


@lru_cache(maxsize=64)
def functions(text: Text) -> dict[str, tuple[int, int]]:
    """The bodies of the functions of a text, as tokens of it; of several of a name, the last."""
    return {name: (first, end) for name, first, end in every_function(text)}


@lru_cache(maxsize=64)
def every_function(text: Text) -> tuple[tuple[str, int, int], ...]:
    """The same of all, each with its name."""
    tokens, _ = words_at(text)
    found, k = list[tuple[str, int, int]](), 0
    while k + 1 < len(tokens):
        named = tokens[k][0].isidentifier() and tokens[k][0] not in CONTROLS
        first = _body(tokens, closed(tokens, k + 1)) if named and tokens[k + 1][0] == "(" else 0
        if first:
            found.append((tokens[k][0], first, closed(tokens, first)))
            k = closed(tokens, first)
        else:
            k += 1
    return tuple(found)


def _body(tokens: Tokens, k: int) -> int:
    """Where the body of a function begins whose parameters end before a token: behind their types
    in the old way, what a method is (`const`), or what a constructor begins with; 0 if it is no
    function."""
    words = [t for t, _ in tokens[k : k + LONGEST]]
    if "{" not in words:
        return 0
    between = words[: words.index("{")]
    typed = between[-1:] == [";"] and between[0].isidentifier() and not {*between} & {"(", "=", "}"}
    begins = between[:1] == [":"] and ";" not in between
    return k + len(between) if typed or begins or {*between} <= METHOD else 0


@lru_cache(maxsize=1024)
def function_at(text: Text, line: int) -> tuple[int, int]:
    """The first token and the end of the function around a line; of all, where there is none."""
    tokens, _ = words_at(text)
    depth = first = 0
    for k, (word, at) in enumerate(tokens):
        if word == "{":
            first = k if not depth else first
            depth += 1
        elif word == "}":
            depth -= 1
            if not depth and tokens[first][1] <= line <= at:
                return first, k
    return 0, len(tokens)


def start_of(tokens: Tokens, first: int) -> int:
    """Where the function begins whose body begins at a token: with what it gives and is given, also
    in the old way, `int f(x) int x; {`."""
    k = first
    while k and tokens[first - 1][0] == ";" and tokens[k - 1][0] != ")":
        k -= 1
    while k and tokens[k - 1][0] not in (";", "}"):
        k -= 1
    return k


def own_names(tokens: Tokens, first: int, end: int) -> set[str]:
    """The variables of a function and its parameters, but those that are kept."""
    given = {t for t, _ in tokens[start_of(tokens, first) : first] if t.isidentifier()}
    return given | {d.name for d in declarations(tokens, first, end)}
