"""Numbers of one's own for each student: the same on every machine, and each time."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


def one_spelling(name: str) -> str:
    """One of the ways in which a name is written: ada for Ada, one blank between its parts, and
    letters with their accents as one sign each, which macOS writes as two."""
    return unicodedata.normalize(
        "NFC", unicodedata.normalize("NFC", " ".join(name.split())).casefold()
    )


@dataclass(frozen=True)
class Draws:
    """Numbers drawn from a hash of the student (ada is Ada), the exercise and the number's name: a
    number that is added to an exercise leaves the others as they are."""

    student: str
    exercise: str

    def integer(self, name: str, least: int, most: int) -> int:
        """A number from `least` to `most`."""
        return least + self._drawn(name) % (most - least + 1)

    def choice(self, name: str, options: Sequence[T]) -> T:
        """One of some options."""
        return options[self._drawn(name) % len(options)]

    def _drawn(self, name: str) -> int:
        text = "\0".join((one_spelling(self.student), self.exercise, name))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
