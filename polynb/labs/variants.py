"""Numbers of one's own for each student: the same on every machine, and each time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


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
        text = "\0".join((self.student.casefold(), self.exercise, name))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
