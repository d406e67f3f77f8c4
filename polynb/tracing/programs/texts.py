"""The texts of a program's files, and in which of them a function stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from polynb.tracing.programs.keeping import functions
from polynb.tracing.programs.tokens import words_at

Text = tuple[str, ...]


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
