"""The library's pages: what `polynb` exports, a page for each name. Sphinx's autodoc writes them
from the docstrings; what they begin with, and how signatures look, is said here."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any, Final

polynb: Final = import_module("polynb")  # the public names
FOLDER: Final = "library"
CONFIGURATION: Final = {
    "autodoc_default_options": {
        "members": True,
        "undoc-members": True,
        "inherited-members": "Exception",
    },
    "autodoc_member_order": "bysource",
    "autodoc_typehints_format": "short",
    "python_use_unqualified_type_names": True,
}
_ROOM: Final = re.compile(r"^    (\w+) +(.+)$", re.MULTILINE)
_MAP: Final = "The house, in the order"
_AS_WRITTEN: Final = {"delicm": "DeLICM", "isl": "isl"}  # the names that are not capitalised


def pages() -> dict[str, str]:
    """Each page's text by its name: `index.rst`, and one for each public name."""
    names = list(polynb.__all__)
    found = {f"{n}.rst": _page(n) for n in names}
    return {"index.rst": _index(names)} | found


def _index(names: list[str]) -> str:
    """The names by the rooms that they come from, in the order of the house."""
    house, prompt, example = (polynb.__doc__ or "").partition(_MAP)[2].partition(">>>")
    rooms = dict(_ROOM.findall(house))
    example = textwrap.indent(f"{prompt}{example}".rstrip(), "   ")
    parts = [heading("The library", "="), "An example first:\n\n.. code-block:: pycon\n\n", example]
    for room, does in rooms.items():
        inside = [n for n in names if _room(n) == room]
        if inside:
            rows = (f"- :doc:`{n} <{n}>`: {_said(getattr(polynb, n))}\n" for n in inside)
            about = f"{does[:1].upper()}{does[1:]}."
            title = heading(_AS_WRITTEN.get(room, room.capitalize()), "-")
            parts.append(f"\n\n{title}{about}\n\n{''.join(rows)}")
    return "".join([*parts, "\n", listed(names)])


def _said(value: Any) -> str:
    """A first sentence within a line."""
    said = escaped(first_sentence(value))
    return said[:1].lower() + said[1:] if said[:2].istitle() or said.startswith("A ") else said


def _room(name: str) -> str:
    value = getattr(polynb, name)
    module = value.__name__ if isinstance(value, ModuleType) else _home(value)
    return str(module).split(".")[1]


def _home(value: Any) -> str:
    steps = getattr(value, "steps", None)  # of a pass: the generator behind it
    return str(steps.__module__ if inspect.isroutine(steps) else value.__module__)


def first_sentence(value: Any) -> str:
    """What a docstring begins with, to its first full stop."""
    text = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    found = re.match(r"(?:`[^`]*`|[^`])*?\.(?=\s|$)", text)
    return found[0] if found else text


def _page(name: str) -> str:
    value = getattr(polynb, name)
    if isinstance(value, ModuleType):
        kind = "automodule"
    else:
        kind = "autoclass" if inspect.isclass(value) else "autofunction"
    return f"{heading(f'polynb.{name}', '=')}.. {kind}:: polynb.{name}\n"


# -- what autodoc asks ---------------------------------------------------------------------------


def connect(app: Any) -> None:
    """Let Sphinx ask how signatures and docstrings are written."""
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)


def _signature(
    app: Any, what: str, name: str, value: Any, options: Any, given: str | None, gives: str | None
) -> tuple[str | None, str | None]:
    """With types as they are written in the source, of a pass with what it gives (not its
    generator); a class is not called."""
    from sphinx.util.inspect import stringify_signature

    if what in ("class", "exception"):
        return "", None
    if not callable(value) or given is None:
        return given, gives
    found = inspect.signature(value)
    kept = [p for p in found.parameters.values() if p.name not in ("self", "cls")]
    text = stringify_signature(found.replace(parameters=kept)).replace("_isl.", "isl.")
    arguments, _, result = text.rpartition(") -> ")
    return (f"{arguments})", result) if result else (text, None)


def _docstring(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    lines[:] = escaped("\n".join(lines)).split("\n")


def escaped(text: str) -> str:
    """A docstring as reStructuredText: names between single backquotes are code, `**` is
    Python's."""
    parts = re.split(r"(`[^`]*`)", text)
    plain = [p if k % 2 else re.sub(r"([*|]|_\b)", r"\\\1", p) for k, p in enumerate(parts)]
    return "".join(plain)


# Pieces of the pages' texts.


def heading(text: str, line: str) -> str:
    """Of reStructuredText."""
    return f"{text}\n{line * len(text)}\n\n"


def listed(pages: Iterable[str]) -> str:
    """What a page has below it."""
    return ".. toctree::\n   :hidden:\n\n" + "".join(f"   {p}\n" for p in pages)
