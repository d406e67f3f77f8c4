"""A question about a program that is not wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from polynb.errors import Span

ARGUMENT: Final = "an argument passed by value"
"""Why a scalar of a C function is temporary."""
MEANT: Final = "`// is meant` behind it says so"
"""What answers any question, for those that no declaration does."""
_SAYS_SO: Final = re.compile(r"//[^\n]*\bis meant\b|/\*((?!\*/).)*\bis meant\b", re.DOTALL)


@dataclass(frozen=True, eq=False)
class Doubt:
    """A name that looks like another, or ("") that is odd without: `why` is what is odd about it,
    `otherwise` a sentence on what says that it is right, or what mends it ("" where nothing
    does)."""

    name: str
    meant: str
    why: str
    otherwise: str = ""
    span: Span | None = field(default=None, repr=False)
    asks: str = "is it needed?"

    @property
    def question(self) -> str:
        return f"did you mean {self.meant}?" if self.meant else self.asks

    @property
    def is_answered(self) -> bool:
        """Whether a comment in what is asked about, or behind it in its line, says that it is
        meant."""
        if self.span is None:
            return False
        behind = self.span.source.text[self.span.end :].split("\n", 1)[0]
        return _SAYS_SO.search(self.span.text + behind) is not None

    def is_within(self, other: Doubt) -> bool:
        """Whether a part of what another one is about is asked about."""
        if self.span is None or other.span is None:
            return False
        return other.span.start <= self.span.start and self.span.end <= other.span.end

    @property
    def reminder(self) -> str:
        """The question alone, for who has read it, or will."""
        return f"{self.name}{self._line}: {self.question}"

    @property
    def _line(self) -> str:
        return f" (line {self.span.line})" if self.span is not None else ""

    def __str__(self) -> str:
        rest = f" {self.otherwise}." if self.otherwise else ""
        return f"{self.name} is {self.why}{self._line}: {self.question}{rest}"
