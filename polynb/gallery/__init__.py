"""Programs to begin with: the papers' figures, their image pipelines, and classic kernels.

`load("harris")` parses one, `text("harris")` is what it says, `names()` are all of them. Each is
a file of this directory, or, if long, what a module of `pipelines/` writes; and a line of
`index.toml`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from polynb.gallery.catalogue import Entry, describe, entry, names, sizes, text

if TYPE_CHECKING:
    from polynb.scop.model import Scop

__all__ = [
    "Entry",
    "describe",
    "entry",
    "load",
    "names",
    "sizes",
    "text",
]


def load(name: str, **options: Any) -> Scop:
    """The Scop of a program of the gallery; `options` are those of `polynb.parse`.

    It has the gallery's name for it, or that of its C function. Raises PolynbError for a name
    that the gallery does not have.
    """
    from polynb.errors import Source
    from polynb.scop.parsing import parse

    found = entry(name)
    source = Source(text(name), found.file)
    if found.language == "scop":
        options = {"name": found.name, **options}
    return parse(source, found.language, **options)


class _Gallery(ModuleType):
    """This module, showing what it has when a notebook shows it."""

    def __repr__(self) -> str:
        width = max(map(len, names()))
        rows = (entry(n) for n in names())
        return "\n".join(f"{e.name:{width}}  {e.title} ({e.source})" for e in rows)

    def __dir__(self) -> list[str]:
        return list(__all__)


sys.modules[__name__].__class__ = _Gallery
