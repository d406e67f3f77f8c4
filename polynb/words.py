"""Small pieces of plain English: lists and numbers of things."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence


def listed(names: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    found = list(names)
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def counted(number: int, noun: str, none: str = "0") -> str:
    """ "1 statement", "5 statements"; `none` is what to say for no one."""
    return f"{number or none} {noun}{'' if number == 1 else 's'}"


def shortened(names: Sequence[str], most: int = 8) -> str:
    """The first names of a long list, and how many more there are."""
    rest = len(names) - most
    return listed(names) if rest <= 1 else listed([*names[:most], f"{rest} more"])


def wrapped(text: str, width: int = 96) -> str:
    """Lines of at most `width` letters, broken between words; indented lines keep their indent."""
    found = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        parts = textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False)
        found.extend(parts or [""])
    return "\n".join(found)
