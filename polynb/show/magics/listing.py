"""What there is to know of each magic, from its parser: for pages that no notebook shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from polynb.show.displays.registry import with_magics
from polynb.show.magics.magics import PolynbMagics
from polynb.show.magics.passes import pass_magics


@dataclass(frozen=True)
class MagicHelp:
    """A magic as its users see it. `forms` are `%%name`, `%name` or both; `options` are each
    option, or the words of the line, with what is said of it."""

    name: str
    forms: tuple[str, ...]
    text: str
    usage: str
    options: tuple[tuple[str, str], ...]


def magics() -> tuple[MagicHelp, ...]:
    """All of them: those of programs, then the passes', each in alphabetical order."""
    classes = (PolynbMagics, pass_magics())
    found = [_help(name, of) for of in classes for name in _names(of)]
    passes = with_magics()
    return tuple(sorted(found, key=lambda m: (m.name in passes, m.name)))


def _names(of: type) -> Iterator[str]:
    table = of.magics  # type: ignore[attr-defined]  # IPython's decorator puts it there
    yield from dict.fromkeys([*table["cell"], *table["line"]])


def _help(name: str, of: type) -> MagicHelp:
    table = of.magics  # type: ignore[attr-defined]
    forms = [f"%%{name}"] * (name in table["cell"]) + [f"%{name}"] * (name in table["line"])
    parser = getattr(of, name).parser
    options = tuple(
        (parser._get_formatter()._format_action_invocation(action), action.help or "")
        for action in parser._actions
    )
    usage = re.sub(r"\s+", " ", parser.format_usage()).strip(": ")
    return MagicHelp(name, tuple(forms), parser.description or "", usage, options)
