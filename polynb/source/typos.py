"""Names that were probably meant: a letter wrong, missing or too much, two changed over, case."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from polynb.errors import PolynbError, Span
from polynb.source.mistakes import mistake
from polynb.source.names import ROLES

SHORTEST = 3
"""Shorter names differ in a letter on purpose: i and j, px and py."""
LONG = 8
"""From this length on, two letters may be wrong."""
TWO_OF = 4
"""The same where one of two names is known to be wrong."""


def meant(name: str, known: Iterable[str]) -> str | None:
    """The known name that somebody who typed `name` probably meant, the nearest one; None if none
    is near. Names that differ in their digits only (in0, in1) are meant to differ."""
    near = [(_distance(name, k), k) for k in known if k != name and _is_near(name, k)]
    return min(near)[1] if near else None


def meant_by_unknown(name: str, known: Collection[str]) -> str | None:
    """Like `meant`, for a name that there is not: also short ones, where fingers slip."""
    return meant(name, known) or next((k for k in known if is_slip(name, k)), None)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Like `meant`, where one of the names is known to be wrong: also short names, digits, and two
    letters of four."""
    near = [k for k in known if k != name and _within(name, k, TWO_OF)]
    return min(near, key=lambda k: (not is_slip(name, k), _distance(name, k), k), default=None)


def is_slip(name: str, known: str) -> bool:
    """Whether two names, however short, differ as fingers slip: in case, by a letter doubled, by
    two changed over, or by one that looks the same. (Another letter may be on purpose: a and b.)"""
    if looks_like(name, known):
        return True
    if _letters(name) == _letters(known):
        return False
    if _undoubled(name) == _undoubled(known):
        return True
    return sorted(name) == sorted(known) and _distance(name, known) == 1


def is_short_of(name: str, known: str) -> bool:
    """Whether one of two names, of more than a letter, lacks a letter of the other one."""
    lengths = sorted((len(name), len(known)))
    if _letters(name) == _letters(known):
        return False
    return lengths[0] > 1 and lengths[1] - lengths[0] == 1 == _distance(name, known)


def are_twins(name: str, other: str) -> bool:
    """Whether two names, of more than a letter, differ in one of them: dx and dy, mx and my."""
    alike = len(name) == len(other) > 1
    return alike and sum(a != b for a, b in zip(name, other, strict=True)) == 1


def difference(a: str, b: str) -> tuple[str, str]:
    """What differs in two names: `x` and `y` of `max` and `may`."""
    shortest = min(len(a), len(b))
    begin = next((k for k in range(shortest) if a[k] != b[k]), shortest)
    a, b = a[begin:], b[begin:]
    shortest = min(len(a), len(b))
    end = next((k for k in range(shortest) if a[-1 - k] != b[-1 - k]), shortest)
    return a[: len(a) - end], b[: len(b) - end]


def looks_like(name: str, known: str) -> bool:
    """Whether two names differ in case at most, and in o for 0 or l for 1."""
    return name.lower().translate(_ALIKE) == known.lower().translate(_ALIKE)


_ALIKE = str.maketrans("01", "ol")


def _undoubled(name: str) -> str:
    return "".join(c for c, before in zip(name, f" {name}", strict=False) if c != before)


def no_array(name: str, known: Collection[str], span: Span | None = None) -> PolynbError:
    """The error for a temporary that the program does not have."""
    other = meant(name, known)
    if other is not None:
        return mistake("scop.array-meant", span, name=name, other=other)
    hint = f"one of: {', '.join(sorted(known))}" if known else f"leave `temp {name};` out"
    return mistake("scop.no-array", span, name=name, hint=hint)


_ELSEWHERE = {
    "foreach": "for", "forall": "for", "parfor": "for", "loop": "for",
    "temporary": "temp", "local": "temp", "in": "input", "out": "output",
    "parameter": "param", "parameters": "param", "assert": "assume",
}  # fmt: skip


def statement_meant(word: str) -> str | None:
    """The word that was meant by one that begins no statement; None if it is near none."""
    begins = ("for", "if", "done", "param", "assume", *ROLES)
    return _ELSEWHERE.get(word.lower()) or meant(word, begins)


def _is_near(name: str, known: str) -> bool:
    if name.lower() == known.lower():
        return True
    if min(len(name), len(known)) < SHORTEST or _letters(name) == _letters(known):
        return False
    return _within(name, known, LONG)


def _within(name: str, known: str, two: int) -> bool:
    """Whether no more letters differ than may be wrong: two from the length `two` on, else one."""
    shortest, longest = sorted((len(name), len(known)))
    allowed = 2 if shortest >= two else 1
    return longest - shortest <= allowed and _distance(name, known) <= allowed


def _letters(name: str) -> str:
    return "".join(c for c in name if not c.isdigit())


def _distance(a: str, b: str) -> int:
    """How many letters have to be changed, put in, left out or swapped with the next."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, c in enumerate(a, 1):
        new = [i]
        for j, d in enumerate(b, 1):
            best = min(row[j] + 1, new[-1] + 1, row[j - 1] + (c != d))
            if i > 1 and j > 1 and c == b[j - 2] and d == a[i - 2]:
                best = min(best, before[j - 2] + 1)
            new.append(best)
        before, row = row, new
    return row[-1]
