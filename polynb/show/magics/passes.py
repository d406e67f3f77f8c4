"""The passes that a line can name, `%bench x --apply propagate,reorder`, and sizes of tiles."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from polynb.derivation import Pass
from polynb.errors import PolynbError
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.reordering.steps import Checked
from polynb.show.magics.arguments import MagicLine, names, unknown

PASSES: Final[dict[str, Pass[...]]] = {"propagate": propagate, "reorder": reorder}


def passes_of(text: str | None, line: MagicLine) -> list[Pass[...]]:
    """Those of a list as an option takes it. Raises PolynbError for one that there is not."""
    found = []
    for name in names(text):
        if name not in PASSES:
            span = line.span_of(text or name) or line.span_of("--apply")
            raise unknown(f"there is no pass {name!r}", span, name, list(PASSES))
        found.append(PASSES[name])
    return found


@contextmanager
def about_tiles(options: argparse.Namespace, line: MagicLine) -> Iterator[None]:
    """What goes wrong after the proof is about tiles or the order of loops, unless it is about what
    is private."""
    try:
        yield
    except PolynbError as error:
        proven = any(isinstance(s, Checked) and s.verdict for s in error.steps)
        if proven and "private" not in error.message:
            order = options.interchange is not None and "tile" not in error.message
            what = "--interchange" if order else "--tile"
            error.span = error.span or line.span_of(what)
        raise


def number_of(text: str) -> int | str:
    """A number; what is none goes to the library as it is, which says what is allowed."""
    try:
        return int(text)
    except ValueError:
        return text


def order_of(text: str) -> tuple[int | str, ...]:
    """`1,0`"""
    return tuple(number_of(part) for part in text.split(","))


def sizes_of(text: str) -> int | str | tuple[int | str, ...]:
    """A size for all loops, or one for each: `32`, `32,64`."""
    sizes = order_of(text)
    return sizes[0] if len(sizes) == 1 else sizes
