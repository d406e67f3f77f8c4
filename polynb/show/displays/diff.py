"""Two programs side by side, with what changed marked by a sign and a shade."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from polynb.show.html import Html, columns, element, paragraph, program

REMOVED: Final = "background-color:rgba(213,94,0,0.18)"
ADDED: Final = "background-color:rgba(0,158,115,0.2)"

CLOSERS: Final = frozenset(("", "done", "fi", "else", "{", "}", "} else {"))

Line = tuple[str, str]  # the sign, and the text


def compared(before: str, after: str) -> tuple[list[Line], list[Line]]:
    """The lines of two texts, marked " " where both have them, "−" and "+" where only one has.

    Indentation alone is no change: a loop that goes takes its braces, not its body.
    """
    a, b = _lines(before), _lines(after)
    matcher = _matcher(a, b)
    left, right = [("−", x) for x in a], [("+", x) for x in b]
    for i, j, length in matcher.get_matching_blocks():
        for k in range(length):
            left[i + k], right[j + k] = (" ", a[i + k]), (" ", b[j + k])
    return left, right


def _lines(text: str) -> list[str]:
    return text.strip("\n").split("\n")


def _matcher(a: Sequence[str], b: Sequence[str]) -> SequenceMatcher[str]:
    """Lines without content of their own, such as `done`, match only next to others that do."""
    return SequenceMatcher(CLOSERS.__contains__, [x.strip() for x in a], [x.strip() for x in b])


def changed(before: str, after: str) -> tuple[list[int], list[int]]:
    """The numbers of the lines that only the first text has, and of those that only the second
    has, counted from 0."""
    left, right = (_tidied(lines) for lines in compared(before, after))
    numbers = ([k for k, (sign, _) in enumerate(side) if sign != " "] for side in (left, right))
    removed, added = numbers
    return removed, added


def side_by_side(titles: tuple[str, str], before: str, after: str) -> Html:
    """Both programs with their changes marked; one if there are none."""
    left, right = compared(before, after)
    if before.strip() == after.strip():
        return _titled("before and after", left, REMOVED)
    return columns(_titled(titles[0], left, REMOVED), _titled(titles[1], right, ADDED))


def beside(titles: tuple[str, str], before: str, after: str) -> Html:
    """Two texts of different kinds, with nothing marked."""
    shown = ([(" ", line) for line in _lines(text)] for text in (before, after))
    return columns(*(_titled(t, lines, "") for t, lines in zip(titles, shown, strict=True)))


def _titled(title: str, lines: Sequence[Line], shade: str) -> Html:
    tidy = _tidied(lines)
    shades = [shade if sign != " " else "" for sign, _ in tidy]
    shown = program([f"{sign} {text}" for sign, text in tidy], shades)
    return element("div", paragraph(element("b", title)), shown)


def _tidied(lines: Sequence[Line]) -> list[Line]:
    """Empty lines are never marked."""
    return [(sign if text.strip() else " ", text) for sign, text in lines]


def as_text(before: str, after: str) -> str:
    """One text: what went, what came, what stayed, in order."""
    a, b = _lines(before), _lines(after)
    matcher = _matcher(a, b)
    lines: list[Line] = []
    for tag, i, i2, j, j2 in matcher.get_opcodes():
        if tag == "equal":
            lines += [(" ", x) for x in b[j:j2]]
        else:
            lines += [("−", x) for x in a[i:i2]] + [("+", x) for x in b[j:j2]]
    return "\n".join(f"{sign} {text}".rstrip() for sign, text in _tidied(lines))
