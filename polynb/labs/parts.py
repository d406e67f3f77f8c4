"""The parts of an exercise's file: which there are, and what each has to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.folders import Table, Toml

NEEDED: Final = frozenset({"title", "text", "hints", "read", "right", "task"})


def checked(name: str, found: Table) -> Table:
    """What stands in the file of an exercise. Raises PolynbError for a part that is missing, that
    no exercise has, or that is something else than it has to be."""
    for names, what in (
        (NEEDED - found.keys(), "is missing"),
        (found.keys() - PARTS.keys(), "is unknown"),
    ):
        if names:
            raise PolynbError(f"{name}: {min(names)} {what}", hint=f"{', '.join(sorted(PARTS))}")
    for part, (fits, allowed) in PARTS.items():
        if part in found and not fits(found[part]):
            raise PolynbError(f"{name}: {part} must be {allowed}")
    return found


def _text(given: Toml) -> bool:
    return isinstance(given, str)


def _texts(given: Toml) -> bool:
    return isinstance(given, list) and all(map(_text, given))


def _drawn(given: Toml) -> bool:
    if isinstance(given, dict):
        least, most = given.get("least"), given.get("most")
        return len(given) == 2 and type(least) is type(most) is int and least <= most
    return isinstance(given, list) and bool(given)


def _told(given: Toml) -> bool:
    return (
        isinstance(given, dict)
        and _text(given.get("name"))
        and _text(given.get("ask"))
        and ("answer" in given or isinstance(given.get("change"), dict))
    )


PARTS: Final[Mapping[str, tuple[Callable[[Toml], object], str]]] = {
    "title": (_text, "a text"),
    "text": (_text, "a text"),
    "program": (_text, "a text"),
    "hints": (_texts, "a list of texts"),
    "read": (lambda x: isinstance(x, str | dict), "a text, or { lesson = 1, what = ... }"),
    "right": (lambda x: isinstance(x, list) and x, "a list of right answers"),
    "task": (lambda x: isinstance(x, dict), "a table, [task]"),
    "points": (lambda x: type(x) is int and x > 0, "a number from 1"),
    "seconds": (lambda x: type(x) in (int, float) and x > 0, "a number of seconds"),
    "transfer": (lambda x: isinstance(x, bool), "true or false"),
    "let": (lambda x: isinstance(x, dict) and all(map(_text, x.values())), "texts by name"),
    "draws": (
        lambda x: isinstance(x, dict) and all(map(_drawn, x.values())),
        "{ least = 1, most = 9 }, or a list to choose from, for each name",
    ),
    "misconceptions": (
        lambda x: isinstance(x, list) and all(map(_told, x)),
        "tables, [[misconceptions]], with `name`, `answer` (or `change`) and `ask`",
    ),
}
"""What each is, as a check and in words."""
